"""Bidding tables: what each kind of hand can bid, from deals that are solved."""

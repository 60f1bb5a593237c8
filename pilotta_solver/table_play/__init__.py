"""Players that see only their own cards: what they know, how they decide, deals they play out."""

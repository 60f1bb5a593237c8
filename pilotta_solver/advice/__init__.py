"""Should I bid it? Contracts valued on sampled worlds."""

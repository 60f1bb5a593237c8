"""What the solver costs, measured so that anyone can measure it again. See README.md here."""

"""The command line of pilotta-solver: parse, one library call, render."""

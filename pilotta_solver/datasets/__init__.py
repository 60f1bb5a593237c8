"""Simulated deals in bulk: datasets of parts that are made once and never twice."""

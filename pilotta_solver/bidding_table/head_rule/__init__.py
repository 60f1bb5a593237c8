"""A rule for the head: points for what a player sees in his hand, and their sum tells the bid.

`fitting` finds the points from solved deals, `trial` says how good they are on deals that the fit
has not seen, beside other ways to bid (`calls`), and `against_solver` beside the solver itself.
"""

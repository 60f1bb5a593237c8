"""The compiled core: the only place that imports numba. It knows cards and errors, nothing else."""

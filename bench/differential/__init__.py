"""Random tile-level kernels: see ../differential.py."""

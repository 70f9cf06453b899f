"""The use cases: one customer turn, the sweep, the desk."""

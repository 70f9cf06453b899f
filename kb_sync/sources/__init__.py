"""Where articles come from: one module per kind of source."""

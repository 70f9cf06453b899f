"""The embedded store: one SQLite file holds conversations and knowledge. One file of code per port."""

"""Voyage over its own client: texts to vectors, and a second look at close candidates. Imported only when it is chosen."""

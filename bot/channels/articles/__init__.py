"""The channel of the article pages: the articles themselves, for customers to read."""

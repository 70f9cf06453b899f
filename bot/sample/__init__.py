"""Records of a business that does not exist, Parlato, so that questions about records can be tried without a database."""

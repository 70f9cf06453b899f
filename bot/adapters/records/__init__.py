"""The operator's database of records: what may be asked of it, the parser's wall before it, and the database's own wall."""

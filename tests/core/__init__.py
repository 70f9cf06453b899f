"""The pure decisions, by table and by property."""

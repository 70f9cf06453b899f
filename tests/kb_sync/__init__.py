"""The sync job, from plan to report."""

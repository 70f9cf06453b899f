"""Real processes on a real file: killed, stopped, started beside each other, and started on what they cannot use."""

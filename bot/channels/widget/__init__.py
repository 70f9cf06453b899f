"""The chat widget on a web page: its HTTP routes, its sockets, and the files that a browser loads."""

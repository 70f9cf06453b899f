"""The sync job: brings a source's articles into the passage index, embedding only what changed."""

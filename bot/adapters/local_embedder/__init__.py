"""The embedder that needs no account and no network: a small sentence model on this machine's processor."""

from bot.adapters.local_embedder.embedder import LocalEmbedder

__all__ = ["LocalEmbedder"]

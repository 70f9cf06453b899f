"""Tells an integrator's server what happens in conversations, signed, from the outbox."""

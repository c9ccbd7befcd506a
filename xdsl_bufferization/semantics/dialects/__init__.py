"""The semantics of ops, by dialect."""

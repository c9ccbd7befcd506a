"""Helpers that the ops of several dialects share."""

"""The reference pages of the documentation, made of the code: `python -m documentation`."""

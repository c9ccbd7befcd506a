"""
The semantics of ops, one file a dialect; files named `<dialect>_*.py` belong to that dialect.
"""

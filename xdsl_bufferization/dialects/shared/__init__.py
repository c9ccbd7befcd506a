"""
Constraints, syntax and attributes that several dialects share.
"""

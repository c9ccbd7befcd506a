"""
A second opinion on in-place decisions: shares the models with the analysis that takes them,
and nothing else.
"""

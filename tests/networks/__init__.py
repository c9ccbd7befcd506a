"""
Whole networks, scaled down so that they run in seconds.

A network keeps its ops and how they use one another, only its dimensions become smaller:
`scale`.
"""

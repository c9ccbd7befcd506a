"""
What bufferization does to a program, for people: which copies there are and why, and where
the memory goes.
"""

"""Lines of a `.facts` text, whatever stands in them: facts with their places, or all that is wrong.

Statements are cut and named here as in programs of DatalogMTL, whose facts are written alike.
"""

"""What the front ends for documents share: data trees with exact places, selectors, templates, comments, front matter.

Nothing here knows a surface or a file; every function takes text and gives back facts or plain values.
"""

"""What the shop's own people and programs may do: move things along their graphs.

There are no screens for it (part-1 §11). The command line and the API under `/mijn-fw/v2/backoffice` do the
same by the same rules. What can be moved stands in `movables`.
"""

"""Documents with the data of their customer in the first paint (decision 0105).

`documents` answers a request for a page, `drawer` keeps a process that draws, and `process` talks with it.
"""

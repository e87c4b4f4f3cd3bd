"""Work orders: what the workshop does for a bike after a repair, a service or an insurance claim was requested.

Three flows end in a work order: repair, service, claim. Its status, its history and its documents are the same for
all.
"""

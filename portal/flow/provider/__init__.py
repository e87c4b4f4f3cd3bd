"""The retailer's side of flows.

* `handler`: what a flow adds here: facts, checks, and the creation of the request.
* `facts`: looks up the facts of a draft, and maps rows to models.
* `queries`: the SQL on drafts and files, and the hourly cleanup of files.
* `saving`: saves steps.
* `service`: begins, reads, deletes and sends drafts.
* `uploads`: receives, inspects and serves files.
"""

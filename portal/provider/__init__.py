"""The provider assembled from all subjects.

`registry` maps APIs to services, `handlers` lists the flow handlers, `application` opens and closes everything, `api`
builds the HTTP API, `commands` changes statuses from the command line. `python -m portal.provider serve` runs it alone.
"""

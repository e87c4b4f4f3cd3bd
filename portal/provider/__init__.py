"""The provider assembled from all subjects.

`registry` maps APIs to services, `application` opens and closes everything, `api` and `routes`
build the HTTP API, `commands` changes statuses from the command line. `python -m portal.provider serve` runs it alone.
"""

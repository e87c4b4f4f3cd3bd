"""The contract between the pages and the provider: everything that all subjects share.

`operations` declares operations, `registry` calls them at the connected provider, `models` holds shared models and
constants of the HTTP API, `errors` the errors that an operation raises. `session` describes the
login session, `common_api` the operations that every page needs. Each subject declares its own operations in `api`.
"""

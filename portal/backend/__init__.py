"""Services of the provider that all subjects share.

`context` bundles what a service needs; `database`, `jobs`, `outbox` and `mail` store data and send messages;
`sessions`, `security` and `limits` protect access; `pdf` and `letter` make documents; `files` and `api` are packages.
"""

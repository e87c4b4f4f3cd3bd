"""Cases on the retailer's side.

- `subjects`: which subject tells about which kind.
- `queries`: the queue, its counts and its search.
- `watching`: waits for changes.
- `content`: the page of one case.
- `job_card`: the PDF for the workshop.
- `service`: the operations.
"""

"""Cases on the retailer's side.

- `subjects`: which subject describes which kind.
- `queries`: the queue, its counts, its search and its list for spreadsheets.
- `watching`: waits for changes.
- `content`: the page of one case.
- `files`: the files of a case, and the PDF for the workshop.
- `service`: the operations.
"""

"""Pages of cases for staff: the queue, the results of a search, and one case.

- `views`: what the pages show, made from the models of the API.
- `steps`: what both say about a step.
- `queue_state`, `queue`: the queue and the results of a search.
- `case_state`, `case`, `case_components`: one case.
"""

"""Pages of cases for staff: the queue and the results of a search (`queue`), and one case (`case`)."""

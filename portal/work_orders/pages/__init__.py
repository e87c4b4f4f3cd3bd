"""The list of work orders, the page of one with its status, and the steps of repair, service and claim."""

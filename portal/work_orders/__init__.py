"""Work orders: a customer asks the workshop to repair a bike, to service it, or to handle an insurance claim.

A customer sends one of three requests: repair, service or claim. Each request becomes a work order for one bike. The
customer gets a confirmation by mail with a PDF, and follows the work order on its own page: status, planned day,
service location and messages from the workshop.

The retailer moves a work order from status to status, plans a day, assigns a service location and sends notes. Each
change is recorded in the history. The customer gets a mail about the statuses that matter to them, and about every
note, day or location that is added without a new status. The rules:

- A bike has at most one open work order. The database enforces this.
- A status can only change along the graph of its kind of request.
- The retailer's side computes every price. A service is refused if its price has changed since the customer saw it.
- For a claim, the customer either waits for the insurer's approval, or pays first and is paid back.

Read the package in this order:

- `rules`: which maintenance job a bike needs next, and which jobs a service package makes cheaper.
- `flow`: the questions. `repair`, `service` and `claim` declare one flow each.
- `api`: the operations and their models.
- `provider`: the retailer's side. `queries` reads the database, `handlers` serves the flows and stores a work order,
  `confirmation` makes its confirmation with mail, PDF and calendar file, `backoffice` changes the status, and `service`
  implements the operations.
- `pages`: the list and one request, the status of a bike, and the steps of the flows.

The statuses, their texts and their graphs are in `portal.vocabulary.work_orders`. A request and a work order
are the same record: the customer sends a request, and the workshop handles it as a work order.
"""

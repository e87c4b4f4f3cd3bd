"""The retailer's side of deliveries: operations, status changes by staff, mails and documents."""

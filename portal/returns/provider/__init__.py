"""Returns on the retailer's side: what can be returned, storing a return, its transitions, mails and documents."""

"""Returns on the retailer's side: what can come back, making a return, what happens to it, mails and documents."""

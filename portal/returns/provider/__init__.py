"""Returns on the retailer's side: what can be returned, what a request becomes, how it is told and moved."""

"""The retailer's house: data, rules that decide, mail, documents, jobs. It knows nothing of the portal's pages."""

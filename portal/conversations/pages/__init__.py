"""The customer's side of conversations: messages and the answer form on the page of a request."""

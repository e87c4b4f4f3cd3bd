"""How operations become HTTP: routes, envelope, access, and the layers around every request."""

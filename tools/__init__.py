"""Programs that make committed data. Nothing here is used at run time."""

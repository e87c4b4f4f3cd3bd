"""The HTTP edge of the portal: everything a browser reaches that is not an event of a page."""

"""Files that customers send: received, checked, looked into in a process of their own, stored."""

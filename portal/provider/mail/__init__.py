"""Mail: texts, messages, and how they leave the house."""

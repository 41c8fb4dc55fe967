"""What reports of all languages share: bounds, sections, and how they look as text and HTML."""

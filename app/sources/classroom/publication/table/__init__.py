"""The month's shift table as a picture: what it says (layout), how it is drawn (drawing), and pictures of others."""

"""Stored text made safe and readable: HTML, colours, images, tool calls. Pure; nothing from the request."""

"""Commands about one agent each, as the host of our engine; a module's name is the command's."""

"""What becomes of a message that is kept: broken parts left out, results cut that the window cannot hold."""

"""The audit's pages, their JSON twins and the report as a file."""

"""Writers of conversations: values -> text, or a file of another format. They never see the store."""

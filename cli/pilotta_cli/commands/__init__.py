"""One module a command; each imports the library only once it runs."""

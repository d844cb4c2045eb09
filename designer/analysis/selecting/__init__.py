"""What is meant by what a person types: expressions such as "role:leaf su:2 free>0", and letters of a name."""

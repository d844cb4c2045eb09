"""Two designs that grew from one, made into one: by record and field, with conflicts where they cannot both hold."""

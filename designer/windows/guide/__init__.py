"""Help > Guide: the pages of docs/, their sections, and which of them belongs to what the user is doing."""

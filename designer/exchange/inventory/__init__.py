"""Designs as inventories of what is installed: the files that NetBox imports."""

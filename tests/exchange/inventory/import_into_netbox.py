"""Imports a folder into NetBox by its own forms, in order: run by NetBox's Python as `import_into_netbox.py FOLDER`.

NETBOX_CONFIGURATION names the configuration of an instance that nobody needs: what is in it is deleted first. Prints
what each form said, and how many of each thing there are then, as JSON.
"""

import json
import os
import re
import sys
from pathlib import Path

FORMS = {
    "manufacturers": "dcim/manufacturers",
    "device-types": "dcim/device-types",
    "device-roles": "dcim/device-roles",
    "sites": "dcim/sites",
    "locations": "dcim/locations",
    "racks": "dcim/racks",
    "devices": "dcim/devices",
    "interfaces": "dcim/interfaces",
    "cables": "dcim/cables",
}
COUNTED = ("Cable", "Interface", "Device", "Rack", "Location", "Site", "DeviceRole", "DeviceType", "Manufacturer")


def main(folder):
    """Delete what is there, upload each file, count."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "netbox.settings")
    import django

    django.setup()
    from dcim import models
    from django.contrib.auth import get_user_model
    from django.test import Client

    for name in COUNTED:
        getattr(models, name).objects.all().delete()
    user, _ = get_user_model().objects.get_or_create(username="importer", defaults={"is_superuser": True})
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    said = {}
    for path in sorted(one for one in folder.rglob("*") if one.suffix in (".csv", ".yaml")):
        kind = re.sub(r"^\d+-", "", path.relative_to(folder).parts[0]).removesuffix(".csv")
        asked = {"import_method": "direct", "data": path.read_text(), "csv_delimiter": "auto"}
        asked["format"] = "yaml" if path.suffix == ".yaml" else "csv"
        answer = client.post(f"/{FORMS[kind]}/import/", asked)
        if answer.status_code != 302:  # where all is well it leads to what was imported
            text = re.sub(r"<[^>]*>", " ", answer.content.decode())
            said[path.name] = [line.strip() for line in text.splitlines() if re.search(r"Record|rror", line)][:8]
    print(json.dumps({"refused": said} | {name: getattr(models, name).objects.count() for name in COUNTED}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

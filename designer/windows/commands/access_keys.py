"""Access keys: the underlined letter that picks a row of an open menu.

No two rows of a menu share one while letters last; after that the same letter goes from row to row.
"""

import re
from collections.abc import Sequence

from PySide6.QtWidgets import QMenu

from designer.model.shown_text import in_menu

_MARKED = re.compile(r"&(.)")


def plain(text: str) -> str:
    """The text of an action as it is read: without its mark, and with the ampersands that stand for themselves."""
    return _MARKED.sub(r"\1", text)


def literal(text: str) -> str:
    """A text whose ampersands mark nothing."""
    return in_menu(text)


def give(menu: QMenu) -> None:
    """Mark a letter in every row of a menu that has none yet."""
    actions = [action for action in menu.actions() if not action.isSeparator()]
    for action, text in zip(actions, marked([action.text() for action in actions]), strict=True):
        action.setText(text)


def marked(texts: Sequence[str]) -> list[str]:
    """The texts with an ampersand before the letter that picks each: of a word's beginning first, then any."""
    taken = {found[1].lower() for text in texts if (found := _MARKED.search(text)) and found[1] != "&"}
    done = []
    for text in texts:
        at = None if "&" in text else _letter(text, taken)
        if at is None:
            done.append(text)
        else:
            taken.add(text[at].lower())
            done.append(f"{text[:at]}&{text[at:]}")
    return done


def _letter(text: str, taken: set[str]) -> int | None:
    """The place of the letter to mark: a free one at the beginning of a word, any free one, or the first."""
    places = [at for at, letter in enumerate(text) if letter.isalnum()]
    places.sort(key=lambda at: at > 0 and text[at - 1].isalnum())
    return next((at for at in places if text[at].lower() not in taken), next(iter(places), None))

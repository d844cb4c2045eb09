"""Access keys: the underlined letter that picks a row of an open menu.

No two rows of a menu share one while letters last; after that the same letter goes from row to row.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

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
    """The texts with an ampersand before the letter that picks each: of a word's beginning first, then any.

    A text whose letters are all taken has one of them given up by another that can do with a letter of its own.
    """
    taken = {found[1].lower() for text in texts if (found := _MARKED.search(text)) and found[1] != "&"}
    letters = [[] if "&" in text else [letter for letter in _letters(text) if letter not in taken] for text in texts]
    owner: dict[str, int] = {}

    def find(number: int, tried: set[str]) -> bool:
        for free_only in (True, False):
            for letter in letters[number]:
                if letter in tried or (free_only and letter in owner):
                    continue
                tried.add(letter)
                if letter not in owner or find(owner[letter], tried):
                    owner[letter] = number
                    return True
        return False

    for number in range(len(texts)):
        find(number, set())
    given = {number: letter for letter, number in owner.items()}
    return [
        text if "&" in text else _marked_at(text, given.get(number) or next(iter(_letters(text)), ""))
        for number, text in enumerate(texts)
    ]


@lru_cache(maxsize=1024)  # every window has the same menus
def _letters(text: str) -> dict[str, int]:
    """The letters that could pick a text, in lower case, and where: those at the beginning of words first."""
    places = [at for at, letter in enumerate(text) if letter.isalnum()]
    places.sort(key=lambda at: at > 0 and text[at - 1].isalnum())
    found: dict[str, int] = {}
    for at in places:
        found.setdefault(text[at].lower(), at)
    return found


def _marked_at(text: str, letter: str) -> str:
    at = _letters(text).get(letter)
    return text if at is None else f"{text[:at]}&{text[at:]}"

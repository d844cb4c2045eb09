"""How wide text is, near enough, where no font can be asked: labels fit their boxes in every renderer.

Widths are those of DejaVu Sans, the widest of the usual screen fonts; narrower ones leave air.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

_NARROW = {
    **dict.fromkeys("il|'jI", 0.32),
    **dict.fromkeys('ft()[]{}!,.:;/\\ -`°·"', 0.40),
    **dict.fromkeys("rcksxyvz_?*", 0.57),
    **dict.fromkeys("mWw@%—", 0.98),
    **dict.fromkeys("MOQGDNHU×+=<>~#&", 0.82),
}
_DIGIT_OR_LOWER = 0.635
_UPPER = 0.72
_WIDE = 1.05
_EMOJI = 1.4
_OTHER = 0.95
"""Letters of other alphabets, but for the broad ones."""
_BROAD = "ŒœÆÐЖШЩЮ"
ELLIPSIS = "…"
USUAL_LETTERS_PX = 12
"""How large the letters of a window usually are: all sizes of a drawing in pixels go with these."""


def width_of(text: str, size: float, bold: bool = False) -> float:
    """Width of a line of text at a font size, in the size's own unit; rather too wide than too narrow."""
    return sum(map(_em, text)) * size * (1.1 if bold else 1.0)


def elided(text: str, width: float, size: float, bold: bool = False) -> str:
    """The text, shortened at its end until it fits; "" where not even two letters would."""
    if width_of(text, size, bold) <= width:
        return text
    room = width - width_of(ELLIPSIS, size, bold)
    kept = 0
    for letter in text:
        room -= width_of(letter, size, bold)
        if room < 0:
            break
        kept += 1
    return text[:kept].rstrip() + ELLIPSIS if kept >= 2 else ""


def short_form(name: str) -> str:
    """What tells a name from its like where it has no room: its number, as "12" of "Group 12"; "" where it has none.

    Coordinates, as in "Cube 2-0-1", are one number; a name that is nothing else has no shorter form.
    """
    found = _NUMBER_AT_END.search(name)
    return found[0] if found and found[0] != name else ""


def kind_of_group(name: str) -> str:
    """What a group's name says of its kind: "storage" of "storage group 9"; "" of "Group 9"."""
    return name.removesuffix(short_form(name)).strip().removesuffix("group").removesuffix("Group").strip()


def first_to_last(names: Sequence[str]) -> str:
    """ "Group 1 to Group 9" of names that are numbered one by one, in any order; "" of others."""
    numbered = sorted((int(number), name) for name in names if (number := short_form(name)).isdecimal())
    first = numbered[0][1].removesuffix(str(numbered[0][0])) if numbered else ""
    is_row = [(at, f"{first}{at}") for at in range(1, len(names) + 1)] == numbered
    return f"{numbered[0][1]} to {numbered[-1][1]}" if numbered and is_row else ""


def elisions(name: str) -> tuple[str, ...]:
    """Less of a name's first word, and all from its first number on: "lea…su1-r3"; at last without it: "…su1-r3".

    What tells the name from its like stays; empty where it has no number, or words after it: "Plant 4, training" is no
    fourth of anything. A letter or two of the first word would tell nobody anything.
    """
    found = _FROM_NUMBER.search(name)
    if found is None or _WORDS_AFTER_NUMBER.search(name):
        return ()
    is_whole_word = found.start() > 0  # "1-srv-01" of "pod1-srv-01" would name something else
    found = found if is_whole_word else _FROM_DIGIT.search(name) or found
    head = _SEPARATORS_AT_END.sub("", name[: found.start()])
    forms = (f"{head[:kept]}{ELLIPSIS}{found[0]}" for kept in range(len(head), LEAST_OF_WORD - 1, -1))
    return tuple(
        form for form in (*forms, *([f"{ELLIPSIS}{found[0]}"] if is_whole_word else ())) if len(form) < len(name)
    )


def fitted_label(name: str, width_of: Callable[[str], float], room: float, *, are_alike: bool = True) -> str:
    """The name on a drawing, where its box says what it is: as `fitted_name`, but "su1-r3" without an ellipsis.

    Of a name unlike most others its first word is never left out whole: "n…01" of net-01 among rack-01 and rack-02.
    """
    forms = label_forms(name)
    if forms and not are_alike:
        forms[-1] = f"{name[0]}{ELLIPSIS}{forms[-1].rpartition(ELLIPSIS)[2]}"
    return _fitted(name, forms, width_of, room)


def label_forms(name: str) -> list[str]:
    """Its elisions as a drawing has them, the longest first: the shortest are what tells it apart, as "su1-r3"."""
    return [form.removeprefix(ELLIPSIS) for form in elisions(name)]


def differing_forms(names: Sequence[str]) -> tuple[str, list[str]]:
    """What all names of a row begin with, in whole words, and what is left: "leaf-su1-" of "r1" to "r8".

    No forms where names begin differently, or one is left without a number.
    """
    first, last = min(names, default=""), max(names, default="")  # what these two share, all between them do
    alike = next((at for at, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), len(first))
    begin = first[: max(first.rfind(one, 0, alike) for one in SEPARATORS) + 1]
    forms = [name.removeprefix(begin) for name in names]
    are_told = bool(begin) and len(set(forms)) == len(forms) > 1 and all(any(map(str.isdigit, form)) for form in forms)
    return begin, forms if are_told else []


def row_forms(names: Sequence[str], titles: Iterable[str] = ()) -> Iterator[list[str]]:
    """Shorter and shorter forms of the names of a row of like boxes, which all are written in: "su1-r1", then "r1".

    A number that all have is left out only where one of the titles around the row says it, as "SU 1" does.
    """
    short = ["".join(label_forms(name)[-1:]) for name in names]
    if all(short) and len(set(short)) == len(short) > 1:
        yield short
    begin, forms = differing_forms(names)
    said = {_joined(title) for title in titles}
    if forms and forms != short and all(_joined(word) in said for word in _words_with_number(begin)):
        yield forms


def _words_with_number(text: str) -> list[str]:
    return [word for word in re.split(r"[-_. ]+", text) if any(map(str.isdigit, word))]


def _joined(text: str) -> str:
    """A name in small letters without what separates its words: "su1" of "SU 1"."""
    return re.sub(r"[-_. ]+", "", text).casefold()


def usual_first_word(names: Iterable[str]) -> str:
    """What more than half of the names that have a number begin with, as "rack-" of racks; "" where there is none.

    Next to net-01, 001 still is rack-001.
    """
    heads = Counter(name[: number.start()] for name in names if (number := _FROM_NUMBER.search(name)) is not None)
    word, count = heads.most_common(1)[0] if heads else ("", 0)
    return word if 2 * count > heads.total() else ""


def begins_with(name: str, word: str) -> bool:
    """Whether a name is that word and a number, or has no number."""
    number = _FROM_NUMBER.search(name)
    return number is None or (bool(word) and name[: number.start()] == word)


def fitted_name(name: str, width_of: Callable[[str], float], room: float) -> str:
    """The name, or the longest of its elisions that fits, which shows that it is one; "" where none does.

    A name without a number, or with a long text after it, is elided in its middle, unless a number is lost there; one
    with words after its number is cut by words.
    """
    return _fitted(name, elisions(name), width_of, room)


def _fitted(name: str, forms: Sequence[str], width_of: Callable[[str], float], room: float) -> str:
    if width_of(name) <= room:
        return name
    for form in forms:
        if width_of(form) <= room:
            return form
    if forms and len(forms[-1]) <= LONG_END:
        return ""
    if _WORDS_AFTER_NUMBER.search(name):
        return cut_by_words(name, width_of, room)
    for kept in range(len(name) - 2, LEAST_KEPT - 1, -1):
        first, last = (kept + 1) // 2, len(name) - kept // 2
        form = f"{name[:first].rstrip()}{ELLIPSIS}{name[last:].lstrip()}"
        if width_of(form) <= room:  # "rack1…r3" may be any of a row
            return "" if any(map(str.isdigit, name[first:last])) else form
    return ""


def cut_by_words(text: str, width_of: Callable[[str], float], room: float) -> str:
    """The text, or as many of its first words as fit before an ellipsis; "" where not even the first does.

    What stands around an "x", as "6 x 400G", is one word.
    """
    if width_of(text) <= room:
        return text
    words = _BETWEEN_WORDS.split(text)
    forms = (f"{' '.join(words[:count])}{ELLIPSIS}" for count in range(len(words) - 1, 0, -1))
    return next((form for form in forms if width_of(form) <= room), "")


def model_forms(model: str) -> tuple[str, ...]:
    """What tells a model from its like, shorter and shorter: "H100" of "DGX H100", "7060X6…" of "DCS-7060X6-64PE-F".

    The words before its first number go, unless that is a figure or two, as of "Gaudi 2"; then what stands behind it.
    """
    words = re.findall(r"[^-_ ]+[-_ ]*", model)
    first = next((number for number, word in enumerate(words) if any(map(str.isdigit, word))), len(words))
    rest = "".join(words[first:])
    begins = range(1, first + 1) if _TELLING.match(rest) else ()
    heads = [form for begin in begins if _is_whole(form := "".join(words[begin:]))]
    if _BY.search(model):
        return tuple(heads)
    begin = first if begins else 0
    tails = ("".join(words[begin:last]).rstrip("-_ ,") for last in range(len(words) - 1, first, -1))
    return (*heads, *(f"{form}{ELLIPSIS}" for form in tails if len(form) >= LEAST_KEPT and _is_whole(form)))


def _is_whole(text: str) -> bool:
    """Whether no bracket is torn apart."""
    return text.count("(") == text.count(")")


LEAST_OF_WORD = 3
"""Letters of a first word that tell which it is."""
LEAST_KEPT = 4
"""Letters of a name that tell anything."""
LONG_END = 16
"""More letters from the first number on are hardly a number."""

SEPARATORS = "-_. "
"""Between the words of a name."""
_BETWEEN_WORDS = re.compile(r"(?<! [x×]) (?![x×] )")
_NUMBER_AT_END = re.compile(r"(?:^|(?<= ))\d+(?:-\d+)+$|\d+$")
_FROM_NUMBER = re.compile(r"[^-_. ]*\d.*$", re.DOTALL)
_WORDS_AFTER_NUMBER = re.compile(r"\d.*\s[^\W\d]{3,}$", re.DOTALL)
_FROM_DIGIT = re.compile(r"\d.*$", re.DOTALL)
_BY = re.compile(r" [x×] ")
_TELLING = re.compile(r"[^\W_]{3}|\d+ [x×] ")
_SEPARATORS_AT_END = re.compile(r"[-_. ]+$")


def _em(letter: str) -> float:
    known = _NARROW.get(letter)
    if known is not None:
        return known
    if letter.isascii():
        return _UPPER if letter.isupper() else _DIGIT_OR_LOWER
    category = unicodedata.category(letter)
    if category in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return _EMOJI if category == "So" else _WIDE
    plain = unicodedata.normalize("NFD", letter)[0]
    if plain.isascii():
        return _em(plain)
    return _OTHER if category.startswith("L") and letter not in _BROAD else _WIDE

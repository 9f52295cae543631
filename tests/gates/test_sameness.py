"""What two books share: found whichever way round, and not where there is nothing to be found."""

from __future__ import annotations

from inkos.gates.sameness import Portrait, alike


def book(name: str, **more: object) -> Portrait:
    return Portrait.model_validate({"book": name, "language": "en", "title": name, **more})


def kinds(one: Portrait, other: Portrait) -> list[str]:
    assert [f.kind for f in alike(one, [other])] == [f.kind for f in alike(other, [one])]
    return [found.kind for found in alike(one, [other])]


def test_each_kind_is_found_both_ways() -> None:
    assert kinds(book("The Salt Road"), book("the salt roads")) == ["title"]
    assert kinds(book("A", people=("Ada Pell", "Joss")), book("Zzz", people=("Joss", "Ada Pell"))) == ["people"]
    assert kinds(book("A", people=("Lin Feng", "Bo")), book("Zzz", people=("Lin Feng", "Ann"))) == ["people"]
    first = "Rain had fallen on the harbour for nine days when the bell began to ring."
    assert kinds(book("A", opening=first), book("Zzz", opening=first.replace("nine", "ten"))) == ["opening"]
    assert kinds(book("A", runs=(1, 2, 3, 4)), book("Zzz", runs=(2, 3, 4, 9))) == ["passages"]


def test_chance_is_no_likeness() -> None:
    assert kinds(book("The Salt Road"), book("Iron Winter")) == []
    assert kinds(book("A", people=("Ada", "Bo", "Cy")), book("Zzz", people=("Dan", "Bo", "Eve"))) == []
    assert kinds(book("A", runs=(1, 2)), book("Zzz", runs=(1, 2))) == []
    assert kinds(book("A"), book("Zzz")) == []
    assert alike(book("A"), [book("A")]) == []
    assert kinds(book("长街"), book("寒江")) == []

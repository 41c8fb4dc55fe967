"""Every message stands in a catalogue: codes, gaps, and who makes errors."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.house import Module, modules

from horae.source.messages import Message, ProgramMessage
from horae.source.text import Span

MODULES = modules(Path(__file__).parents[2] / "src")
CODE = re.compile(r"[A-Z]{3}\d{3}")
PLACES = {"place", "row", "time", "labels"}

# They make errors again that travelled as text.
RESTORING = {"horae.source.errors", "horae.spark.failures", "horae.languages.cql.live.gathered"}


def is_catalogue(module: Module) -> bool:
    return module.path.name.startswith("catalogue")


def calls(module: Module) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(module.tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                yield name, node
            case _:
                pass


def messages() -> Iterator[tuple[str, str, Message | ProgramMessage]]:
    """Module, name and message."""
    for module in filter(is_catalogue, MODULES):
        known = {}
        for node in module.tree.body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text))):
                    known[name] = text
                case ast.Assign(
                    targets=[ast.Name(id=name)],
                    value=ast.Call(func=ast.Name(id="Message" | "ProgramMessage" as kind)) as call,
                ):
                    make = {"Message": Message, "ProgramMessage": ProgramMessage}[kind]
                    yield module.name, name, make(*_texts(call, known))
                case _:
                    pass


def _texts(call: ast.Call, known: dict[str, str]) -> Iterator[str]:
    """The code, the text, and other templates in any order."""
    for argument in (*call.args, *(k.value for k in call.keywords if k.arg != "severity")):
        yield known[argument.id] if isinstance(argument, ast.Name) else ast.literal_eval(argument)


ALL = list(messages())


def test_errors_are_made_in_catalogues():
    makers = {
        module.name
        for module in MODULES
        if any(name == "InputError" for name, _ in calls(module)) and not is_catalogue(module)
    }
    assert makers - RESTORING - {"horae.source.messages"} == {
        module.name for module in MODULES if module.name in makers and module.is_reference
    }


def test_a_code_belongs_to_one_catalogue():
    homes: dict[str, set[str]] = {}
    for module in filter(is_catalogue, MODULES):
        for code in re.findall(r'"([A-Z]{3}\d{3})"', module.text):
            homes.setdefault(code, set()).add(module.name)
    assert [sorted(names) for names in homes.values() if len(names) > 1] == []


def test_gaps_are_filled():
    """Every call gives all gaps by name, and nothing else; somebody makes each error."""
    used: defaultdict[str, list[tuple[Module, ast.Call]]] = defaultdict(list)
    for module in MODULES:
        for name, call in calls(module):
            used[name].append((module, call))
    words = {module.name: set(re.findall(r"[A-Z_]{3,}", module.text)) for module in MODULES}
    for home, name, message in ALL:
        assert CODE.fullmatch(message.code)
        for module, call in used[name]:
            if home in {module.name, *module.imports}:
                given = {keyword.arg for keyword in call.keywords} - (PLACES - message.gaps)
                assert given == message.gaps, f"{home}.{name}"
        others = [other for other, known in words.items() if name in known and other != home]
        assert used[name] or others, f"{home}.{name}"


def test_a_message_about_a_program():
    message = ProgramMessage("RTL999", "`{name}` is wrong", caption="{name}", help="mend {name}")
    found = message(Span(1, 3), name="x")
    assert (found.code, found.message, found.caption) == ("RTL999", "`x` is wrong", "x")
    assert (found.span, found.help, found.is_error) == (Span(1, 3), "mend x", True)


def test_a_message():
    message = Message("INP999", "`{name}` has {count:,} rows", "take {name}")
    error = message(name="a", count=1234, row=3)
    assert (error.code, error.message, error.help) == ("INP999", "`a` has 1,234 rows", "take a")
    assert str(error).splitlines()[0] == "INP999: `a` has 1,234 rows (row 3)"
    assert message.gaps == {"name", "count"}

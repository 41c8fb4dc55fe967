"""How the code stands: sizes of files and functions, names with several meanings, imports across.

    python -m tests.house              figures of this tree
    python -m tests.house SRC          of another one, the folder that holds `horae`
    python -m tests.house --names      with the names, and where they are defined

A public name has one meaning if it is defined once, or once per language at the same place in the
folder of each: `languages/lars/report.py` and `languages/cql/report.py` both define `analyze`. Trees as
written (`syntax/tree.py`) and as checked (`program.py`) name the same things. So do:

- faces and languages: `horae.load` loads with the `load` of a language, and `horae check` is the command
  for what each language calls `check`; another word for the user would hide that;
- the formats of tables: one file each, and whoever opens a table finds the function by its one name.

Names *meet* if one reader has both before the eyes: in what is shared, or in one language and what is
shared. Languages do not see each other, and the reference stands alone. What rule languages share
(`rules/`) is not before the eyes of a language that imports nothing of it, as RTLola.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import median, quantiles

LANGUAGES = ("rtlola", "datalogmtl", "lars", "cql")
FACES = ("horae.api", "horae.program")
"""What stands before all languages; besides the commands, `cli/check.py` with its function `check`."""
OPENS = "open_table"
"""What each format of tables defines, and what `data/formats/table_file.py` finds it by."""
SMALL = 40
"""Lines of a file that may be too small to hold an idea."""


@dataclass(frozen=True)
class Module:
    path: Path  # below the folder of the sources
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def name(self) -> str:
        parts = self.path.with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @property
    def lines(self) -> int:
        return self.text.count("\n")

    @property
    def language(self) -> str | None:
        return next((part for part in self.path.parts if part in LANGUAGES), None)

    @property
    def place(self) -> str:
        """Its path without the language; both kinds of trees are at one."""
        path = "/".join(part for part in self.path.parts if part not in LANGUAGES)
        return path.replace("syntax/tree.py", "program.py") if self.language else path

    @property
    def is_rules(self) -> bool:
        """Whether only rule languages share it."""
        return self.path.parts[:2] == ("horae", "rules")

    def is_face(self, name: str) -> bool:
        """Whether it offers for all languages what each calls `name`."""
        return self.name in (*FACES, f"horae.cli.{name}")

    @property
    def is_format(self) -> bool:
        return self.path.parts[:3] == ("horae", "data", "formats")

    @property
    def is_reference(self) -> bool:
        return "reference" in self.path.parts

    @property
    def defined(self) -> Iterator[str]:
        """Public functions, classes and type aliases."""
        for node in self.tree.body:
            match node:
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                    yield name
                case ast.Assign(targets=[ast.Name(id=name)]) if name[:1].isupper():
                    if not name.isupper():
                        yield name

    @property
    def functions(self) -> Iterator[int]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield (node.end_lineno or node.lineno) - node.lineno + 1

    @property
    def imports(self) -> Iterator[str]:
        """Modules, or what is imported from them."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module is not None:
                yield node.module
                yield from (f"{node.module}.{alias.name}" for alias in node.names)


def modules(root: Path) -> list[Module]:
    return [Module(p.relative_to(root), p.read_text("utf-8")) for p in sorted(root.rglob("*.py"))]


def homonyms(found: Iterable[Module]) -> dict[str, list[Module]]:
    """Public names with more than one meaning, and the modules that define them."""
    owners: defaultdict[str, list[Module]] = defaultdict(list)
    for module in found:
        for name in set(module.defined):
            if not name.startswith("_"):
                owners[name].append(module)
    return {name: own for name, own in sorted(owners.items()) if meanings(name, own) > 1}


def meanings(name: str, owners: Iterable[Module]) -> int:
    """One per place; at a place that several languages have, they mean the same."""
    known = list(owners)
    of_languages = any(owner.language for owner in known)
    own = [o for o in known if not (of_languages and o.is_face(name))]
    return len({_meaning(name, owner) for owner in own})


def _meaning(name: str, owner: Module) -> str:
    if owner.language:
        return owner.place
    return "formats of tables" if owner.is_format and name == OPENS else owner.name


def meet(name: str, owners: list[Module], reads_rules: Collection[str]) -> bool:
    """Whether one reader sees several meanings: of a language, or of what is shared."""
    seen = [owner for owner in owners if not owner.is_reference]
    shared = [owner for owner in seen if owner.language is None]
    by_language = (
        [o for o in seen if o.language == own]
        + [o for o in shared if own in reads_rules or not o.is_rules]
        for own in LANGUAGES
    )
    return any(meanings(name, before) > 1 for before in (shared, *by_language))


def readers_of_rules(found: Iterable[Module]) -> set[str]:
    """The languages that import of `rules/`."""
    return {
        module.language
        for module in found
        if module.language and any(target.startswith("horae.rules") for target in module.imports)
    }


def across(found: Iterable[Module]) -> Iterator[tuple[str, str]]:
    """Imports of a module of one language by a module of another."""
    known = {module.name: module for module in found}
    for module in known.values():
        for target in set(module.imports) & known.keys():
            other = known[target].language
            if module.language and other and other != module.language:
                yield module.name, target


def importers(found: list[Module]) -> dict[str, int]:
    """By how many modules each one is imported."""
    counts = {module.name: 0 for module in found}
    for module in found:
        for target in set(module.imports) & counts.keys():
            counts[target] += target != module.name
    return counts


def spread(sizes: Iterable[int]) -> str:
    ordered = sorted(sizes)
    ninth = quantiles(ordered, n=10)[-1]
    return f"median {median(ordered):g}, p90 {ninth:.0f}, largest {ordered[-1]}"


def figures(found: list[Module]) -> Iterator[tuple[str, object]]:
    used = importers(found)
    small = [m for m in found if m.lines < SMALL and m.path.name != "__init__.py"]
    yield "lines", sum(module.lines for module in found)
    yield "files", len(found)
    yield "lines of a file", spread(module.lines for module in found)
    yield "lines of a function", spread(size for module in found for size in module.functions)
    yield f"files under {SMALL} lines", len(small)
    yield "of these with one importer", sum(used[module.name] == 1 for module in small)
    several, readers = homonyms(found), readers_of_rules(found)
    yield "public names with several meanings", len(several)
    yield "of these, names that meet", sum(meet(n, own, readers) for n, own in several.items())
    yield "imports across languages", len(list(across(found)))


def main(arguments: list[str]) -> None:
    paths = [Path(a) for a in arguments if not a.startswith("--")]
    found = modules(paths[0] if paths else Path(__file__).parents[1] / "src")
    for title, figure in figures(found):
        print(f"{title:<36}{figure}")
    if "--names" in arguments:
        readers = readers_of_rules(found)
        for name, owners in homonyms(found).items():
            mark = "!" if meet(name, owners, readers) else " "
            print(f"{mark} {name:<24}{', '.join(owner.name for owner in owners)}")


if __name__ == "__main__":
    main(sys.argv[1:])

"""How deeply an expression is nested. Every later stage walks it recursively, so there is a limit.

A chain of operators of one level, and a ladder of `else if`, may be as long as one likes: they become
one node each (`tree.Chain`, `tree.Conditional`).
"""

from __future__ import annotations

from lark import Token, Tree

DEEPEST = 64

_LEVELS = {
    kind: level
    for level, kinds in enumerate(
        (("OR",), ("AND",), ("PLUS", "MINUS"), ("TIMES", "DIVIDE", "MODULO"))
    )
    for kind in kinds
}


def nesting(root: Tree[Token]) -> int:
    """Levels of the parse tree of a declaration, found without recursion."""
    deepest, todo = 0, [(root, 1)]
    while todo:
        node, depth = todo.pop()
        deepest = max(deepest, depth)
        continued = _continued(node)
        for child in node.children:
            if isinstance(child, Tree):
                todo.append((child, depth if child is continued else depth + 1))
    return deepest


def _continued(node: Tree[Token]) -> object:
    """The child that becomes part of the same node: the chain so far, or the rest of a ladder."""
    if node.data == "conditional":
        rest = node.children[-1]
        return rest if isinstance(rest, Tree) and rest.data == "conditional" else None
    level = _level(node)
    return node.children[0] if level is not None and level == _level(node.children[0]) else None


def _level(node: object) -> int | None:
    """The level of a chain."""
    if not isinstance(node, Tree) or node.data != "binary":
        return None
    operator = node.children[1]
    return _LEVELS.get(operator.type) if isinstance(operator, Token) else None

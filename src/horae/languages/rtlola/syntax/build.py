"""Parse trees of declarations into `tree` nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lark import Token, v_args
from lark.tree import Meta

from horae.data.types import Type
from horae.frontend.lalr import span_in, span_of
from horae.languages.rtlola.syntax import catalogue_syntax as catalogue
from horae.languages.rtlola.syntax import tree
from horae.languages.rtlola.syntax.build_expressions import ExpressionBuilder
from horae.source.text import Span

_SECTION_HELP = {
    "state": "`state` declares the variables with their neutral values: `state: n int = 0`",
    "step": "`step` takes in one more value: `step: n := n + x`",
    "combine": "`combine` joins two states: `combine: n := left.n + right.n`",
    "result": "`result` gives the value of the aggregation: `result: n`",
}


@dataclass(frozen=True, slots=True)
class _Part:
    """A clause of an output or a section of an aggregation; `span` is that of its keyword."""

    name: str
    value: Any
    span: Span


@v_args(meta=True)
class Builder(ExpressionBuilder):
    """One method per rule of the grammar, for the rules of declarations."""

    # --- what declarations are made of

    def type_name(self, meta: Meta, children: list[Any]) -> tree.TypeName:
        return self._type(children[0], span_in(meta))

    def _type(self, token: Token, span: Span) -> tree.TypeName:
        if token.type == "TYPE":
            return tree.TypeName(Type("double" if token == "float" else str(token)), span=span)
        self.diagnostics.append(catalogue.unknown_type(span, str(token)))
        return tree.TypeName(Type.INT, span=span)

    def declared(self, meta: Meta, children: list[Any]) -> tree.Declared:
        type_name, name = children
        return tree.Declared(name, type_name, span=span_in(meta))

    def declared_after(self, meta: Meta, children: list[Any]) -> tree.Declared:
        name, type_name = children
        return tree.Declared(name, type_name, span=span_in(meta))

    def parameters(self, _meta: Meta, children: list[Any]) -> tuple[tree.Declared, ...]:
        return tuple(children)

    def names(self, _meta: Meta, children: list[Any]) -> tuple[tree.Name, ...]:
        return tuple(children)

    # --- frequency, inputs, triggers

    def frequency(self, meta: Meta, children: list[Any]) -> tree.Frequency:
        return tree.Frequency(children[1], span=span_in(meta))

    def input(self, meta: Meta, children: list[Any]) -> tree.Input:
        keyword, streams = children
        return tree.Input(streams, keyword.type == "TIMEINPUT", span=span_in(meta))

    def streams_of_type(self, _meta: Meta, children: list[Any]) -> tuple[tree.Declared, ...]:
        type_name, *names = children
        first, *others = names
        head = tree.Declared(first, type_name, span=type_name.span.to(first.span))
        return (head, *(tree.Declared(name, type_name, span=name.span) for name in others))

    def typed_streams(self, _meta: Meta, children: list[Any]) -> tuple[tree.Declared, ...]:
        pairs = zip(children[::2], children[1::2], strict=True)
        return tuple(tree.Declared(n, t, span=n.span.to(t.span)) for n, t in pairs)

    def trigger(self, meta: Meta, children: list[Any]) -> tree.Trigger:
        conditions = children[1:]
        message = None
        if isinstance(conditions[-1], Token):
            message = self.text_of(conditions.pop())
        return tree.Trigger(tuple(conditions), message, span=span_in(meta))

    # --- outputs

    def output_head(self, _meta: Meta, children: list[Any]) -> _Part:
        *type_name, name = children
        return _Part("head", (name, type_name[0] if type_name else None), name.span)

    def output_head_typed_after(self, _meta: Meta, children: list[Any]) -> _Part:
        return _Part("head", tuple(children), children[0].span)

    def invoke(self, _meta: Meta, children: list[Any]) -> _Part:
        return self._part(children)

    def extend(self, _meta: Meta, children: list[Any]) -> _Part:
        return self._part(children)

    def terminate(self, _meta: Meta, children: list[Any]) -> _Part:
        return self._part(children)

    def _part(self, children: list[Any]) -> _Part:
        keyword, value = children
        return _Part(str(keyword), value, span_of(keyword))

    def output(self, meta: Meta, children: list[Any]) -> tree.Output:
        _, head, *middle, _, expression = children
        name, type_name = head.value
        parameters = middle.pop(0) if middle and isinstance(middle[0], tuple) else ()
        clauses = self._each_once("clause", middle)
        return tree.Output(
            name,
            type_name,
            parameters,
            clauses.get("invoke", ()),
            clauses.get("extend"),
            clauses.get("terminate"),
            expression,
            span=span_in(meta),
        )

    def _each_once(self, kind: str, parts: list[_Part]) -> dict[str, Any]:
        """The values by name; a part that is given twice is reported."""
        first: dict[str, _Part] = {}
        for part in parts:
            if part.name in first:
                place = first[part.name].span
                self.diagnostics.append(catalogue.repeated_part(kind, part.name, part.span, place))
            first.setdefault(part.name, part)
        return {name: part.value for name, part in first.items()}

    # --- aggregations

    def declared_state(self, meta: Meta, children: list[Any]) -> tree.Declared:
        return self.declared(meta, children)

    def declared_state_after(self, meta: Meta, children: list[Any]) -> tree.Declared:
        name, type_token = children
        type_name = self._type(type_token, span_of(type_token))
        named = tree.Name(str(name), span=span_of(name))
        return tree.Declared(named, type_name, span=span_in(meta))

    def declared_state_after_colon(self, meta: Meta, children: list[Any]) -> tree.Declared:
        return self.declared_after(meta, children)

    def state_variable(self, meta: Meta, children: list[Any]) -> tree.StateVariable:
        declared, _, initial = children
        return tree.StateVariable(declared.name, declared.type, initial, span=span_in(meta))

    def assignment(self, meta: Meta, children: list[Any]) -> tree.Assignment:
        name, _, expression = children
        return tree.Assignment(name, expression, span=span_in(meta))

    def assignments(self, _meta: Meta, children: list[Any]) -> tuple[tree.Assignment, ...]:
        return tuple(children)

    def state(self, _meta: Meta, children: list[Any]) -> _Part:
        keyword, *variables = children
        return _Part("state", tuple(variables), span_of(keyword))

    def step(self, _meta: Meta, children: list[Any]) -> _Part:
        return self._part(children)

    def combine(self, _meta: Meta, children: list[Any]) -> _Part:
        return self._part(children)

    def inverse(self, _meta: Meta, children: list[Any]) -> _Part:
        return self._part(children)

    def result(self, _meta: Meta, children: list[Any]) -> _Part:
        return self._part(children)

    def sections(self, _meta: Meta, children: list[Any]) -> dict[str, Any]:
        return self._each_once("section", children)

    def aggregation(self, meta: Meta, children: list[Any]) -> tree.Aggregation:
        _, name, argument, _, result_type, sections = children
        self._require_sections(name, sections)
        return tree.Aggregation(
            name,
            argument,
            result_type,
            sections.get("state", ()),
            sections.get("step", ()),
            sections.get("combine", ()),
            sections.get("inverse", ()),
            sections.get("result", tree.Literal(Type.INT, 0, span=name.span)),
            span=span_in(meta),
        )

    def _require_sections(self, name: tree.Name, sections: dict[str, Any]) -> None:
        for section, help in _SECTION_HELP.items():
            if section not in sections:
                self.diagnostics.append(
                    catalogue.missing_section(name.span, name.name, section, help)
                )

"""The checks: what is refused and why, what is allowed, and what only looks wrong."""

from __future__ import annotations

import pytest
from tests.languages.lars.checking import accepted, refused, warned

from horae.languages.lars.check import window_functions
from horae.languages.lars.check.check import load
from horae.source.text import Source

# --- the program


def test_a_checked_program() -> None:
    program = accepted("""\
        rel(L,X) :- line(ID,L), win[10] <> tram(ID,X).
        @T exp(L) :- rel(L,_), @T1 tram(L,_), T = T1 + 3.
        a or b :- rel(_,_).
        line(a1,l1). tram(a1,p1)@36.
    """)
    assert program.derived == {"rel", "exp", "a", "b"}
    assert program.queries == ("rel", "exp", "a", "b")
    assert program.arities == {"rel": 2, "line": 2, "tram": 2, "exp": 1, "a": 0, "b": 0}
    assert len(program.rules) == 3
    assert len(program.facts) == 2


def test_queries_select_what_is_answered() -> None:
    program = accepted("a :- b. c :- a. ?- c, b. ?- c.")
    assert program.queries == ("c", "b")


def test_an_empty_program() -> None:
    assert accepted("").rules == ()


# --- safety


@pytest.mark.parametrize(
    "rule",
    [
        # an atom binds below `and`, `<>`, `[]`, `@` and windows
        "p(X) :- q(X).",
        "p(X) :- win[5] <> q(X).",
        "p(X) :- win[5] [] q(X).",
        "p(X) :- @3 q(X).",
        "p(X) :- win1[#3] (a and (b and q(X))).",
        "p(X) :- win[5] <> win1[2] [] @4 q(X).",
        # `[]` binds where its timeline cannot be empty
        "p(X) :- [] q(X).",
        "p(X) :- win[0,0,3] [] q(X).",
        "p(X) :- win[3] win[0,2,3] [] q(X).",
        "p(X) :- win[#3] win[a(Y) by Y #1] [] q(X).",
        "p(X) :- win[0,0,2] win1[0,0,3] [] q(X).",
        "p(X) :- win[0,0,2] <> win[3] [] q(X).",
        "p(X) :- r(X), win[0,0,2] win[0,0,3] [] q(X).",
        "p(X) :- n(N), win[N,0,N] [] q(X).",
        "p(X) :- win[0,0,2] win[0,0,3] @T [] q(X), n(T).",
        # `@T f` binds T if f is an atom, or an `and` with one
        "p(T) :- @T q.",
        "p(T) :- @T (q and not r).",
        "p(T) :- @T (not r, (q, not s)).",
        "@T p :- q(T).",
        "p(T) :- @T <> q, r(T).",
        # `or` binds what all its operands bind
        "p(X) :- q(X) or r(X).",
        "p(X) :- (q(X) and s) or win[3] <> r(X).",
        "p(X) :- q(X) or X = 3.",
        # `X = e` binds X where the variables of e are bound, in any order
        "p(X) :- X = 3.",
        "p(Z) :- Z = Y + 1, Y = X * X, q(X).",
        "p(Z) :- q(X), X + 1 = Z.",
        "p(Z) :- win[5] <> (q(X) and Z = X).",
        "@T p :- @T1 q(Z), T = T1 + Z.",
        # what is bound elsewhere may stand anywhere
        "p(X) :- q(X), not r(X), X > 3, s(X) -> t(X).",
        "p(X) :- not win[5] <> q(X), r(X).",
        "p :- q(N), win[N, N * 2] <> r.",
        "win[N] <> p :- q(N).",
        ":- q(X), not r(X).",
        "p :- win[q(X,_) by X #1] <> q(_,_).",  # the variables of a pattern are the window's own
        "p(X) or q(X) -> r(X) :- s(X).",
        "p :- q(_).",
    ],
)
def test_safe(rule: str) -> None:
    accepted(rule)


@pytest.mark.parametrize(
    ("rule", "message", "note"),
    [
        ("p(«X») :- q.", "`X` of the head", ""),
        ("@«T» p :- q.", "`T` of the head", ""),
        ("win[«N»] <> p :- q.", "`N` of the head", ""),
        ("p(«X») :- not q(X).", "`X` of the head", "`not` binds nothing"),
        ("p :- q(Y), r(Y), not s(«X»).", "`X` below `not`", "`not` binds nothing"),
        ("p :- not not q(«X»).", "below `not`", "`not` binds nothing"),
        ("p :- q(«X») -> r(X).", "in an implication", "`->`"),
        ("p :- a -> r(«X»).", "in an implication", "`->`"),
        ("p :- q or r(«X»).", "of an `or`", "all its operands bind"),
        ("p(«X») :- q or r(X).", "of the head", "all its operands bind"),
        ("p :- 3 < «X».", "in a comparison", "`X = e` binds X"),
        ("p :- «X» = X.", "in a comparison", "`X = e` binds X"),
        ("p :- «X» = X + 1.", "in a comparison", "`X = e` binds X"),
        ("p :- «X» + 1 = 3.", "in a comparison", "`X = e` binds X"),
        ("p(«X») :- X != 3.", "of the head", "`X = e` binds X"),
        ("p(«T») :- @T <> q.", "of the head", "where f is an atom"),
        ("p :- @«T» win[5] q, not r(T).", "behind `@`", "where f is an atom"),
        ("p :- @«T» (q or r), T > 3.", "behind `@`", "where f is an atom"),
        ("p :- @«T» not q, T > 3.", "behind `@`", "where f is an atom"),
        ("p :- win[«N»] <> q, N > 3.", "in the size of a window", "before anything inside"),
        ("p :- win[«N»] <> q(N).", "in the size of a window", "before anything inside"),
        ("p :- win[#«N»] <> q(N).", "in the size of a window", "before anything inside"),
        ("p :- win[q(_) #«N»] <> q(N).", "in the size of a window", "before anything inside"),
        ("p :- win[session «N»] <> q(N).", "in the size of a window", "before anything inside"),
        (":- not p(«X»).", "below `not`", "`not` binds nothing"),
        # at 3 the windows [2,2] and [3,3] have nothing in common: by Def. 7 `[]` is true for all X
        ("u :- win[0,0,2] win[0,0,3] [] e(«X»).", "below `[]`", "no time point"),
        ("u(«X») :- win[0,0,2] win[5] [] e(X).", "of the head", "no time point"),
        ("u(«X») :- n(N), win[1] win[0,0,N] [] e(X).", "of the head", "no time point"),
        ("u(«X») :- win[session 3] [] e(X).", "of the head", "no time point"),
        ("p(«X»).", "there is no body", ""),
        ("@3 p(«X»).", "there is no body", ""),
    ],
)
def test_unsafe(rule: str, message: str, note: str) -> None:
    diagnostic = refused(rule)
    assert diagnostic.code == "LRS020"
    assert message in diagnostic.message
    assert note in diagnostic.note


def test_the_variable_of_a_pattern_binds_nothing() -> None:
    diagnostic = refused("p(«X») :- win[q(X) #1] <> q(_).")
    assert diagnostic.code == "LRS020"


def test_a_window_without_a_size_hides_nothing_inside_of_it() -> None:
    assert refused("p(X) :- win[«N»] <> q(X,N).").code == "LRS020"


def test_windows_that_wait_for_each_other_bind_nothing() -> None:
    _, report = load(Source("t", "p :- win[N] <> q(M), win[M] <> q(N)."))
    assert [d.code for d in report] == ["LRS020", "LRS020"]


def test_an_unnamed_variable_below_not() -> None:
    diagnostic = refused("p(X) :- q(X), not r(X,«_»).")
    assert "`_`" in diagnostic.message
    assert "`not any_p(X)`" in diagnostic.help


def test_each_variable_is_reported_once() -> None:
    _, report = load(Source("t", "p(X,Y,X) :- not q(X,Y)."))
    assert [d.message for d in report] == [
        "no value is known for `X` of the head",
        "no value is known for `Y` of the head",
    ]


# --- arities and queries


@pytest.mark.parametrize(
    "text",
    [
        "p(X) :- q(X), «p(X,X)».",
        "q(a). p(X) :- q(X), not «q(X,X)».",
        "p :- q(_,_), win[«q(X)» by X #1] a.",
        "@3 q(a). p :- «q».",
    ],
)
def test_arities(text: str) -> None:
    assert refused(text).code == "LRS021"


def test_unknown_query() -> None:
    diagnostic = refused("delayed(X) :- b(X). ?- «delyed».")
    assert diagnostic.code == "LRS022"
    assert diagnostic.help == "did you mean `delayed`?"


# --- heads


@pytest.mark.parametrize(
    "head",
    [
        "a or b",
        "a and not b",
        "a -> b",
        "win[5] <> a",
        "win[inf] [] a",  # from 0 to now
        "win[+5] (<> a or [] b)",
        "win[5,5,2] @3 [] a",
        "win[5] win[inf,inf] <> a",  # within the five
        "win[5,inf] win[3] <> a",
        "win[5,inf] a",  # a plain atom is at one time point
        "win1[2] <> win[3] [] a",
    ],
)
def test_heads(head: str) -> None:
    accepted(f"{head} :- c.")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("«X > 3» :- c(X).", "LRS030"),
        ("a or «X = 3» :- c(X).", "LRS030"),
        ("«<> a» :- c.", "LRS031"),
        ("@3 «[] a» :- c.", "LRS031"),
        ("win[5,inf] «<> a» :- c.", "LRS031"),
        ("win[inf,inf] «[] a» :- c.", "LRS031"),
        ("win[5] win1[5,inf] «[] a» :- c.", "LRS031"),
        ("win[«#3»] a :- c.", "LRS032"),
        ("win[«c #3»] <> a :- c.", "LRS032"),
        ("win[«session 3»] <> a :- c.", "LRS032"),
    ],
)
def test_wrong_heads(text: str, code: str) -> None:
    assert refused(text).code == code


# --- windows


@pytest.mark.parametrize(
    ("text", "code", "help"),
    [
        ("a :- win[«1.5»] b.", "LRS040", "smaller units"),
        ("a :- win[«1/3»] b.", "LRS040", "smaller units"),
        ("a :- win[«-1»] b.", "LRS040", "`win[+5]`"),
        ("a :- win[«2 - 5»] b.", "LRS040", "`win[+5]`"),
        ("a :- win[5, «0 - 1»] b.", "LRS040", "`win[+5]`"),
        ("a :- win[5,0,«0»] b.", "LRS040", "step of 1"),
        ("a :- win[5,0,«1/2»] b.", "LRS040", "smaller units"),
        ('a :- win[«"x"»] b.', "LRS040", "a number"),
        ("a :- win[«5 / 0»] b.", "LRS040", "a number"),
        ("a :- win[#«1.5»] b.", "LRS040", ""),
        ("a :- win[#3,«-2»] b.", "LRS040", "`win[#+5]`"),
        ("a :- win[b #«-2»] b.", "LRS040", ""),
        ("a :- win[b(X,_) by «Y» #3] b(_,_).", "LRS041", "by Y"),
        ("a :- win[b(X,_) by X,«Z» #3] b(_,_).", "LRS041", "by Z"),
        ("a :- win[«sesion 5»] b.", "LRS042", "`session`"),
        ("a :- win[«b(c)»] b(_).", "LRS042", "`#`"),
        ("a :- win[«session»] b.", "LRS043", "`win[session gap]`"),
        ("a :- win[«session 1, 2»] b.", "LRS043", "`win[session gap]`"),
        ("a :- @«-1» b.", "LRS044", "`@5 p(X)`"),
        ("a :- @«1/2» b.", "LRS044", "`@5 p(X)`"),
        ("@«x» a :- b.", "LRS044", "`@5 p(X)`"),
    ],
)
def test_wrong_windows(text: str, code: str, help: str) -> None:
    diagnostic = refused(text)
    assert diagnostic.code == code
    assert help in diagnostic.help


@pytest.mark.parametrize(
    "window",
    ["0", "inf", "+inf", "inf,inf,3", "2 * 3", "6/3", "5 min", "#0", "b #0,1", "session 1/2"],
)
def test_right_windows(window: str) -> None:
    accepted(f"a :- win[{window}] <> b.")


def test_registered_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window_functions, "_REGISTRY", {})
    window_functions.register_window(
        "even", lambda _stream, time: window_functions.Substream(time, time), parameters=()
    )
    accepted("a :- win[even] <> b.")
    assert refused("a :- win[«even 3»] <> b.").help == "write `win[even]`"


# --- facts


def test_facts_at_times_are_about_input() -> None:
    diagnostic = refused("a(X) :- b(X). «a»(c)@3.")
    assert diagnostic.code == "LRS050"
    assert refused("a or c :- b. «c»@[1,2].").code == "LRS050"


def test_background_data_may_be_about_any_predicate() -> None:
    accepted("a(X) :- b(X). a(c).")


# --- warnings


@pytest.mark.parametrize(
    "text",
    [
        "a :- b(«X»).",
        "a :- @«T» b.",
        "a :- b(X), c(X), win[b(Y) by Y #1] <> b(«Y»).",
    ],
)
def test_a_variable_that_occurs_once(text: str) -> None:
    assert warned(text).code == "LRS090"


@pytest.mark.parametrize("text", ["a :- b(_).", "a :- b(_x).", "a :- @_ b.", "a(X) :- b(X)."])
def test_a_variable_that_need_not_occur_twice(text: str) -> None:
    accepted(text)


def test_names_that_are_a_letter_off() -> None:
    diagnostic = warned("delayed(X) :- b(X). c(X) :- b(X), «delayd»(X).")
    assert (diagnostic.code, diagnostic.help) == ("LRS091", "did you mean `delayed`?")
    accepted("tram1(X) :- b(X). c(X) :- tram2(X), tram1(X).")


def test_what_no_query_needs() -> None:
    assert warned("a :- b. «c» :- b. ?- a.").code == "LRS092"
    assert warned("a :- b. «c»(d).").code == "LRS093"


@pytest.mark.parametrize(
    "text",
    [
        "a :- b. c :- b. :- c. ?- a.",  # a constraint needs it
        "a or c :- b. ?- a.",  # decides with a
        "a :- b. c :- d, not c. ?- a.",  # without an answer for c there is none for a
        "a :- win[c(_) #3] b. c(d)@1.",
    ],
)
def test_what_is_needed_on_the_way(text: str) -> None:
    accepted(text)


@pytest.mark.parametrize(
    "text",
    [
        "a :- win[#3] <> «b». b :- c.",
        "a :- win[c #3] win[2] «b». b :- c.",
        "a :- win[«b» #3] <> c. b :- c.",
    ],
)
def test_derived_atoms_are_not_counted(text: str) -> None:
    assert warned(text).code == "LRS094"


@pytest.mark.parametrize(
    "text",
    [
        "a :- win[#3] win1[2] b. b :- c.",
        "a :- win[#3] b. b :- c. b.",  # background data
        "a :- win[3] b. b :- c.",
    ],
)
def test_derived_atoms_that_can_be_seen(text: str) -> None:
    accepted(text)


def test_one_run_reports_all() -> None:
    text = "a(X) :- not b(X). c :- win[1.5] d. ?- e. f(Y) :- g(Y), a(Y,Y)."
    _, report = load(Source("t", text))
    assert [d.code for d in report] == ["LRS020", "LRS040", "LRS022", "LRS021"]

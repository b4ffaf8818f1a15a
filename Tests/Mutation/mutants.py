"""Finds the places of a Swift file that can be changed, and writes changes that a number switches on.

Expressions are not parsed: only a token changes. `a < b` becomes `a <X b`, where X is the mutant's number in combining
characters, which Swift allows in operators; `<X` has the precedence of `<` and evaluates `a <= b` if its number is the
active one. `5` becomes `mutant(X, 5, 6)`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

COMPARABLE = ["<T: Comparable>(a: T, b: T) -> Bool"]
EQUATABLE = ["<T: Equatable>(a: T, b: T) -> Bool", "<T>(a: T?, b: _OptionalNilComparisonType) -> Bool"]
SUM = ["<T: AdditiveArithmetic>(a: T, b: T) -> T"]
SUM_OR_TEXT = [*SUM, "<T: RangeReplaceableCollection>(a: T, b: T) -> T"]
ASSIGNED = ["<T: AdditiveArithmetic>(a: inout T, b: T)"]
PRODUCT = ["<T: Numeric>(a: T, b: T) -> T"]
QUOTIENT = ["<T: BinaryInteger>(a: T, b: T) -> T", "<T: FloatingPoint>(a: T, b: T) -> T"]
INTEGERS = ["<T: BinaryInteger>(a: T, b: T) -> T"]
WRAPPING = ["<T: FixedWidthInteger>(a: T, b: T) -> T"]
SHIFT = ["<T: BinaryInteger, U: BinaryInteger>(a: T, b: U) -> T"]
LOGICAL = ["(a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool"]
DEFAULT = [f"<T>(a: T?, b: @autoclosure () throws -> {result}) rethrows -> {result}" for result in ("T", "T?")]
BOUNDED = ["<T: FixedWidthInteger>(a: T, b: T) -> Range<T>", "<T: FixedWidthInteger>(a: T, b: T) -> ClosedRange<T>"]
# The precedence group of each operator, what it becomes, and its declarations.
OPERATORS = {
    "<": ("Comparison", "a <= b", COMPARABLE), "<=": ("Comparison", "a < b", COMPARABLE),
    ">": ("Comparison", "a >= b", COMPARABLE), ">=": ("Comparison", "a > b", COMPARABLE),
    "==": ("Comparison", "a != b", EQUATABLE), "!=": ("Comparison", "a == b", EQUATABLE),
    "&&": ("LogicalConjunction", "try a || b()", LOGICAL), "||": ("LogicalDisjunction", "try a && b()", LOGICAL),
    "??": ("NilCoalescing", "try b()", DEFAULT),
    "+": ("Addition", "a - b", SUM_OR_TEXT), "-": ("Addition", "a + b", SUM),
    "*": ("Multiplication", "a + b", PRODUCT), "/": ("Multiplication", "a * b", QUOTIENT),
    "%": ("Multiplication", "a / b", INTEGERS),
    "+=": ("Assignment", "a -= b", ASSIGNED), "-=": ("Assignment", "a += b", ASSIGNED),
    "&+": ("Addition", "a &- b", WRAPPING), "&-": ("Addition", "a &+ b", WRAPPING),
    "&*": ("Multiplication", "a &+ b", WRAPPING),
    "&": ("Multiplication", "a | b", INTEGERS), "|": ("Addition", "a & b", INTEGERS),
    "^": ("Addition", "a | b", INTEGERS),
    "<<": ("BitwiseShift", "a >> b", SHIFT), ">>": ("BitwiseShift", "a << b", SHIFT),
    "..<": ("RangeFormation", "a ..< (a < b ? b - 1 : b)", BOUNDED[:1]),
    "...": ("RangeFormation", "a ... (a < b ? b - 1 : b)", BOUNDED[1:]),
}
# What each target declares once. `-` is what `+` of texts and arrays becomes.
COMMON = """\
import Glibc

public let activeMutant = getenv("SPRINGBAR_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0
public func mutant<T>(_ number: Int, _ a: T, _ b: T) -> T { activeMutant == number ? b : a }
public func mutant_min<T: Comparable>(_ number: Int, _ a: T, _ b: T) -> T { (activeMutant == number ? max : min)(a, b) }
public func mutant_max<T: Comparable>(_ number: Int, _ a: T, _ b: T) -> T { (activeMutant == number ? min : max)(a, b) }
private func - <T: RangeReplaceableCollection>(a: T, b: T) -> T { a }
"""
TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/|\#if.*?\n\s*\#endif|(?P<fence>\#+)".*?"(?P=fence))
      | (?P<quote>\"{3}|")
      | (?P<number>0x[0-9A-Fa-f_]+|0b[01_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][-+]?\d+)?)
      | (?P<word>@?[A-Za-z_$`][\w$`]*)
      | (?P<operator>\.\.[.<]|[-=+!*%<>&|^~/?]+)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
CONDITION = re.compile(r"(?:if|guard|while) (?!.*\b(?:let|var|case|true|await)\b)([^\n,{}\"#]+?)(?: else)? \{")
# Calls with arguments that are no behaviour.
UNCHANGED_CALLS = {"precondition", "preconditionFailure", "assert", "fatalError"}


@dataclass
class Mutant:
    """A change of the text `before`; `form` is what the file has instead, with # for the mutant's number."""

    path: str
    line: int
    start: int
    before: str
    after: str
    form: str = ""
    number: int = 0

    @property
    def target(self) -> str:
        return self.path.split("/")[1]

    @property
    def text(self) -> str:
        digits = "".join(chr(0x300 + int(digit)) for digit in str(self.number))
        return self.form.replace("#", str(self.number)) if self.form else self.before + digits

    @property
    def declaration(self) -> str:
        """The declaration of the mutant's own operator."""
        if self.form:
            return ""
        precedence, changed, signatures = OPERATORS[self.before]
        plain = f"try a {self.before} b()" if "try" in changed else f"a {self.before} b"
        body = f"{{ if activeMutant == {self.number} {{ return {changed} }}; return {plain} }}"
        return f"infix operator {self.text}: {precedence}Precedence\n" + "\n".join(
            f"public func {self.text} {signature} {body}" for signature in signatures
        )


def mutants(path: str, text: str) -> Iterator[Mutant]:
    """Yields all changes of a file, without numbers."""
    word = ""  # The token before, if it is a word.
    position, line = 0, 1
    while position < len(text):
        token = TOKEN.match(text, position)
        assert token is not None
        start, value = position, token[0]
        position = end_of(text, token)
        if value[0] != "@" and value not in UNCHANGED_CALLS and word != "func":
            for before, *change in changes(text, start, token.lastgroup, value, word):
                yield Mutant(path, line, text.index(before, start), before, *change)
        if token.lastgroup != "space":
            word = value if token.lastgroup == "word" else ""
        line += text.count("\n", start, position)


def changes(text: str, start: int, kind: str | None, value: str, word: str) -> Iterator[tuple[str, ...]]:
    """Yields the changes of a token: the text that changes, what it becomes, and its form."""
    left, right = text[start - 1 : start], text[start + len(value) :][:1]
    beginning = text[text.rfind("\n", 0, start) + 1 : start]
    # No part of a tuple, and no raw value.
    if kind == "number" and not re.search(r"[^.]\.$|^\s*case \w+ = -?$", beginning):
        yield value, larger(value), f"mutant(#, {value}, {larger(value)})"
    elif value in ("true", "false") and word != "while":
        other = "false" if value == "true" else "true"
        yield value, other, f"mutant(#, {value}, {other})"
    elif value in ("min", "max") and right == "(" and left != ".":
        yield value + "(", "max(" if value == "min" else "min(", f"mutant_{value}(#, "
    elif value in ("if", "guard", "while") and (found := CONDITION.match(text, start)):
        yield found[1], f"!({found[1]})", f"mutant(#, true, false) == ({found[1]})"
    elif value == "!" and re.match(r"[\s(\[]", left) and re.match(r"[\w(.]", right):
        yield value, "nothing", "mutant(#, true, false) != "
    elif value in OPERATORS and (left.isspace() and right.isspace() or ".." in value and re.match(r"[\w)\]]", left)):
        # No composition of protocols, and no requirement of a generic type.
        if not re.match(r"& [A-Z]", text[start:]) and not (value == "==" and re.search(r"\bwhere [A-Z]", beginning)):
            yield value, OPERATORS[value][1].removeprefix("try ")


def larger(number: str) -> str:
    """Returns another number: twice a fraction, one more than an integer, or one less if all its bits are set."""
    digits = number.replace("_", "")
    if re.fullmatch(r"\d+|0x.*|0b.*", digits):
        value = int(digits, 0) if digits[1:2] in ("x", "b") else int(digits)
        return str(value - 1 if value > 100 and value & (value + 1) == 0 else value + 1)
    return "1.0" if float(digits) == 0 else f"{number} * 2"


def end_of(text: str, token: re.Match[str]) -> int:
    """Returns the offset after a token: with the rest of a string, or the arguments that must not change."""
    position, value = token.end(), token[0]
    if token.lastgroup == "quote":
        while not text.startswith(value, position):
            if text.startswith("\\(", position):
                position = end_of_parentheses(text, position + 2)
            else:
                position += 2 if text[position] == "\\" else 1
        return position + len(value)
    if text.startswith("(", position) and (value[0] == "@" or value in UNCHANGED_CALLS):
        return end_of_parentheses(text, position + 1)
    return position


def end_of_parentheses(text: str, position: int) -> int:
    """Returns the offset after the parenthesis that closes the one before `position`."""
    while text[position] != ")":
        token = TOKEN.match(text, position)
        assert token is not None
        position = end_of_parentheses(text, position + 1) if token[0] == "(" else end_of(text, token)
    return position + 1


def written(text: str, found: list[Mutant]) -> str:
    """Returns a file's text with all its mutants, on the same lines as before."""
    for mutant in sorted(found, key=lambda mutant: -mutant.start):
        text = text[: mutant.start] + mutant.text + text[mutant.start + len(mutant.before) :]
    return text

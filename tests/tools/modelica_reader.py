"""Reads texts of Modelica by the grammar of its Language Specification 3.5, appendix A, as far as exports of elasto use it:
classes, components with modifications, equations, expressions, annotations."""

import re

TOKEN = re.compile(r"""\s+|//[^\n]*|(?P<string>"(?:[^"\\]|\\.)*")|(?P<number>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)
                       |(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<sign><=|>=|<>|==|:=|[-+*/^()\[\]{},;:=<>.])""", re.X)
KEYWORDS = set("""algorithm and annotation block break class connect connector constant der discrete each else elseif
    encapsulated end equation extends false final flow for function if import in initial inner input loop model not or outer
    output package parameter partial protected public record redeclare replaceable return then true type when while
    within""".split())


class Component:
    """A declaration: what it is, and what it sets. `modifiers` are values as text, or dictionaries of them."""

    def __init__(self, prefixes, kind, name, size, modifiers, value, placed):
        self.prefixes, self.kind, self.name, self.size = prefixes, kind, name, size
        self.modifiers, self.value, self.placed = modifiers, value, placed


class Class:
    """`equations` are pairs: the text of their left side, and of the number of times that they stand there (loops)."""

    def __init__(self, kind, name):
        self.kind, self.name, self.extends = kind, name, []
        self.classes, self.components, self.connections, self.equations, self.annotations = {}, [], [], [], []


class Text:
    """Tokens of a text, and the rules of the grammar."""

    def __init__(self, text):
        self.tokens, place = [], 0
        while place < len(text):
            match = TOKEN.match(text, place)
            assert match, f"no token: {text[place:place + 40]!r}"
            if match.lastgroup:
                kind = "keyword" if match.lastgroup == "name" and match.group() in KEYWORDS else match.lastgroup
                self.tokens.append((kind, match.group()))
            place = match.end()
        self.at = 0

    def next(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def take(self, word=None, kind=None):
        found = self.next()
        around = " ".join(t for _, t in self.tokens[max(0, self.at - 8):self.at + 3])
        assert word is None or found[1] == word, f"expected {word!r}, found {found[1]!r} in: {around}"
        assert kind is None or found[0] == kind, f"expected a {kind}, found {found[1]!r} in: {around}"
        self.at += 1
        return found[1]

    def has(self, *words):
        if self.next()[1] in words:
            self.at += 1
            return True
        return False

    def comment(self):
        if self.next()[0] == "string":
            self.take()

    def dotted(self):
        name = self.take(kind="name")
        while self.has("."):
            name += "." + self.take(kind="name")
        return name

    def text_since(self, place):
        return " ".join(t for _, t in self.tokens[place:self.at])

    def a_class(self):
        kind = self.take()
        assert kind in ("package", "model"), kind
        name = self.take(kind="name")
        self.comment()
        found = Class(kind, name)
        while self.next()[1] != "end":
            word = self.next()[1]
            if word in ("package", "model"):
                inner = self.a_class()
                assert inner.name not in found.classes
                found.classes[inner.name] = inner
            elif word == "extends":
                self.take()
                found.extends.append(self.dotted())
                self.take(";")
            elif word == "import":
                self.take()
                self.dotted()
                self.take(";")
            elif word in ("protected", "public"):
                self.take()
            elif word == "annotation":
                found.annotations += self.annotation()
                self.take(";")
            elif word == "equation":
                self.take()
                while self.next()[1] not in ("end", "annotation"):
                    self.equation(found)
            else:
                found.components += self.declaration()
        self.take("end")
        assert self.take(kind="name") == name
        self.take(";")
        return found

    def annotation(self):
        """-> names of what it has"""
        self.take("annotation")
        return list(self.modification())

    def declaration(self):
        prefixes, found = [], []
        while self.next()[1] in ("parameter", "final", "inner", "constant", "discrete", "input"):
            prefixes.append(self.take())
        kind = self.dotted()
        while True:
            name, size, modifiers, value = self.take(kind="name"), [], {}, None
            if self.has("["):
                size = self.subscripts()
            if self.next()[1] == "(":
                modifiers = self.modification()
            if self.has("="):
                value = self.expression()
            found.append(Component(prefixes, kind, name, size, modifiers, value, False))
            if not self.has(","):
                break
        self.comment()
        if self.next()[1] == "annotation":
            found[-1].placed = "Placement" in self.annotation()
        self.take(";")
        return found

    def subscripts(self):
        """-> their texts"""
        found = []
        while True:
            found.append(":" if self.has(":") else self.expression())
            if not self.has(","):
                break
        self.take("]")
        return found

    def modification(self):
        names = {}
        self.take("(")
        while True:
            while self.has("each", "final"):
                pass
            name = self.dotted()
            assert name not in names, f"{name} stands twice"
            names[name] = {}
            if self.next()[1] == "(":
                names[name] = self.modification()
            if self.has("="):
                names[name] = self.expression()
            self.comment()
            if not self.has(","):
                break
        self.take(")")
        return names

    def equation(self, found, times="1"):
        if self.has("for"):
            self.take(kind="name")
            self.take("in")
            self.take("1")
            self.take(":")
            times = self.expression()
            self.take("loop")
            while not self.has("end"):
                self.equation(found, times)
            self.take("for")
        elif self.has("connect"):
            self.take("(")
            a = self.reference()
            self.take(",")
            b = self.reference()
            self.take(")")
            drawn = self.next()[1] == "annotation" and "Line" in self.annotation()
            found.connections.append((a, b, drawn))
        else:
            place = self.at
            self.simple()
            found.equations.append((self.text_since(place), times))
            self.take("=")
            self.expression()
        self.comment()
        self.take(";")

    def reference(self):
        name = self.take(kind="name")
        while True:
            if self.has("."):
                name += "." + self.take(kind="name")
            elif self.has("["):
                name += "[" + ",".join(self.subscripts()) + "]"
            else:
                return name

    def expression(self):
        """-> its text"""
        place = self.at
        if self.has("if"):
            self.expression()
            self.take("then")
            self.expression()
            while self.has("elseif"):
                self.expression()
                self.take("then")
                self.expression()
            self.take("else")
            self.expression()
        else:
            self.simple()
        return self.text_since(place)

    def simple(self):
        self.conjunction()
        while self.has("or"):
            self.conjunction()

    def conjunction(self):
        self.relation()
        while self.has("and"):
            self.relation()

    def relation(self):
        self.has("not")
        self.arithmetic()
        if self.has("<", ">", "<=", ">=", "==", "<>"):
            self.arithmetic()

    def arithmetic(self):
        self.has("+", "-")
        self.term()
        while self.has("+", "-"):
            self.term()

    def term(self):
        self.factor()
        while self.has("*", "/"):
            self.factor()

    def factor(self):
        self.primary()
        if self.has("^"):
            self.primary()

    def primary(self):
        kind, word = self.next()
        if kind in ("number", "string") or word in ("true", "false"):
            self.take()
        elif word == "(":
            self.take()
            self.expression()
            self.take(")")
        elif word == "{":
            self.list("}")
        elif word == "[":
            self.take()
            while True:
                self.expression()
                if not self.has(",", ";"):
                    break
            self.take("]")
        else:
            if word in ("der", "initial"):
                self.take()
            else:
                self.reference()
            if self.next()[1] == "(":
                self.list(")")

    def list(self, end):
        self.take()
        while self.next()[1] != end:
            self.expression()
            if self.has("for"):
                self.take(kind="name")
                self.take("in")
                self.expression()
                self.take(":")
                self.expression()
            if not self.has(","):
                break
        self.take(end)

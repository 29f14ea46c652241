"""Sphinx extension: `{header} elasto/elasto_gap.h` shows all that a public header declares, in its order.

It asks Doxygen's XML what the header declares and leaves each name to a directive of breathe's. (Breathe's own
`doxygenfile` wraps every header in the namespace, which Sphinx then takes for declared twice.) Test
links.reference looks that every header stands on one page.
"""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

MEMBERS = {"define": "doxygendefine", "typedef": "doxygentypedef", "enum": "doxygenenum",
           "variable": "doxygenvariable", "function": "doxygenfunction"}


def text_of(node):
    return "" if node is None else "".join(node.itertext()).strip()


class Headers:
    """What the headers declare: file -> {line: fenced directive}."""

    def __init__(self, folder):
        self.declarations = {}
        for path in sorted(Path(folder).glob("*.xml")):
            for compound in ElementTree.parse(path).getroot().iter("compounddef"):
                self.add(compound)

    def add(self, compound):
        kind, name = compound.get("kind"), text_of(compound.find("compoundname"))
        if kind == "file":
            self.declarations.setdefault(compound.find("location").get("file"), {})
        if kind in ("class", "struct") and name.startswith("elasto::") and "::" not in name[len("elasto::"):]:
            self.put(compound, f"doxygen{kind}", name, [":members:", ":protected-members:", ":undoc-members:"])
        if kind == "file" or name == "elasto":
            scope = "" if kind == "file" else name + "::"
            for member in compound.iter("memberdef"):
                arguments = text_of(member.find("argsstring")) if member.get("kind") == "function" else ""
                self.put(member, MEMBERS[member.get("kind")], scope + text_of(member.find("name")) + arguments, [])

    def put(self, node, directive, name, options):
        location = node.find("location")
        place = self.declarations.setdefault(location.get("file"), {})
        place[int(location.get("line"))] = [f"```{{{directive}}} {name}", *options, "```", ""]


def headers_of(app):
    if not hasattr(app, "elasto_headers"):
        app.elasto_headers = Headers(app.config.breathe_projects[app.config.breathe_default_project])
    return app.elasto_headers.declarations


class HeaderDirective(SphinxDirective):
    """`{header} elasto/x.h`: as programs include it."""

    required_arguments = 1

    def run(self):
        name = self.arguments[0]
        found = [file for file in headers_of(self.env.app) if file.endswith("/" + name)]
        if len(found) != 1:
            raise self.error(f"{name}: the public headers have {len(found)} of that name")
        lines = ["```cpp", f"#include <{name}>", "```", "",
                 f"```{{doxygenfile}} {found[0]}", ":sections: briefdescription detaileddescription", "```", ""]
        for _, fence in sorted(headers_of(self.env.app)[found[0]].items()):
            lines += fence
        node = nodes.container()
        node.document = self.state.document
        self.state.nested_parse(StringList(lines, source=name), self.content_offset, node)
        return node.children


def setup(app):
    app.add_directive("header", HeaderDirective)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

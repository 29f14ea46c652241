"""Sphinx: the pages of this folder and what Doxygen read in the headers. build.sh calls it, with the folders in the
environment."""
import os
import pathlib
import re
import sys

from docutils.nodes import SkipNode

project = "Elasto"
author = "Elasto contributors"
copyright = "2026, " + author
header = pathlib.Path(os.environ["ELASTO_SOURCE"], "plugin/include/core/elasto/version.h").read_text()
release = version = ".".join(re.findall(r"^#define ELASTO_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header, flags=re.M))

sys.path.insert(0, str(pathlib.Path(__file__).parent / "reference"))
extensions = ["myst_parser", "breathe", "header_directive", "sphinx_copybutton"]
root_doc = "index"

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
myst_url_schemes = ["http", "https", "mailto"]

breathe_projects = {"elasto": os.environ["ELASTO_DOXYGEN_XML"]}
breathe_default_project = "elasto"

html_theme = "furo"
html_title = f"Elasto {release}"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
# A shell's prompt is in no block; a command's output is none to copy.
copybutton_selector = "div.highlight-sh pre, div.highlight-cpp pre, div.highlight-cmake pre, div.highlight-json pre, div.highlight-xml pre"

# build.sh copies Debian's KaTeX there: formulas are set without a network.
html_static_path = ["_static"]
html_math_renderer = "katex"


def math_visitor(tag, opening, closing):
    """Writes a formula as text between the delimiters that KaTeX looks for."""
    def visit(translator, node):
        start = translator.starttag(node, tag, "", CLASS="math")
        translator.body.append(f"{start}{opening}{translator.encode(node.astext())}{closing}</{tag}>")
        raise SkipNode

    return visit


def links_within(app, docname, source):
    """Folders and pages of the sources that are no pages of the site are named, and not linked; files can be downloaded."""
    folder = pathlib.Path(app.srcdir, docname).parent

    def replaced(match):
        target = folder / match[2].partition("#")[0]
        leaves = not target.resolve().is_relative_to(pathlib.Path(app.srcdir).resolve())
        return match[1] if leaves and (target.is_dir() or target.suffix == ".md") else match[0]

    source[0] = re.sub(r"(?<!!)\[([^\]]*)\]\(([^):\s]+)\)", replaced, source[0])


def setup(app):
    app.connect("source-read", links_within)
    app.add_html_math_renderer("katex", (math_visitor("span", r"\(", r"\)"), None), (math_visitor("div", r"\[", r"\]"), None))
    app.add_css_file("katex/katex.min.css")
    app.add_js_file("katex/katex.min.js")
    app.add_js_file("katex/contrib/auto-render.js")
    app.add_js_file(None, body="document.addEventListener('DOMContentLoaded', () => "
                    "document.querySelectorAll('.math').forEach(e => renderMathInElement(e)));")

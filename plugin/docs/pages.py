#!/usr/bin/env python3
"""Runs what pages say, as they say it, and checks their links.

  pages.py run PAGE.md... [--pictures FOLDER] [--jobs N]     commands of each page, in an empty folder of its own
  pages.py links PAGE.md...                                  links of Markdown: files and headings
  pages.py html FOLDER                                       links of a built site: files and anchors

A ```sh block is run as it stands, blocks of a page one after the other. Commands of elasto that are only named must exist, with
their options. A comment on the line above a block directs it:

  <!-- file: NAME -->      the block is written to NAME
  <!-- output -->          the block before printed these lines in this order; "..." stands for any lines
  <!-- fails -->           the block shows a mistake: it ends with an error
  <!-- not run: REASON --> the block is not run

PATH must lead to elasto and elasto-gallery, CMAKE_PREFIX_PATH to an installed Elasto.
"""
import argparse
import concurrent.futures
import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

PICTURES = {".png", ".svg", ".gif", ".webp"}
SECONDS = 300  # for one block: a hung program, not a slow one, is what this ends


class PageError(Exception):
    pass


FENCE = re.compile(r"^( *)(```+)([\w{}-]*)")
NO_FENCE = re.compile(r"^\s*(~~~|>\s*(~~~|```))")
COMMENT = re.compile(r"^\s*<!--\s*(.*?)\s*-->\s*$")
DIRECTIVE = re.compile(r"^(file: \S+|output|fails|not run: \S.*)$")
COMMANDS = re.compile(r"^(\$ )?(elasto|elasto-gallery|cmake|ctest|sh|g\+\+|pkg-config|python3) ", re.M)


def blocks(text):
    """(line, language, directive, content) of each fenced block."""
    lines = text.split("\n") + [""]
    directive = None  # of the line before
    i = 0
    while i < len(lines):
        opening = FENCE.match(lines[i])
        comment = COMMENT.match(lines[i])
        if NO_FENCE.match(lines[i]):
            raise PageError(f"line {i + 1}: blocks begin with ``` at the line's start")
        if directive and not opening:
            raise PageError(f"line {i}: the block must begin on the next line")
        if comment and not DIRECTIVE.match(comment[1]):
            raise PageError(f"line {i + 1}: '{comment[1]}' directs no block; see pages.py --help")
        if opening:
            end = i + 1
            while end < len(lines) and lines[end].strip() != opening[2]:
                end += 1
            if end == len(lines):
                raise PageError(f"line {i + 1}: the block does not end")
            indent = len(opening[1])
            content = "\n".join(line[indent:] for line in lines[i + 1 : end]) + "\n"
            yield i + 1, opening[3], directive or "", content
            i = end
        directive = comment[1] if comment else None
        i += 1


def without_blocks(text):
    return re.sub(r"^( *)(```+).*?^ *\2 *$", "", text, flags=re.M | re.S)


def must_contain(output, wanted, where):
    if all(line.strip() in ("", "...") for line in wanted.split("\n")):
        raise PageError(f"{where}: an output of no lines holds for anything")
    have = [line.strip() for line in output.split("\n")]
    at = 0
    gap = True
    for line in (line.strip() for line in wanted.strip("\n").split("\n")):
        if line == "...":
            gap = True
            continue
        found = at
        while found < len(have) and have[found] != line:
            found += 1
        if found == len(have) or (not gap and found != at):
            raise PageError(f"{where}: the commands before did not print\n  {line}\nbut\n{output}")
        at = found + 1
        gap = False


def words(program, *arguments):
    """The options that the help of a program or command names; None where there is no such command."""
    if shutil.which(program) is None:
        raise PageError(f"{program} is not in PATH")
    done = subprocess.run([program, *arguments, "--help"], stdin=subprocess.DEVNULL, text=True, capture_output=True)
    return set(re.findall(r"(?<![\w-])--[a-z][\w-]*", done.stdout)) if done.returncode == 0 else None


def check_named(page, text):
    """Commands that are named in a sentence, a table or a block that is not run: they exist, with these options."""
    known = {}
    quoted = re.findall(r"`([^`]+)`", without_blocks(text))
    for _, language, directive, content in blocks(text):
        if language == "sh" and directive.startswith("not run: "):
            for line in content.replace("\\\n", " ").split("\n"):
                quoted += [re.sub(r"^(sudo +|\w+=\S* +)+", "", part.strip()) for part in re.split(r"&&|\|\|?|;", line.split("#")[0])]
    for command in quoted:
        found = re.match(r"^(elasto-gallery|elasto(?:-single)? [a-z][\w-]*)( .*)?$", " ".join(command.split()))
        if not found:
            continue
        program = found[1]
        if program not in known:
            known[program] = words(*program.split())
        if known[program] is None:
            raise PageError(f"{page}: `{command}`: there is no such command")
        for option in re.findall(r"(?<= )--[a-z][\w-]*", command):
            if option not in known[program] and option != "--help":
                raise PageError(f"{page}: `{command}`: there is no option {option}")


def run_page(page, pictures):
    """The number of blocks that were run, and the reasons of those that were not."""
    ran, left = 0, []
    output = None
    text = page.read_text()
    check_named(page, text)
    with tempfile.TemporaryDirectory(prefix="elasto-page-") as folder:
        for line, language, directive, content in blocks(text):
            where = f"{page}:{line}"
            if directive.startswith("file: "):
                file = pathlib.Path(folder, directive[6:])
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(content)
            elif directive == "output":
                if output is None:
                    raise PageError(f"{where}: no commands stand before this output")
                must_contain(output, content, where)
            elif language == "sh" and directive.startswith("not run: "):
                left.append(f"{where}: {directive}")
                output = None
            elif language == "sh":
                try:
                    done = subprocess.run(["bash", "-euo", "pipefail", "-c", content], cwd=folder, stdin=subprocess.DEVNULL, text=True,
                                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS)
                except subprocess.TimeoutExpired as expired:
                    raise PageError(f"{where}: not done after {SECONDS} s\n{content}{expired.output}") from None
                # 126 and 127: the shell found no such command, which is not the mistake that a page shows.
                if (done.returncode != 0) != (directive == "fails") or done.returncode in (126, 127):
                    raise PageError(f"{where}: exit status {done.returncode}\n{content}{done.stdout}")
                output = done.stdout
                ran += 1
            elif language in ("bash", "shell", "console") or (
                    language in ("", "zsh", "text") and not directive and COMMANDS.search(content)):
                raise PageError(f"{where}: commands stand in ```sh, directed by one of the known comments")
        if pictures:
            target = pictures / page.stem
            target.mkdir(parents=True, exist_ok=True)
            for file in sorted(pathlib.Path(folder).rglob("*")):
                if file.suffix in PICTURES:
                    shutil.copy(file, target / file.name)
    return ran, left


def run(pages, pictures, jobs):
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = [(page, pool.submit(run_page, page, pictures)) for page in pages]
        for page, future in futures:
            try:
                ran, left = future.result()
                print(f"{page}: {ran} blocks run")
                for reason in left:
                    print(f"  {reason}")
            except PageError as error:
                failures += 1
                print(error)
    return failures


def slug(heading):
    """GitHub's anchor of a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def without_code(text):
    return re.sub(r"`[^`\n]*`", "", without_blocks(text))


def anchors(text):
    seen = {}
    result = set()
    for heading in re.findall(r"^#+ +(.*)$", without_blocks(text), flags=re.M):
        name = slug(heading)
        count = seen.get(name, 0)
        seen[name] = count + 1
        result.add(name if count == 0 else f"{name}-{count}")
    return result


def links(pages):
    failures = count = 0
    for page in pages:
        for target in re.findall(r"\]\(<?([^)>\s]+)>?\)", without_code(page.read_text())):
            if re.match(r"^[a-z]+:", target):
                continue
            count += 1
            path, _, anchor = target.partition("#")
            if path.startswith("../_pictures/") or path.startswith("_pictures/"):
                continue  # made by the build of the site, which checks them
            file = (page.parent / path) if path else page
            if not file.exists():
                failures += 1
                print(f"{page}: {target}: there is no such file")
            elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text()):
                failures += 1
                print(f"{page}: {target}: there is no such heading")
    print(f"{count} links in {len(pages)} pages")
    return failures


class Html(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.names = set()
        self.targets = []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.names.add(value)
            elif name in ("href", "src") and value:
                self.targets.append(value)


def read_html(file, known):
    if file not in known:
        known[file] = Html()
        known[file].feed(file.read_text())
    return known[file]


def html_links(site):
    failures = count = 0
    known = {}
    for file in sorted(site.rglob("*.html")):
        for target in read_html(file, known).targets:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            count += 1
            path = file.parent / urllib.parse.unquote(parts.path) if parts.path else file
            path = pathlib.Path(os.path.normpath(path))
            fragment = urllib.parse.unquote(parts.fragment)
            if not path.exists():
                failures += 1
                print(f"{file}: {target}: there is no such file")
            elif fragment and path.suffix == ".html" and fragment not in read_html(path, known).names:
                failures += 1
                print(f"{file}: {target}: there is no such place")
    for file in sorted(site.rglob("*.css")):
        for target in re.findall(r"url\([\"']?([^)\"'#?]+)", file.read_text()):
            if not target.startswith("data:") and not (file.parent / target).exists():
                failures += 1
                print(f"{file}: {target}: there is no such file")
    print(f"{count} links in {len(known)} pages")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["run", "links", "html"])
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    parser.add_argument("--pictures", type=pathlib.Path, help="pictures that pages make go to FOLDER/<page>/")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    if options.what == "run":
        failures = run(options.paths, options.pictures, options.jobs)
    elif options.what == "links":
        failures = links(options.paths)
    else:
        failures = sum(html_links(site) for site in options.paths)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_links.py [SITE]: no link leads nowhere: in the Markdown of the repository, or in all pages of a site that was built.

Files and places within them are checked; addresses elsewhere are not.
"""
import html.parser
import pathlib
import re
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
SKIPPED = {"build", ".git", "bench-results"}


class Page(html.parser.HTMLParser):
    """Links and places of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value and tag != "base":
                self.links.append(value)
            elif name in ("id", "name") and value:
                self.places.add(value)


def read_html(path):
    page = Page(path.read_text(errors="replace"))
    return page.links, page.places


def read_markdown(path):
    """As GitHub sees it: headings are places, with a number where two are alike."""
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    places = set()
    for heading in re.findall(r"^#+ (.*)", text, re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
        places.add(slug if slug not in places else f"{slug}-1")
    links = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text))
    return links, places


class Checker:
    def __init__(self, root, suffix, read):
        self.root, self.suffix, self.read, self.known = root, suffix, read, {}

    def page(self, path):
        if path not in self.known:
            self.known[path] = self.read(path)
        return self.known[path]

    def problem(self, path, link):
        """What is wrong with a link of a page; none if nothing is."""
        parts = urllib.parse.urlsplit(link)
        if parts.scheme or parts.netloc:
            return None
        name = urllib.parse.unquote(parts.path)
        target = path if not name else self.root / name[1:] if name.startswith("/") else path.parent / name
        if target.is_dir():
            target = target / "index.html" if self.suffix == ".html" else target
        if not target.exists():
            return "there is no such file"
        if parts.fragment and target.suffix == self.suffix:
            if urllib.parse.unquote(parts.fragment) not in self.page(target.resolve())[1]:
                return "there is no such place in it"
        return None

    def check(self):
        pages = [p for p in sorted(self.root.rglob("*" + self.suffix))
                 if not any(part in SKIPPED or part.startswith("build-") for part in p.relative_to(self.root).parts)]
        links = wrong = 0
        for path in pages:
            for link in self.page(path.resolve())[0]:
                links += 1
                problem = self.problem(path, link)
                if problem:
                    wrong += 1
                    print(f"{path.relative_to(self.root)}: {link}: {problem}")
        print(f"{links} links in {len(pages)} pages, {wrong} dead")
        return 1 if wrong or not links else 0


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(Checker(pathlib.Path(sys.argv[1]).resolve(), ".html", read_html).check())
    sys.exit(Checker(ROOT, ".md", read_markdown).check())

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the documentation as a site that opens from disk: the pages of docs/, the report of every
# example in its page, and the reference of the C interface from the headers.
#   scripts/site.sh [FOLDER]     after a build; default FOLDER: build/site
#                                HOLDFAST=path/to/holdfast for another command
# Exit code 77: mkdocs or doxygen is not installed.
set -eu
cd "$(dirname "$0")/.."
site=${1:-build/site}
case $site in /*) ;; *) site=$(pwd)/$site ;; esac
holdfast=${HOLDFAST:-build/holdfast}
for tool in mkdocs doxygen; do
    command -v $tool >/dev/null || {
        echo "skipped: $tool is missing (scripts/deps.sh docs installs it)" >&2
        exit 77
    }
done
[ -x "$holdfast" ] || {
    echo "site.sh: $holdfast is not there; run 'make' first" >&2
    exit 2
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R docs "$work/docs"
mv "$work/docs/README.md" "$work/docs/index.md"
cp -R examples "$work/examples"

# Pages: links to README.md are links to the index; links out of docs/ go to copies.
mkdir -p "$work/docs/files"
cp -R examples "$work/docs/files/examples"
find "$work/docs" -name '*.md' | while read -r page; do
    depth=$(printf '%s' "${page#"$work/docs/"}" | tr -cd / | wc -c)
    up=$([ "$depth" -gt 0 ] && echo ../ || echo ./)
    sed -e 's|(README\.md)|(index.md)|g' -e 's|(\.\./README\.md)|(../index.md)|g' \
        -e "s|(\.\./\.\./examples|(${up}files/examples|g" -e "s|(\.\./examples/\([^)]*\.[a-z]*\))|(${up}files/examples/\1)|g" \
        "$page" >"$work/page"
    mv "$work/page" "$page"
done

# The report of every example, in its page (when the page of reports was built: scripts/web.sh).
mkdir -p "$work/docs/reports"
for page in "$work"/docs/examples/*.md; do
    name=$(basename "$page" .md)
    [ -f "examples/$name.yaml" ] && [ -f web/dist/page.html ] || continue
    # The variant that the page itself runs, if it names one.
    variant=$(sed -n "s/^    holdfast run $name --variant \([a-z0-9-]*\).*/\1/p" "$page" | head -n 1)
    if "$holdfast" run "$name" ${variant:+--variant "$variant"} --quiet --report "$work/docs/reports/$name.html" 2>"$work/error"; then
        cat >>"$page" <<TXT

## See it move

<iframe src="../../reports/$name.html" title="report of $name" width="100%" height="760" loading="lazy"
style="border: 1px solid #ccc; border-radius: 6px"></iframe>

[Open the report alone](../reports/$name.html)
TXT
        echo "report of $name"
    else
        cat "$work/error" >&2
        exit 1
    fi
done

# The C interface.
{
    cat scripts/site/Doxyfile
    echo "INPUT = include/holdfast docs/c-api.md"
    echo "OUTPUT_DIRECTORY = $work/doxygen"
} >"$work/Doxyfile"
doxygen "$work/Doxyfile" >"$work/doxygen.log" 2>&1 || {
    tail -n 20 "$work/doxygen.log" >&2
    exit 1
}

# The order of the pages.
title() {
    sed -n 's/^# *//p' "$1" | head -n 1 | sed "s/'/''/g"
}
list() { # list HEADING FILE...
    echo "  - '$1':"
    shift
    for file in "$@"; do
        [ -f "$file" ] && echo "      - '$(title "$file")': ${file#"$work/docs/"}"
    done
}
{
    cat scripts/site/mkdocs.yml
    echo "docs_dir: $work/docs"
    echo "nav:"
    echo "  - Holdfast: index.md"
    echo "  - Getting started: getting-started.md"
    for page in "$work"/docs/*.md; do
        case $(basename "$page") in index.md | getting-started.md) continue ;; esac
        echo "  - '$(title "$page")': $(basename "$page")"
    done
    list Laws "$work"/docs/laws/*.md
    list Methods "$work"/docs/methods/*.md
    list Examples "$work"/docs/examples/*.md
    echo "  - C interface: api/index.html"
} >"$work/mkdocs.yml"
rm -rf "$site"
mkdocs build --quiet --config-file "$work/mkdocs.yml" --site-dir "$site"
cp -R "$work/doxygen/html" "$site/api"
for page in index getting-started laws/index methods/index examples/two-link-arm api/index; do
    [ -s "$site/$page.html" ] || {
        echo "site.sh: $page.html was not made" >&2
        exit 1
    }
done
echo "The documentation is in $site/index.html."

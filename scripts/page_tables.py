#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables that scripts write into a page, each between its own two markers.

A script reads and writes its table through here only. Both refuse a table that is not whole: rows with another number of
cells than their head, a folder twice, a last row "all" that is not the sum of the rows above it. So a row that was put in by
hand, or by the script of another table, is noticed before it is counted.

    page_tables.py PAGE...     checks every table of the pages (test `page-tables`)
"""
import re
import sys

# name of a table: the script that writes it
WRITERS = {"coverage": "scripts/coverage.sh", "mutants": "scripts/mutants.py"}


def markers(name):
    return "<!-- %s: %s -->" % (name, WRITERS[name]), "<!-- end of %s -->" % name


def cells_of(line):
    return [cell.strip() for cell in line.strip().split("|")[1:-1]]


def parts(text, name):
    """(what is before the table, its lines, what is after it) of a page's text."""
    begin, end = markers(name)
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        sys.exit("page_tables: the table '%s' must have its two markers once: %s ... %s" % (name, begin, end))
    head, rest = text.split(begin)
    inside, tail = rest.split(end)
    return head, inside.strip().split("\n"), tail


def faults(name, lines):
    """What is wrong with the lines of a table. A blank line and a head begin another one."""
    found, head, rows = [], None, []
    for line in lines + [""]:
        if not line.strip():
            found += faults_of_sums(rows) if head else []
            head, rows = None, []
        elif not line.startswith("|"):
            found.append("is not of a table: " + line)
        elif head is None:
            head = cells_of(line)
        elif len(cells_of(line)) != len(head):
            found.append("has %d cells where its head has %d: %s" % (len(cells_of(line)), len(head), line))
        elif not re.fullmatch(r"[-|: ]+", line):
            rows.append(cells_of(line))
    return ["table '%s': %s" % (name, fault) for fault in found]


def faults_of_sums(rows):
    """Folders that are there twice, and sums that do not add up, column by column where a sum is a whole number."""
    names = [row[0] for row in rows]
    found = ["has '%s' twice" % name for name in sorted(set(names)) if names.count(name) > 1]
    if names and names[-1] == "all":
        for k, told in enumerate(rows[-1]):
            column = [row[k] for row in rows[:-1] if row[k]]
            if re.fullmatch(r"\d+", told) and all(re.fullmatch(r"\d+", cell) for cell in column) \
                    and sum(map(int, column)) != int(told):
                found.append("column %d adds up to %d, not to %s" % (k + 1, sum(map(int, column)), told))
            elif re.fullmatch(r"\d+", told) and not all(re.fullmatch(r"\d+", cell) for cell in column):
                found.append("column %d is not of whole numbers" % (k + 1))
    return found


def read(page, name):
    """The lines of a page's table, which must be whole."""
    lines = parts(open(page).read(), name)[1]
    wrong = faults(name, lines)
    if wrong:
        sys.exit("\n".join(["%s: %s" % (page, fault) for fault in wrong]))
    return lines


def put(page, name, lines):
    """Puts lines between the markers of a page's table."""
    wrong = faults(name, lines)
    if wrong:
        sys.exit("\n".join(["not written into %s: %s" % (page, fault) for fault in wrong]))
    head, _, tail = parts(open(page).read(), name)
    begin, end = markers(name)
    with open(page, "w") as file:
        file.write("%s%s\n%s\n%s%s" % (head, begin, "\n".join(lines), end, tail))


def main():
    wrong = []
    for page in sys.argv[1:]:
        text = open(page).read()
        for name in WRITERS:
            if markers(name)[0] in text or markers(name)[1] in text:
                wrong += ["%s: %s" % (page, fault) for fault in faults(name, parts(text, name)[1])]
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

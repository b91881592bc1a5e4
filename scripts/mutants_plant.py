#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutants of a file, all compiled into it at once: the part of mutants.py that changes sources.

A function with mutants becomes

    type name(arguments)
    {
        if (hf_mutant_is(17)) { its body with mutant 17 } else { its body }
    }

and the environment says which runs: HF_MUTANT=17, or none. With HF_MUTANT=reach none runs, and each that is met
writes its number once into the file HF_MUTANT_FILE: so a test tells which mutants it can judge. One build serves them all.
"""
import os
import re
import subprocess

HEADER = r"""
char *getenv(const char *);
int atoi(const char *);
int snprintf(char *, unsigned long, const char *, ...);
int open(const char *, int, ...);
long write(int, const void *, unsigned long);
int close(int);
__attribute__((noinline)) static void hf_mutant_met(int number)
{
    static unsigned char met[100000];
    if (!met[number]) {
        char text[16];
        int length = snprintf(text, sizeof text, "%d\n", number);
        const char *path = getenv("HF_MUTANT_FILE");
        int file = path ? open(path, 02101, 0600) : -1; // create, append, write
        met[number] = 1;
        if (file >= 0) {
            write(file, text, (unsigned long)length);
            close(file);
        }
    }
}
static inline int hf_mutant_is(int number)
{
    static int now = -2; // -1: none, 0: reach
    if (now == -2) {
        const char *text = getenv("HF_MUTANT");
        now = text == 0 ? -1 : atoi(text);
    }
    if (now == 0)
        hf_mutant_met(number);
    return now == number;
}
"""


def quiet():
    """Directives that switch every warning of the compiler off, whatever its options are: a mutant may well compare with itself."""
    told = subprocess.run([os.environ.get("CC", "cc"), "-Q", "--help=warnings"], capture_output=True, text=True).stdout
    names = ["-Wpragmas"] + re.findall(r"^ +(-W[a-z][\w+-]*)(?==|\s)", told, flags=re.M)
    return ['#pragma GCC diagnostic ignored "%s"' % name for name in names]


def bodies(code):
    """[(function, line of its opening brace, line of its closing brace)], from 0, of lines without comments and strings.
    Their layout is that of clang-format: both braces of a body are in column 0."""
    found, header, begin = [], "", None
    for k, line in enumerate(code):
        if begin is None:
            if line[:1].isalpha() or line[:1] == "_":
                header = line
            elif line.startswith("{") and "(" in header:
                begin = k
        elif line.startswith("}"):
            words = header[:header.index("(")].split()
            found.append((words[-1].lstrip("*"), begin, k))
            header, begin = "", None
    return found


def changed_body(body, mutant, first):
    """The lines of a function's body, of which the first is the line `first` of its file from 0, with a mutant. A named one replaces
    text, others a line."""
    if mutant.name:
        return "\n".join(body).replace(mutant.old, mutant.new).split("\n")
    at = mutant.line - 1 - first
    return body[:at] + [mutant.new] + body[at + 1:]


def planted(text, code, numbered):
    """The text with all mutants of [(number, mutant)], and {line of the result: number} for messages of the compiler."""
    lines, out, places = text.split("\n"), [], {}
    by_line = {}
    for name, begin, end in bodies(code):
        mine = [(number, mutant) for number, mutant in numbered if begin < mutant.line - 1 < end]
        if mine:
            by_line[begin] = (end, mine)
    k, first = 0, True
    while k < len(lines):
        if k in by_line:
            end, mine = by_line[k]
            out.append("{")
            for number, mutant in mine:
                out.append("if (hf_mutant_is(%d)) {" % number)
                for line in changed_body(lines[k + 1:end], mutant, k + 1):
                    # A label may stand once in a function
                    out.append(re.sub(r"(?<=goto )\w+(?=;)|^(?!default)\w+(?=:$)", r"\g<0>_%d" % number, line))
                    places[len(out)] = number
                out.append("} else")
            out += ["{"] + lines[k + 1:end] + ["}", "}"]
            k = end + 1
        else:
            # Before the first thing that is neither comment nor directive nor blank
            if first and (code[k][:1].isalpha() or code[k][:1] == "_"):
                first = False
                out += quiet() + HEADER.split("\n")
            out.append(lines[k])
            k += 1
    return "\n".join(out), places

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants mistakes in the sources and counts those that no test notices.

A mutant is one changed operator, number or sign in the body of one function. All that were chosen are
compiled at once into a copy of the tree (build-mutants/tree), and the environment says which of them
runs (mutants_plant.py): they cost one build together, and each only the tests that judge it. It is judged by tests, the
quickest first, until one fails. What all of them pass has survived.

Which tests judge it: those that run its function, up to --budget seconds of them. Every test runs once without any
mutant, and tells which it meets; one that takes longer than --longest seconds judges none. A function that no test runs cannot be
judged: its mutants have survived.

    scripts/mutants.py                      a sample: SAMPLE mutants a folder
    scripts/mutants.py laws record          these folders only
    scripts/mutants.py --sample 0           every mutant: a job of days; --minutes N stops it in time
    scripts/mutants.py --write PAGE --from FILE...   the table of earlier output
    scripts/mutants.py --again FILE         those that a file of earlier output says have survived
    scripts/mutants.py --again FILE --keep tests/laws   the same without a new build of the sources: after new tests
    scripts/mutants.py --only 'hull|epa'    those whose file or function match
    scripts/mutants.py --named              the mistakes of tests/mutants/named.txt, each by its name
    scripts/mutants.py --list laws          which would be planted, without building

The choice depends on the seed and on the sources alone. At most one mutant of a function is taken
before every function of the folder has had one. Mutants that change nothing which can be observed
are listed, with the reason, in tests/mutants/equivalent.txt, and are never planted.
"""
import argparse
import concurrent.futures
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import mutants_plant
import page_tables

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = os.path.join(ROOT, "build-mutants")
TREE = os.path.join(WORK, "tree")
BUILD = os.path.join(TREE, "build")  # as in the tree itself: a compiler's cache knows every file without a mutant
NAMED = os.path.join(WORK, "build")  # of named ones
REACH = os.path.join(WORK, "reach.json")
SAMPLE = 4
SHOWN = 3  # seeds of each folder in the page's table
UNKNOWN_TIME = 8.0  # of a test whose time no run has told [s]

# The tests that concern a folder of src: ctest labels, the nearest first.
CONCERNS = {
    "base": ["base", "models", "record"],
    "math": ["math", "bodies", "couplings", "shapes", "sim"],
    "laws": ["laws", "sim", "methods", "adaptive"],
    "shapes": ["shapes", "contact"],
    "bodies": ["bodies", "couplings", "sim", "methods", "contact"],
    "couplings": ["couplings", "sim", "methods", "adaptive"],
    "solvers": ["solvers", "sim", "contact"],
    "spec": ["sim", "models", "laws"],
    "compile": ["sim", "models", "methods", "cli"],
    "sim": ["sim", "methods", "adaptive", "models", "cli"],
    "loops": ["sim", "adaptive", "contact"],
    "swarm": ["sim", "methods", "contact"],
    "collide": ["contact", "shapes", "adaptive"],
    "methods": ["methods", "sim", "cli", "adaptive"],
    "methods/fixed": ["methods", "sim", "examples"],
    "methods/adaptive": ["adaptive", "methods"],
    "methods/switch": ["adaptive", "methods"],
    "methods/timestep": ["contact", "methods"],
    "methods/nlp": ["nlp", "methods"],
    "models": ["models", "cli"],
    "robots": ["robots", "models", "cli"],
    "record": ["record", "cli"],
    "fclib": ["solvers", "cli"],
    "fmi": ["fmi", "cli"],
    "report": ["report", "cli"],
    "fit": ["fit", "cli"],
    "sweep": ["sweep", "cli"],
    "cli": ["cli"],
}
# Tests that say nothing of a mistake in the code, or take it for a mistake of the build.
NEVER = re.compile(r"^(.*cortex-m4|cli-figures|cli-pages|cli-interrupt|cli-realtime|install.*|web-.*|docs-.*|failures-commands.*|files|format|headers|symbols|freestanding|mutants-named|examples-compilers)$")

COMPARISONS = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "=="}
OPERATORS = {"+": "-", "-": "+", "*": "/", "/": "*", "&&": "||", "||": "&&", "+=": "-=", "-=": "+=",
             "*=": "/=", "/=": "*="}
OPERATORS.update(COMPARISONS)
# Sizes of arrays, and the zero of "all zero": twice as much memory, or a first member that is set
# again, changes nothing.
SIZES = (r"^\s+(?:const |static |unsigned )*[a-z_]\w* \**\w+(?:\[[^\]]*\])+(?= = |;|,)|"
         r"\(\w+(?: \w+)?\[[^\]]*\]\)|\{0\}")
# Calls that take memory: more of it changes nothing, and less is for the sanitizers to notice (make asan).
TAKES = r"\b(?:malloc|calloc|realloc|hf_carve\w*|hf_arena_alloc)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"


class Mutant:
    def __init__(self, path, function, line, old, new, name=None, labels=None):
        self.path, self.function, self.line = path, function, line
        self.old, self.new, self.name, self.labels = old, new, name, labels
        self.seed = None  # of the choice it belongs to

    def key(self):
        """By which it is known again."""
        return (self.path, self.function, self.line, self.change())

    def change(self):
        """The line before and after, by which it is known again when line numbers have moved."""
        return "%s => %s" % (" ".join(self.old.split()), " ".join(self.new.split()))

    def __str__(self):
        place = "%s:%d %s" % (self.path, self.line, self.function)
        return "%s: %s" % (place, self.name or self.change())


# --- where mistakes can be planted ---------------------------------------------------------------

def blank(text):
    """The text with comments, strings and characters blanked, of the same length."""
    pattern = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)


def changed_number(text):
    """Another number: twice the value, and 1 for nothing."""
    match = re.fullmatch(r"([0-9.]+(?:[eE][-+]?[0-9]+)?)([uUlLfF]*)", text)
    if not match:
        return None
    digits, suffix = match.groups()
    if re.fullmatch(r"[0-9]+", digits):
        value = int(digits)
        return ("1" if value == 0 else str(2 * value)) + suffix
    value = float(digits)
    return (repr(2 * value) if value else "1.0") + suffix


def sites_of_line(code):
    """(begin, end, replacement) of every mistake that the line offers."""
    sites = []
    takes = [match.span() for match in re.finditer(TAKES, code)]
    for match in re.finditer(r"(?<= )(\S{1,2})(?= |$)", code):
        if match.group(1) in OPERATORS and not any(begin <= match.start() < end for begin, end in takes):
            sites.append((match.start(1), match.end(1), OPERATORS[match.group(1)]))
    for match in re.finditer(r"(?<=[ (\[,])-(?=[A-Za-z0-9_(])", code):
        sites.append((match.start(), match.end(), ""))
    for match in re.finditer(r"(?<=[ (])!(?=[A-Za-z_(])", code):
        sites.append((match.start(), match.end(), ""))
    sizes = takes + [match.span() for match in re.finditer(SIZES, code)]
    for match in re.finditer(r"(?<![\w.])[0-9][\w.]*(?:(?<=[eE])[-+][0-9]+)?", code):
        if match.group() == "1" and re.search(r"(?:^|[ (\[,])-$", code[:match.start()]):
            continue  # -1 is a mark, "none": -2 is another one. Without its sign it is a mistake.
        number = changed_number(match.group())
        if number and not any(begin <= match.start() < end for begin, end in sizes):
            sites.append((match.start(), match.end(), number))
    return sites


def mutants_of_file(path):
    """All mutants of one file. Its layout is that of clang-format: operators of two operands stand
    between blanks."""
    with open(os.path.join(ROOT, path)) as file:
        text = file.read()
    lines, code = text.split("\n"), blank(text).split("\n")
    found = []
    for function, first, end in mutants_plant.bodies(code):
        for k in range(first + 1, end):
            line = code[k]
            if line.lstrip().startswith("#") or "ASSERT" in line:
                continue
            for begin, stop, new in sites_of_line(line):
                if function.startswith("by_") and line[begin:stop] == "1" and new == "2":
                    continue  # what sorts looks at the sign alone
                found.append(Mutant(path, function, k + 1, lines[k], lines[k][:begin] + new + lines[k][stop:]))
    return found


def folder_of(path):
    """The folder of CONCERNS that a file is in."""
    return max((name for name in CONCERNS if path.startswith("src/%s/" % name)), key=len)


def sources(folder):
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "src/" + folder], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout.split()
    # Files of a folder within that has its own row are its own.
    return sorted(name for name in listed if name.endswith(".c") and folder_of(name) == folder)


def equivalents():
    """{(file, function, change)} that nothing can notice: path, function, change, reason, by tabs."""
    known = set()
    with open(os.path.join(ROOT, "tests/mutants/equivalent.txt")) as file:
        for number, line in enumerate(file, 1):
            if not line.strip() or line.startswith("#"):
                continue
            parts = line.rstrip("\n").split("\t")
            if len(parts) != 4 or not all(parts):
                sys.exit("equivalent.txt:%d: expected file, function, change and reason, by tabs" % number)
            known.add(tuple(parts[:3]))
    return known


def is_equivalent(known, path, function, change):
    """Whether a mutant is listed, or all of its function: "*" in place of the change."""
    return (path, function, change) in known or (path, function, "*") in known


def choose(folder, sample, seed):
    """A sample of the folder's mutants, spread over its functions."""
    known = equivalents()
    functions = {}
    for path in sources(folder):
        for mutant in mutants_of_file(path):
            if not is_equivalent(known, mutant.path, mutant.function, mutant.change()):
                functions.setdefault((path, mutant.function), []).append(mutant)
    total = sum(len(group) for group in functions.values())
    chance = random.Random("%s %s" % (seed, folder))
    groups = [functions[key] for key in sorted(functions)]
    for group in groups:
        chance.shuffle(group)
    chosen = []
    while groups and (not sample or len(chosen) < sample):
        chance.shuffle(groups)
        chosen += [group.pop() for group in groups]
        groups = [group for group in groups if group]
    return chosen[:sample] if sample else chosen, total


def named():
    """The mistakes of named.txt: blocks of name, file, tests, lines with '-' and lines with '+'. One that is not within a function
    has none."""
    found, block = [], {}
    with open(os.path.join(ROOT, "tests/mutants/named.txt")) as file:
        lines = [line.rstrip("\n") for line in file] + [""]
    for line in lines:
        if line.startswith("# "):
            continue
        if line[:1] in "-+" and line:
            block.setdefault(line[0], []).append(line[1:])
        elif line:
            key, _, value = line.partition(": ")
            block[key] = value
        elif block:
            old, new = "\n".join(block["-"]), "\n".join(block.get("+", []))
            text = open(os.path.join(ROOT, block["file"])).read()
            if text.count(old) != 1:
                sys.exit("named.txt: '%s': its lines are %d times in %s, expected once"
                         % (block["name"], text.count(old), block["file"]))
            place, last = (text[:at].count("\n") + 1 for at in (text.index(old), text.index(old) + len(old)))
            around = [name for name, begin, end in mutants_plant.bodies(blank(text).split("\n")) if begin + 1 < place and last <= end]
            found.append(Mutant(block["file"], "".join(around), place, old, new, block["name"], block["tests"].split()))
            block = {}
    return found


# --- the copy, its build and its tests -----------------------------------------------------------

def refresh_tree(changed, pattern=None):
    """Makes the copy what the tree is, but for {path: text} changed; files that are the same keep their times.
    pattern: only files of tests/ that match are looked at."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True,
                            text=True).stdout.split("\n")
    wanted = {name for name in listed if name and os.path.isfile(os.path.join(ROOT, name))}
    # The page, where it was built: tests of the command look at it.
    page = os.path.join(ROOT, "web/dist")
    wanted |= {os.path.relpath(os.path.join(folder, name), ROOT)
               for folder, _, names in os.walk(page) for name in names}
    if pattern is not None:
        wanted = {name for name in wanted if name.startswith("tests/") and re.search(pattern, name)}
    for name in sorted(wanted):
        source, target = os.path.join(ROOT, name), os.path.join(TREE, name)
        content = changed[name].encode() if name in changed else open(source, "rb").read()
        if not os.path.exists(target) or open(target, "rb").read() != content:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                file.write(content)
            shutil.copymode(source, target)
    for folder, inner, names in os.walk(TREE) if pattern is None else []:
        inner[:] = [name for name in inner if os.path.join(folder, name) != os.path.join(TREE, "build")]
        for name in names:
            path = os.path.join(folder, name)
            if os.path.relpath(path, TREE) not in wanted:
                os.remove(path)


def run(command, limit, **options):
    """(exit code or None after the limit, output); ends the whole process group in that case."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", start_new_session=True, **options)
    try:
        output, _ = process.communicate(timeout=limit)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, ""


def run_measured(command, limit, **options):
    """As run, but the limit is of the processor's time, which does not depend on what else the machine does;
    of waiting it is ten times as much. (exit code or None, output, the processor's seconds)."""
    with tempfile.TemporaryFile() as told:
        def limited():
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 1))
        process = subprocess.Popen(command, stdout=told, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                   start_new_session=True, preexec_fn=limited, **options)
        late = threading.Timer(10 * limit, os.killpg, (process.pid, signal.SIGKILL))
        late.start()
        _, status, used = os.wait4(process.pid, 0)
        late.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        try:
            os.killpg(process.pid, signal.SIGKILL)  # what it left running
        except ProcessLookupError:
            pass
        told.seek(0)
        output = told.read().decode(errors="replace")
    seconds = used.ru_utime + used.ru_stime
    killed = process.returncode in (-signal.SIGKILL, -signal.SIGXCPU)
    return None if killed else process.returncode, output, seconds


def configure(jobs, changed, at_once, pattern=None):
    """Builds the copy. Returns the output where mutants that are planted at once do not compile."""
    refresh_tree(changed, pattern)
    command = ["cmake", "--preset", "dev", "-S", TREE, "-B", BUILD, "-DHF_PYTHON=OFF"]
    if not at_once:
        # One after the other: shared libraries, so that a changed file does not link all tests again
        command = ["cmake", "-S", TREE, "-B", BUILD, "-DCMAKE_BUILD_TYPE=None", "-DHF_BUILD_TESTS=ON", "-DHF_PYTHON=OFF",
                   "-DBUILD_SHARED_LIBS=ON", "-DHF_EXPORT_ALL=ON", "-DCMAKE_LINK_DEPENDS_NO_SHARED=ON",
                   "-DCMAKE_C_FLAGS=-O1 -w"]
        if shutil.which("ninja") and not os.path.exists(os.path.join(BUILD, "CMakeCache.txt")):
            command += ["-G", "Ninja"]
    code, output = run(command, 900, cwd=TREE)
    if code != 0:
        sys.exit("cannot configure the copy:\n" + output)
    code, output = build(jobs, limit=14400)
    if code != 0 and at_once:
        return output
    if code != 0:
        sys.exit("the sources as they are do not build:\n" + (output or "")[-4000:])
    return None


def build(jobs, limit=1200):
    keep_on = ["-k", "0"] if os.path.exists(os.path.join(BUILD, "build.ninja")) else ["-k"]
    return run(["cmake", "--build", BUILD, "--parallel", str(jobs), "--"] + keep_on, limit)


def planted_before(jobs, pattern):
    """The mutants of the last build, {mutant: number}: sources stay as they were, tests whose path matches are those of now."""
    numbers = {}
    for number, entry in json.load(open(REACH))["mutants"].items():
        path, line, function, change = re.match(r"(\S+?):(\d+) (\w+): (.*)$", entry["text"]).groups()
        old, _, new = change.partition(" => ")
        mutant = Mutant(path, function, int(line), old, new)
        mutant.seed = entry["seed"]
        numbers[mutant] = int(number)
    output = configure(jobs, {}, True, pattern)
    if output is not None:
        sys.exit("the tests do not build:\n" + output[-4000:])
    return numbers


def plant(work, jobs):
    """Builds all mutants at once: {mutant: number}. Those that do not compile are left out."""
    numbers = {mutant: k + 1 for k, (_, mutant, _) in enumerate(work)}
    texts = {mutant.path: open(os.path.join(ROOT, mutant.path)).read() for mutant in numbers}
    while True:
        changed, places = {}, {}
        for path, text in sorted(texts.items()):
            mine = [(number, mutant) for mutant, number in numbers.items() if mutant.path == path]
            changed[path], places[path] = mutants_plant.planted(text, blank(text).split("\n"), mine)
        output = configure(jobs, changed, True)
        if output is None:
            return numbers
        wrong = {places[path].get(int(line)) for path, line in
                 re.findall(r"(src/[\w/]+\.c):(\d+):\d+: error", output) if path in places} - {None}
        if not wrong:
            told = [line for line in output.split("\n") if re.search(r"error|FAILED|undefined", line)]
            sys.exit("the mutants do not build:\n" + "\n".join(told)[:4000])
        for mutant in [mutant for mutant, number in numbers.items() if number in wrong]:
            print("refused  %s" % mutant, flush=True)
            del numbers[mutant]


def all_tests():
    """{name: what it runs, where, its label}."""
    code, output = run(["ctest", "--test-dir", BUILD, "--show-only=json-v1"], 60)
    if code != 0:
        sys.exit("cannot list the tests:\n" + output)
    found = {}
    for test in json.loads(output[output.index("{"):])["tests"]:
        if NEVER.match(test["name"]):
            continue
        if "command" not in test:
            sys.exit("test '%s' has no command: was it built?" % test["name"])
        properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
        environment = dict(entry.split("=", 1) for entry in properties.get("ENVIRONMENT", []))
        found[test["name"]] = {
            "name": test["name"], "command": test["command"], "labels": properties.get("LABELS", []),
            "environment": environment, "skip": properties.get("SKIP_RETURN_CODE"),
            "matches": properties.get("PASS_REGULAR_EXPRESSION"),
            "folder": properties.get("WORKING_DIRECTORY", BUILD)}
    return found


def passes(test, limit, **more):
    return measured(test, limit, **more)[0]


def measured(test, limit, **more):
    """(whether the test passes within the limit, the processor's seconds)."""
    environment = dict(os.environ, **test["environment"], **more)
    code, output, seconds = run_measured(test["command"], limit, cwd=test["folder"], env=environment)
    if code is None:
        return False, seconds
    if test["skip"] is not None and code == test["skip"]:
        return True, seconds
    if test["matches"]:
        return any(re.search(pattern, output, re.S) for pattern in test["matches"]), seconds
    return code == 0, seconds


def rank(test, labels):
    """How far a test is from the labels that concern a folder, the nearest first."""
    return min([labels.index(label) for label in test["labels"] if label in labels], default=len(labels))


class AtOnce:
    """Judges mutants that are all in one build."""

    def __init__(self, numbers, jobs, budget, longest, pattern):
        self.numbers, self.jobs, self.budget = numbers, jobs, budget
        self.tests = {name: test for name, test in all_tests().items()
                      if any(re.search(pattern, text) for text in [name] + test["labels"])}
        self.times, self.met, self.caught, self.lock = {}, {}, {}, threading.Lock()
        self.busy = {name: threading.Lock() for name in self.tests}  # its files are its own
        self.ask(longest)

    def ask(self, longest):
        """Which mutants each test meets; kept in a file for the next time, while the mutants and the test are the same."""
        mutants = {str(number): {"text": str(mutant), "seed": mutant.seed} for mutant, number in self.numbers.items()}
        try:
            known = json.load(open(REACH))
        except (FileNotFoundError, ValueError):
            known = {}
        if known.get("mutants") != mutants:
            known = {"mutants": mutants, "tests": {}}
        def look(name):
            test = self.tests[name]
            stamp = max(os.stat(part).st_mtime for part in test["command"] if os.path.isfile(part))
            entry = known["tests"].get(name)
            short = entry is not None and not entry["sound"] and entry["seconds"] + 1 < longest  # it had less time then
            if entry is None or entry["stamp"] != stamp or short:
                entry = self.ask_one(test, longest)
                entry["stamp"] = stamp
                with self.lock:
                    known["tests"][name] = entry
                    with open(REACH + ".new", "w") as file:
                        json.dump(known, file)
                    os.replace(REACH + ".new", REACH)
            if entry["sound"]:
                self.times[name], self.met[name] = entry["seconds"], set(entry["met"])

        # The quickest first, where the last time has told
        order = sorted(self.tests, key=lambda name: known["tests"].get(name, {}).get("seconds", 0.0))
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(look, order))

    def ask_one(self, test, longest):
        path = os.path.join(WORK, "met-" + test["name"])
        if os.path.exists(path):
            os.remove(path)
        sound, seconds = measured(test, longest, HF_MUTANT="reach", HF_MUTANT_FILE=path)
        if not sound:
            print("test '%s' %s, and is left out"
                  % (test["name"], "fails without any mutant" if seconds < longest else "takes too long"), flush=True)
        numbers = []
        if os.path.exists(path):
            numbers = sorted({int(line) for line in open(path)})
            os.remove(path)
        return {"sound": sound, "seconds": round(seconds, 2), "met": numbers}

    def verdict(self, mutant, labels):
        """'caught' with the test's name, 'survived', or 'refused' by the compiler."""
        if mutant not in self.numbers:
            return "refused", ""
        number, spent = self.numbers[mutant], 0.0
        names = [name for name, met in self.met.items() if number in met]
        # The quickest first, those that concern the folder before others, and what has caught others of it before
        names.sort(key=lambda name: self.times[name] * 4 ** rank(self.tests[name], labels)
                   / (1 + self.caught.get((labels[0], name), 0)))
        for k, name in enumerate(names):
            spent += self.times[name]
            if k > 0 and spent > self.budget:
                break
            with self.busy[name]:
                good = passes(self.tests[name], 5 + 6 * self.times[name], HF_MUTANT=str(number))
            if not good:
                with self.lock:
                    self.caught[labels[0], name] = self.caught.get((labels[0], name), 0) + 1
                return "caught", name
        return "survived", "" if names else "no test runs it"


class OneByOne:
    """Judges mutants each of which is a build of its own: named ones, by the tests of their labels."""

    def __init__(self, jobs, budget):
        self.jobs, self.budget, self.tests, self.sound = jobs, budget, all_tests(), {}

    def is_sound(self, test):
        """Whether it passes with the sources as they are, which must be built."""
        if test["name"] not in self.sound:
            self.sound[test["name"]] = passes(test, 600)
            if not self.sound[test["name"]]:
                print("test '%s' fails without any mutant, and is left out" % test["name"], flush=True)
        return self.sound[test["name"]]

    def killer(self, tests):
        """The first test that fails, or None. A test that hangs has failed."""
        begin = time.time()
        for test in tests:
            if time.time() - begin > self.budget:
                return None
            if self.sound.get(test["name"], True) and not passes(test, 20 + 6 * UNKNOWN_TIME):
                return test
        return None

    def verdict(self, mutant, labels):
        tests = sorted((test for test in self.tests.values() if set(test["labels"]) & set(labels)),
                       key=lambda test: rank(test, labels))
        path = os.path.join(TREE, mutant.path)
        original = open(path).read()
        while True:
            try:
                with open(path, "w") as file:
                    file.write(original.replace(mutant.old, mutant.new))
                code, output = build(self.jobs)
                if code != 0:
                    return "refused", ""
                if os.path.basename(mutant.path) + ".o" not in output:
                    sys.exit("the build did not compile %s again:\n%s" % (mutant.path, output[-2000:]))
                test = self.killer(tests)
            finally:
                with open(path, "w") as file:
                    file.write(original)
            if not test:
                return "survived", ""
            if test["name"] not in self.sound:
                build(self.jobs)
            if self.is_sound(test):
                return "caught", test["name"]


# --- the report ----------------------------------------------------------------------------------

def verdicts_of(paths):
    """{folder: {seed: [planted, caught at first, caught now]}} of files of earlier output. A mutant that was
    judged again counts once: its last verdict is the present one. What the sources do not offer any more is left out."""
    first, last, known, seed, offers = {}, {}, equivalents(), "1", {}
    for path in paths:
        for line in open(path):
            if re.match(r"seed \d+$", line):
                seed = line.split()[1]
            match = re.match(r"(caught|survived) +(src/\S+?):\d+ (\w+): (.*? => .*?)(?: \([\w -]+\))?$", line)
            if match and not is_equivalent(known, *match.groups()[1:]):
                verdict, key = match.group(1), match.groups()[1:]
                if key[0] not in offers:
                    exists = os.path.exists(os.path.join(ROOT, key[0]))
                    offers[key[0]] = {(m.function, m.change()) for m in mutants_of_file(key[0])} if exists else set()
                if key[1:] not in offers[key[0]]:
                    continue
                if any(other[1:] == key for other in last):
                    key = next(other for other in last if other[1:] == key)
                else:
                    key = (seed,) + key
                first.setdefault(key, verdict)
                last[key] = verdict
    counts = {}
    for key in first:
        row = counts.setdefault(folder_of(key[1]), {}).setdefault(key[0], [0, 0, 0])
        row[0] += 1
        row[1] += first[key] == "caught"
        row[2] += last[key] == "caught"
    return counts


def read_table(lines):
    """{folder: {seed: [planted, caught at first, caught now]}} of a table that was written before."""
    counts = {}
    for cells in map(page_tables.cells_of, lines[2:]):
        for k in range(2, len(cells) - 3, 4):
            if cells[0].startswith("src/") and all(cells[k:k + 4]):
                counts.setdefault(cells[0][4:], {})[cells[k]] = [int(number) for number in cells[k + 1:k + 4]]
    return counts


def write_table(page, paths):
    """Puts the figures of files of earlier output between the markers of the page: of each folder the last SHOWN seeds,
    the latest first. Folders that are not in the files keep theirs."""
    counts, fresh = read_table(page_tables.read(page, "mutants")), verdicts_of(paths)
    for folder in fresh:
        counts.setdefault(folder, {}).update(fresh[folder])
    lines = ["| folder | mutants there |" + SHOWN * " seed | planted | caught at first | caught now |",
             "|---|---|" + SHOWN * "---|---|---|---|"]
    sums, total = [[0, 0, 0] for _ in range(SHOWN)], 0
    for folder in CONCERNS:
        there = sum(len(mutants_of_file(path)) for path in sources(folder))
        total += there
        rows = counts.get(folder, {})
        cells = ""
        for k, seed in enumerate(sorted(rows, key=int, reverse=True)[:SHOWN]):
            cells += " %s | %d | %d | %d |" % (seed, *rows[seed])
            sums[k] = [x + y for x, y in zip(sums[k], rows[seed])]
        cells += " | | | |" * (SHOWN - min(SHOWN, len(rows)))
        lines.append("| src/%s | %d |%s" % (folder, there, cells))
    lines.append("| all | %d |" % total + "".join(" | %d | %d | %d |" % tuple(row) for row in sums))
    page_tables.put(page, "mutants", lines)


def survivors_in(path):
    """What a file of earlier output says has survived, as it was printed."""
    return {re.sub(r" \(no test runs it\)$", "", line[9:].rstrip("\n")) for line in open(path) if line.startswith("survived ")}


def survivors_of(path):
    """The mutants that a file of earlier output says have survived, where their lines are still there."""
    found, known, files = [], equivalents(), {}
    for line in open(path):
        match = re.match(r"survived (src/\S+?):(\d+) (\w+): (.*? => .*?)(?: \(no test runs it\))?$", line)
        if not match:
            continue
        file, number, function, change = match.groups()
        if is_equivalent(known, file, function, change):
            continue
        offers = [mutant for mutant in files.setdefault(file, mutants_of_file(file))
                  if mutant.function == function and mutant.change() == change]
        offers.sort(key=lambda mutant: abs(mutant.line - int(number)))
        if offers:
            found.append(offers[0])
        else:
            print("gone     " + line.split(" ", 1)[1].strip())
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", metavar="FOLDER", help="of src: " + ", ".join(CONCERNS))
    parser.add_argument("--sample", type=int, default=SAMPLE, help="mutants a folder; 0: all (%(default)s)")
    parser.add_argument("--seed", type=int, nargs="+", default=[1], help="of the choice; several share one build (1)")
    parser.add_argument("--judge", type=int, nargs="+", help="the seeds that are judged now (all)")
    parser.add_argument("--longest", type=float, default=60.0, help="seconds of a test that judges (%(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--minutes", type=float, help="plant nothing more after this time")
    parser.add_argument("--budget", type=float, default=120.0, help="seconds of tests a mutant (%(default)s)")
    parser.add_argument("--again", metavar="FILE", help="survivors of earlier output")
    parser.add_argument("--named", action="store_true", help="the mutants of tests/mutants/named.txt")
    parser.add_argument("--keep", metavar="PATTERN", nargs="?", const="^$",
                        help="mutants and sources of the last build; tests whose path matches are copied anew")
    parser.add_argument("--only", default="", metavar="PATTERN", help="those whose name, file or function match")
    parser.add_argument("--tests", default="", metavar="PATTERN", help="tests that judge: those whose name or label matches")
    parser.add_argument("--list", action="store_true", help="show the choice, build nothing")
    parser.add_argument("--write", metavar="PAGE", help="put the figures of --from into this page; plant nothing")
    parser.add_argument("--from", dest="outputs", metavar="FILE", nargs="+", default=[], help="earlier output, in order")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        if folder not in CONCERNS:
            parser.error("no folder '%s': %s" % (folder, ", ".join(CONCERNS)))

    if arguments.write:
        write_table(arguments.write, arguments.outputs)
        return 0

    # What is planted, folder by folder.
    work, totals = [], {}
    if arguments.named:
        work = [(folder_of(mutant.path), mutant, mutant.labels) for mutant in named()]
    elif arguments.keep is not None:
        numbers = planted_before(arguments.jobs, arguments.keep)
        again = survivors_in(arguments.again) if arguments.again else None
        work = [(folder_of(mutant.path), mutant, CONCERNS[folder_of(mutant.path)]) for mutant in numbers
                if again is None or str(mutant) in again]
    elif arguments.again:
        work = [(folder, mutant, CONCERNS[folder])
                for folder, mutant in ((folder_of(mutant.path), mutant) for mutant in survivors_of(arguments.again))
                if not arguments.folders or folder in arguments.folders]
    else:
        seen = set()
        for seed in arguments.seed:
            turns = []
            for folder in arguments.folders or CONCERNS:
                chosen, totals[folder] = choose(folder, arguments.sample, seed)
                turns += [(place, folder, mutant) for place, mutant in enumerate(chosen) if mutant.key() not in seen]
            # Folder after folder in turn, so that a job which is stopped has looked at all of them.
            for _, folder, mutant in sorted(turns, key=lambda turn: turn[0]):
                mutant.seed = seed
                seen.add(mutant.key())
                work.append((folder, mutant, CONCERNS[folder]))
    work = [item for item in work
            if re.search(arguments.only, "%s %s %s" % (item[1].name or "", item[1].path, item[1].function))]
    if arguments.list:
        for _, mutant, _ in work:
            print(mutant)
        return 0

    # Plant, build, judge.
    counts, seed, survivors, begin = {}, None, [], time.time()
    outside = arguments.named and not all(mutant.function for _, mutant, _ in work)
    if outside and len(work) > 1:
        print("left out, because they are not within a function; ask for each by --only:")
        for _, mutant, _ in work:
            print("" if mutant.function else "  %s\n" % mutant, end="")
        work = [item for item in work if item[1].function]
        outside = False
    if outside:
        global BUILD
        BUILD = NAMED
        configure(arguments.jobs, {}, False)
        judge = OneByOne(arguments.jobs, arguments.budget)
    else:
        numbers = numbers if arguments.keep is not None else plant(work, arguments.jobs)
        judge = AtOnce(numbers, arguments.jobs, arguments.budget, arguments.longest, arguments.tests)
    def judge_one(item):
        """(folder, mutant, verdict, name of the test); None: not now."""
        folder, mutant, labels = item
        late = arguments.minutes and time.time() - begin > 60 * arguments.minutes
        if late or (arguments.judge and mutant.seed not in arguments.judge):
            return None
        return (folder, mutant) + judge.verdict(mutant, labels)

    # Those that are built one by one share the copy
    with concurrent.futures.ThreadPoolExecutor(1 if outside else arguments.jobs) as pool:
        for done in pool.map(judge_one, work):
            if done is None:
                continue
            folder, mutant, verdict, name = done
            if mutant.seed != seed:
                seed = mutant.seed
                print("seed %d" % seed, flush=True)
            total, planted_there, caught = counts.get(folder, (totals.get(folder, 0), 0, 0))
            counts[folder] = (total, planted_there + (verdict != "refused"), caught + (verdict == "caught"))
            print("%-8s %s%s" % (verdict, mutant, " (%s)" % name if name else ""), flush=True)
            if verdict == "survived":
                survivors.append(mutant)

    # Figures; the exit code tells whether nine of ten were caught in every folder.
    poor = False
    print()
    for folder in sorted(counts, key=list(CONCERNS).index):
        _, planted, caught = counts[folder]
        share = caught / planted if planted else 1.0
        poor = poor or share < 0.9
        print("%-18s %3d of %3d caught, %3.0f %%" % (folder, caught, planted, 100 * share))
    if survivors:
        print("\nsurvivors:")
        for mutant in survivors:
            print("  %s" % mutant)
    return 1 if poor else 0


if __name__ == "__main__":
    sys.exit(main())

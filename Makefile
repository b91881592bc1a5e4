# SPDX-License-Identifier: Apache-2.0
# The front door. CMake does the work; `make help` lists what there is.

PREFIX ?= /usr/local
DESTDIR ?=
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

.PHONY: all deps web configure build command run test test-deps asan fuzz random tsan mutants coverage bench python deb format tidy docs install clean help
.NOTPARALLEL:

all: build

help:
	@echo 'make           install missing packages, configure, build into build/'
	@echo 'make run       simulate the rolling sphere and draw it'
	@echo 'make test      build and run all tests'
	@echo 'make asan      the same with address and undefined-behaviour sanitizers'
	@echo 'make mutants   plant mistakes in a copy and count those that no test notices (30 min)'
	@echo 'make coverage  lines and branches of src that the tests run (gcov, 30 min)'
	@echo 'make fuzz      a minute of libFuzzer for each reader of files (clang)'
	@echo 'make random    10,000 random machines under every method (20 min)'
	@echo 'make tsan      sims of one model in 8 threads under the thread sanitizer'
	@echo 'make bench     build and run the benchmarks'
	@echo 'make python    build the Python wheel into build/wheel'
	@echo 'make deb       build the Debian packages into build-deb'
	@echo 'make format    format the C files in place'
	@echo 'make tidy      static analysis (clang-tidy)'
	@echo 'make docs      regenerate the figures of the documentation'
	@echo 'make install   release build into PREFIX ($(PREFIX)), below DESTDIR if set'
	@echo 'make clean     remove all build folders'

deps:
	@scripts/deps.sh core

# The page that reports are made of; skipped when it is up to date.
web:
	@scripts/web.sh

configure: deps web
	@mkdir -p build
	@cmake --preset dev >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }

build: configure
	@cmake --build --preset dev --parallel $(JOBS)

# Only what it runs: the tests are most of a whole build.
command: configure
	@cmake --build --preset dev --parallel $(JOBS) --target holdfast-cli >build/build.log 2>&1 || { tail -n 40 build/build.log; exit 1; }

run: command
	build/holdfast run rolling-sphere -o build/rolling-sphere.csv
	build/holdfast plot build/rolling-sphere.csv sphere.velocity.x sphere.angular_velocity.y \
	    -o build/rolling-sphere.svg
	@echo
	@echo 'The run is in build/rolling-sphere.csv, its picture in build/rolling-sphere.svg.'
	@if [ -f web/dist/page.html ]; then \
	    build/holdfast run rolling-sphere -q --report build/rolling-sphere.html && \
	    echo 'See it move: open build/rolling-sphere.html in a browser.'; \
	fi

# What only tests need comes before the build, which looks for Python.
test-deps:
	@scripts/deps.sh python || echo 'Without its packages the tests in Python are skipped.'
	@scripts/deps.sh browser || echo 'Without Chromium the tests of the page are skipped.'

test: test-deps build
	@ctest --preset dev --parallel $(JOBS)

asan: deps web
	cmake --preset asan
	cmake --build --preset asan --parallel $(JOBS)
	ctest --preset asan --parallel $(JOBS)

mutants: deps
	@scripts/mutants.py --jobs $(JOBS)

coverage: deps web
	@JOBS=$(JOBS) scripts/coverage.sh

fuzz: build
	@scripts/deps.sh lint
	cmake --preset fuzz
	cmake --build --preset fuzz --parallel $(JOBS)
	scripts/fuzz.sh 60

random: build
	scripts/reliability.sh random

tsan: deps
	cmake --preset tsan
	cmake --build --preset tsan --parallel $(JOBS)
	build-tsan/tests/random/random check 1 20

bench:
	@scripts/deps.sh bench
	cmake --preset bench
	cmake --build --preset bench --parallel $(JOBS)
	bench/run build-bench

# Debian's own interpreter: another one may have neither numpy nor the build tools.
PYTHON ?= /usr/bin/python3
python: deps web
	@scripts/deps.sh python
	@mkdir -p build/wheel
	$(PYTHON) -m build --no-isolation --wheel --outdir build/wheel python
	@echo "$(PYTHON) -m pip install $$(ls -t build/wheel/*.whl | head -1)"

deb: deps web
	@scripts/deps.sh python deb
	@scripts/deb.sh

format:
	@scripts/deps.sh format
	git ls-files '*.c' '*.h' | xargs clang-format -i

tidy:
	@scripts/deps.sh lint
	cmake --preset dev
	git ls-files 'src/*.c' | xargs -n 1 -P $(JOBS) clang-tidy -p build --quiet

docs: build
	@scripts/deps.sh docs
	scripts/docs.sh
	scripts/site.sh

install: deps web
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS)
	DESTDIR='$(DESTDIR)' cmake --install build-release --prefix '$(PREFIX)'

clean:
	rm -rf build build-asan build-coverage build-release build-bench build-mutants build-shared build-clang build-plain build-deb web/dist

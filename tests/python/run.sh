#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tests of the Python package, and the snippets of its pages.
#   run.sh SOURCE-FOLDER BUILD-FOLDER PYTHON MODULE
set -eu
source=$1 build=$2 python=$3 module=$4
if [ -z "$module" ]; then
    echo "skipped: the package was not built; it needs python3-dev"
    exit 77
fi
if ! "$python" -c 'import numpy, pytest' 2>/dev/null; then
    echo "skipped: $python has no numpy or no pytest (python3-numpy, python3-pytest)"
    exit 77
fi
export PYTHONPATH="$build/python" PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=Agg
cd "$build/python" # not the source folder: its package has no extension
exec "$python" -m pytest -q -p no:cacheprovider "$source/python/tests"

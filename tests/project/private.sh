#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cmake/private-symbols.txt has all that the libraries use of each other; else shared libraries do not
# link.
#   private.sh SOURCE-FOLDER BUILD-FOLDER
set -euo pipefail
missing=$("$1/scripts/private-symbols.sh" "$2" | grep -vxF -f "$1/cmake/private-symbols.txt" || true)
if [ -n "$missing" ]; then
    echo "$missing"
    echo "not in cmake/private-symbols.txt; run scripts/private-symbols.sh build >cmake/private-symbols.txt"
    exit 1
fi

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# One kind of body, coupling, method or law is named in its own room: elsewhere code asks its table
# (hf_body_ops, hf_coupling_ops, hf_method_info, hf_law_info). Files that name one all the same are
# listed below with the reason; a further one, or one that no longer does, is refused.
#   rooms.sh ROOT
set -euo pipefail
include=$(cd "$(dirname "$0")/../../include/holdfast" && pwd)
cd "$1"

# pattern_of PREFIX: the constants of a kind, from standard input one a line
pattern_of() {
    echo "$1($(paste -sd'|'))"
}
# kinds: room, where they are named besides readers of model files, and their constants
bodies=$(sed -n 's/^HF_BODY(\([A-Z0-9_]*\),.*/\1/p' "$include/bodies.def" | pattern_of HF_BODY_)
methods=$(sed -n 's/^HF_METHOD(\([A-Z0-9_]*\),.*/\1/p' "$include/methods.def" | pattern_of HF_METHOD_)
laws=$(sed -n 's/^HF_LAW(\([A-Z0-9_]*\),.*/\1/p' "$include/laws/laws.def" | pattern_of HF_LAW_)
couplings=$(sed -n '/define HF_COUPLINGS/,/^$/s/^ *X(\([A-Z]*\),.*/\1/p' "$include/coupling_type.h" |
            pattern_of HF_COUPLING_)

exceptions='
bodies src/models/sections/read_bodies.c    reader
bodies src/models/sections/read_tree.c      reader
bodies src/spec/spec_bodies.c               links are added together with their tree
bodies src/spec/spec_copy.c                 bodies of the program are not copied
bodies src/sim/batch.c                      says so
bodies src/cli/channels.c                   public interface only
bodies src/cli/falls.c                      public interface only
bodies src/fit/problem.c                    public interface only
couplings src/models/sections/read_collide.c    reader
couplings src/models/sections/read_contacts.c   reader
couplings src/models/sections/read_forces.c     reader
couplings src/models/sections/read_own_law.c    reader
couplings src/models/sections/read_pairs.c      reader
couplings src/models/sections/read_path.c       reader
couplings src/models/sections/read_places.c     reader
couplings src/models/sections/read_ratio.c      reader
couplings src/compile/fingerprint.c         which members of the definition count
couplings src/spec/spec_bodies.c            default; turns that bodies count
methods src/cli/nlp.c                       loads its module
methods src/fit/inverse.c                   chooses one
methods src/models/load.c                   chooses one for robots
methods src/sim/loads.c                     advice
laws src/spec/spec_bodies.c                 default; a spring without stiffness is a damper
'

bad=0
for kind in bodies couplings methods laws; do
    found=$(find src -name '*.[ch]' ! -path "src/$kind/*" -print0 |
            xargs -0 grep -nE "\<${!kind}\>" | grep -vE ':[0-9]+: *//' || true)
    while IFS=: read -r file line _; do
        if [ -n "$file" ] && ! grep -qF "$kind $file " <<<"$exceptions"; then
            echo "$file:$line: names one of the $kind: ask its table, or say in rooms.sh why not"
            bad=1
        fi
    done <<<"$found"
    named=$(cut -d: -f1 <<<"$found" | LC_ALL=C sort -u)
    for file in $(awk -v kind="$kind" '$1 == kind { print $2 }' <<<"$exceptions"); do
        if ! grep -qxF "$file" <<<"$named"; then
            echo "$file: names none of the $kind any more: take its line out of rooms.sh"
            bad=1
        fi
    done
    echo "$kind: named in $(grep -c . <<<"$named" || true) files outside src/$kind"
done
exit "$bad"

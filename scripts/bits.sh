#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints a hash of the recording of every example, and of each of its variants, under every method:
# what a change that must not change results is compared by.
#   scripts/bits.sh build/holdfast >before; (change) ; scripts/bits.sh build/holdfast | diff before -
# DURATION [s] (0.05 unless given) bounds each run, BITS_JOBS (2) how many go on at once, BITS_METHODS
# the methods and BITS_EXAMPLES (a pattern of grep) the examples. A run is ended after 20 s of
# processor time, so that a loaded machine gives the same lines.
set -eu
holdfast=$(realpath "${1:?usage: bits.sh HOLDFAST}")
duration=${DURATION:-0.05}
here=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM

# one HOLDFAST FOLDER DURATION EXAMPLE VARIANT METHOD: a line "example variant method hash"
cat >"$folder/one" <<'ONE'
#!/bin/sh
file="$2/$4-$5-$6.csv"
set -- "$@" "$file"
variant=
[ "$5" = - ] || variant="--variant $5"
status=0
(
    ulimit -t 20
    exec "$1" run "$4" $variant --method "$6" --duration "$3" -q -o "$file"
) >/dev/null 2>&1 || status=$?
hash=none
[ ! -f "$file" ] || hash=$(grep -v '^#' "$file" | sha256sum | cut -c1-16)
case $status in
0) echo "$4 $5 $6 $hash" ;;
1) echo "$4 $5 $6 failed $hash" ;;
2) echo "$4 $5 $6 refused" ;;
*) echo "$4 $5 $6 ended with $status" ;;
esac
rm -f "$file"
ONE
chmod +x "$folder/one"

for path in "$here"/examples/*.yaml; do
    example=$(basename "$path" .yaml)
    echo "$example" | grep -q "${BITS_EXAMPLES:-.}" || continue
    variants=$(awk '/^variants:/ {in_it = 1; next} /^[^ #]/ {in_it = 0}
                    in_it && /^  [A-Za-z0-9_-]+:/ {sub(/:.*/, ""); print $1}' "$path")
    for variant in - $variants; do
        for method in ${BITS_METHODS:-euler semi-implicit-euler rk4 rk4-tau discrete adaptive switch timestep nlp}; do
            # Programs of hundreds of contacts take minutes.
            case $method-$example in nlp-wall | nlp-pile | nlp-stack | nlp-card-house | nlp-dominoes) continue ;; esac
            echo "$holdfast $folder $duration $path $variant $method"
        done
    done
done >"$folder/all"
sed 's| [^ ]*/examples/\([^ ]*\)\.yaml | \1 |' "$folder/all" |
    xargs -P "${BITS_JOBS:-2}" -L 1 "$folder/one" | LC_ALL=C sort

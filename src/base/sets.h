// SPDX-License-Identifier: Apache-2.0
// Disjoint sets of the numbers 0 to n - 1 (union-find): what is joined, directly or through others,
// has one root. The root of a set is its lowest number, whatever the order of joining.
#ifndef HF_BASE_SETS_H
#define HF_BASE_SETS_H

// Every number alone. `parent` has room for `count` numbers.
void hf_sets_clear(int *parent, int count);
// The lowest number of the set of i. Shortens paths, so `parent` changes; roots do not.
int hf_sets_root(int *parent, int i);
void hf_sets_join(int *parent, int i, int j);

#endif

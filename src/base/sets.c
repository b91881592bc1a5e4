// SPDX-License-Identifier: Apache-2.0
// Disjoint sets (union-find). The root of a set is its lowest number.
#include "base/sets.h"

void hf_sets_clear(int *parent, int count)
{
    for (int i = 0; i < count; ++i) {
        parent[i] = i;
    }
}

int hf_sets_root(int *parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

void hf_sets_join(int *parent, int i, int j)
{
    int a = hf_sets_root(parent, i), b = hf_sets_root(parent, j);
    parent[a > b ? a : b] = a > b ? b : a;
}

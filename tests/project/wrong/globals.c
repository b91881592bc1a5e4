// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the symbol test must refuse a mutable global and a name without prefix.
extern int hf_wrong_global;
int hf_wrong_global = 1;

extern const int wrong_name;
const int wrong_name = 2;

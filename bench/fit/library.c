// SPDX-License-Identifier: Apache-2.0
// One shared library of those that fit.py calls: they are linked into it whole, and this file is
// only there because a library needs one.
extern const int hf_bench_fit_library;
const int hf_bench_fit_library = 1;

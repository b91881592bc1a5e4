// SPDX-License-Identifier: Apache-2.0
#ifndef HF_BENCH_ADAPTIVE_LAWS_H
#define HF_BENCH_ADAPTIVE_LAWS_H

// Rows of the oscillator's table: [Farhat2010] (10) straight into CVODE, with friction as a
// function of the velocity: its sign, saturated lines, Quinn's regularization.
void hf_bench_other_laws(void);

#endif

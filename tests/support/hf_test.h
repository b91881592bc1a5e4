// SPDX-License-Identifier: Apache-2.0
// What the tests share: comparisons that say what went wrong, random numbers that can be repeated,
// a count of allocations. Includes cmocka and what it needs.
#ifndef HF_TEST_H
#define HF_TEST_H

// cmocka.h needs these before it.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <stdbool.h>

// Runs an array of struct CMUnitTest and gives main's return value. On failure prints the seed of
// the random numbers that were used.
#define hf_run_tests(tests) hf_run_tests_at(#tests, tests, sizeof(tests) / sizeof((tests)[0]))
int hf_run_tests_at(const char *group, const struct CMUnitTest *tests, size_t count);

// Makes a folder for this test alone, works in it from now on, and removes it with its files when
// the test ends: what tests write by a name without a folder is written there, wherever they were
// started.
void hf_work_in_own_folder(void);

// Fails unless |got - want| <= allowance; so NaN and infinite numbers fail, unless got and want are
// the same infinity. `quantity` names what is compared ("z(T)"), `origin` where the wanted value
// comes from ("closed form", "[Xiong2013] (18a)").
#define hf_check_near(got, want, allowance, quantity, origin)                                      \
    hf_check_near_at(__FILE__, __LINE__, got, want, allowance, quantity, origin)
void hf_check_near_at(const char *file, int line, double got, double want, double allowance,
                      const char *quantity, const char *origin);

// The same for arrays; the index is added to the quantity.
#define hf_check_near_array(got, want, count, allowance, quantity, origin)                         \
    hf_check_near_array_at(__FILE__, __LINE__, got, want, count, allowance, quantity, origin)
void hf_check_near_array_at(const char *file, int line, const double *got, const double *want,
                            int count, double allowance, const char *quantity, const char *origin);

// Fails unless value <= limit (NaN fails).
#define hf_check_below(value, limit, quantity, origin)                                             \
    hf_check_below_at(__FILE__, __LINE__, value, limit, quantity, origin)
void hf_check_below_at(const char *file, int line, double value, double limit, const char *quantity,
                       const char *origin);

// Fails unless a and b have the same bits (so 0.0 and -0.0 differ, and a NaN equals itself).
#define hf_check_same_bits(got, want, quantity)                                                    \
    hf_check_same_bits_at(__FILE__, __LINE__, got, want, quantity)
void hf_check_same_bits_at(const char *file, int line, double got, double want,
                           const char *quantity);

// ------------------------------------------------------------------------------------------------
// Random numbers: xoshiro256** seeded by splitmix64. The same seed gives the same numbers on every
// machine.

typedef struct hf_rng {
    uint64_t s[4];
} hf_rng;

// Starts a generator from `seed`, or from the environment variable HF_SEED when it is set. A
// failing check prints the seed.
hf_rng hf_rng_create(uint64_t seed);
uint64_t hf_rng_bits(hf_rng *rng);
double hf_rng_uniform(hf_rng *rng, double low, double high);     // [low, high)
double hf_rng_log_uniform(hf_rng *rng, double low, double high); // 0 < low < high
double hf_rng_normal(hf_rng *rng);                               // mean 0, variance 1
int hf_rng_int(hf_rng *rng, int low, int high);                  // low..high, both included
bool hf_rng_bool(hf_rng *rng);

// ------------------------------------------------------------------------------------------------
// Allocations

// How often memory was asked for (malloc, calloc, realloc, aligned_alloc, posix_memalign, and what
// libc does with them) since the program began, by any code in the process. Skips the running test
// where allocations cannot be counted (neither glibc nor AddressSanitizer).
//
//   long long before = hf_test_allocations();
//   assert_int_equal(hf_sim_step(sim, &err), HF_OK);
//   assert_int_equal(hf_test_allocations() - before, 0);
long long hf_test_allocations(void);

#endif

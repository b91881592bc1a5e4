// SPDX-License-Identifier: Apache-2.0
// What the tests share: comparisons, random numbers, a count of allocations.
#include "hf_test.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The seed of the latest generator, for messages. Tests run in one thread.
static uint64_t latest_seed;
static bool seed_used;

static void print_seed(void)
{
    if (seed_used) {
        print_error("seed %" PRIu64 "; HF_SEED=%" PRIu64 " repeats it\n", latest_seed, latest_seed);
    }
}

// The file's name without its folders.
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int hf_run_tests_at(const char *group, const struct CMUnitTest *tests, size_t count)
{
    int failed = _cmocka_run_group_tests(group, tests, count, NULL, NULL);
    if (failed != 0) {
        print_seed();
    }
    return failed;
}

static char own_folder[300];

static void remove_own_folder(void)
{
    DIR *folder = chdir(own_folder) == 0 ? opendir(".") : NULL;
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        (void)unlink(entry->d_name); // "." and ".." stay
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    (void)rmdir(own_folder);
}

void hf_work_in_own_folder(void)
{
    const char *temporary = getenv("TMPDIR");
    (void)snprintf(own_folder, sizeof own_folder, "%.200s/holdfast-test-XXXXXX",
                   temporary != NULL && temporary[0] == '/' ? temporary : "/tmp");
    if (mkdtemp(own_folder) == NULL || chdir(own_folder) != 0 || atexit(remove_own_folder) != 0) {
        print_error("%s: %s\n", own_folder, strerror(errno));
        abort();
    }
}

void hf_check_near_at(const char *file, int line, double got, double want, double allowance,
                      const char *quantity, const char *origin)
{
    double off = fabs(got - want);
    if (off <= allowance || (isinf(got) && got == want)) {
        return;
    }
    print_error("%s:%d: %s: got %.17g, want %.17g (%s), off by %.3g, allowed %.3g\n",
                base_name(file), line, quantity, got, want, origin, off, allowance);
    print_seed();
    _fail(file, line);
}

void hf_check_near_array_at(const char *file, int line, const double *got, const double *want,
                            int count, double allowance, const char *quantity, const char *origin)
{
    for (int i = 0; i < count; i++) {
        char name[160];
        snprintf(name, sizeof name, "%s[%d]", quantity, i);
        hf_check_near_at(file, line, got[i], want[i], allowance, name, origin);
    }
}

void hf_check_below_at(const char *file, int line, double value, double limit, const char *quantity,
                       const char *origin)
{
    if (value <= limit) {
        return;
    }
    print_error("%s:%d: %s: got %.17g, want at most %.17g (%s)\n", base_name(file), line, quantity,
                value, limit, origin);
    print_seed();
    _fail(file, line);
}

void hf_check_same_bits_at(const char *file, int line, double got, double want,
                           const char *quantity)
{
    if (memcmp(&got, &want, sizeof got) == 0) {
        return;
    }
    print_error("%s:%d: %s: got %a, want the same bits as %a\n", base_name(file), line, quantity,
                got, want);
    print_seed();
    _fail(file, line);
}

// ------------------------------------------------------------------------------------------------
// Random numbers

// splitmix64                                                            [Steele, Lea, Flood 2014]
static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static uint64_t rotate_left(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

hf_rng hf_rng_create(uint64_t seed)
{
    const char *text = getenv("HF_SEED");
    if (text && *text) {
        char *end = NULL;
        errno = 0;
        uint64_t given = strtoull(text, &end, 10);
        if (errno != 0 || *end != '\0') {
            fail_msg("HF_SEED=%s is not a whole number", text);
        }
        seed = given;
    }
    latest_seed = seed;
    seed_used = true;
    hf_rng rng;
    for (int i = 0; i < 4; i++) {
        rng.s[i] = splitmix64(&seed);
    }
    return rng;
}

// xoshiro256**                                                               [Blackman, Vigna 2021]
uint64_t hf_rng_bits(hf_rng *rng)
{
    uint64_t *s = rng->s;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

// 53 random bits in [0, 1)
static double unit(hf_rng *rng)
{
    return (double)(hf_rng_bits(rng) >> 11) * 0x1p-53;
}

double hf_rng_uniform(hf_rng *rng, double low, double high)
{
    return low + (high - low) * unit(rng);
}

double hf_rng_log_uniform(hf_rng *rng, double low, double high)
{
    return exp(hf_rng_uniform(rng, log(low), log(high)));
}

// Box and Muller; 1 - unit is never zero.
double hf_rng_normal(hf_rng *rng)
{
    double radius = sqrt(-2.0 * log(1.0 - unit(rng)));
    return radius * cos(6.283185307179586 * unit(rng));
}

int hf_rng_int(hf_rng *rng, int low, int high)
{
    uint64_t span = (uint64_t)((int64_t)high - (int64_t)low + 1);
    return (int)((int64_t)low + (int64_t)(hf_rng_bits(rng) % span));
}

bool hf_rng_bool(hf_rng *rng)
{
    return (hf_rng_bits(rng) >> 63) != 0;
}

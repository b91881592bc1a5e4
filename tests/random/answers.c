// SPDX-License-Identifier: Apache-2.0
// What machines do under every method, compared with what they are known to do.
//   answers FILE EXAMPLES              runs every line of FILE again; exit code 1: one is different
//   answers again FILE EXAMPLES        the same, and prints the lines as they are now
//   answers write STEPS EXAMPLES MODEL...
//                                      prints the lines: a model is the seed of a random machine
//                                      (machine.h) or a file of the folder EXAMPLES
// A line is a model, its steps, a method, how the run ended, what it cost and four numbers. All
// channels are in these, as sums with a weight for each channel's name, in the mean over the run:
//
//   s = sum over channels of w asinh(value / SMALL) / sqrt(channels),    w in (-1, 1)
//
// so that a change of one part in a million is seen, of a force of 1e4 N as of a gap of 1 mm. The
// lines are no proof that an answer is right: other tests compare with closed forms, and methods
// with each other. These notice that an answer, or its cost, has changed.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <holdfast/holdfast.h>

#include "machine.h"

// Channels by their units: places [m, rad], speeds [m/s, rad/s], forces [N, Nm], the rest.
enum { GROUPS = 4, COSTS = 4 };

static const double STEP = 1e-3;  // of random machines [s]
static const double SMALL = 1e-4; // values below it count by their size, above by their share
static const double NEAR = 2e-5;  // by which a number may differ
static const double SHARE = 0.2;  // by which a cost may differ
static const long long FEW = 4;   // besides so many
static const double DEAR = 0.25;  // runs that take longer are not written [s]
static const char *const COST_NAMES[COSTS] = {"events", "evaluations", "iterations", "steps"};
static const char *const GROUP_NAMES[GROUPS] = {"places", "speeds", "forces", "the rest"};

typedef struct answer {
    char end[16]; // refused, failed, doubtful, sound
    long long costs[COSTS];
    double sums[GROUPS];
    char why[200];
    double seconds;
} answer;

static double processor_time(void)
{
    return (double)clock() / (double)CLOCKS_PER_SEC;
}

// In (-1, 1), the same for the same name.
static double weight_of(const char *name)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *name != '\0'; ++name) {
        hash = (hash ^ (unsigned char)*name) * UINT64_C(1099511628211);
    }
    hf_rng rng = hf_rng_create(hash);
    return hf_rng_uniform(&rng, -1.0, 1.0);
}

static int group_of(const char *unit)
{
    static const char *const units[GROUPS - 1][2] = {{"m", "rad"}, {"m/s", "rad/s"}, {"N", "Nm"}};
    for (int g = 0; g < GROUPS - 1; ++g) {
        if (strcmp(unit, units[g][0]) == 0 || strcmp(unit, units[g][1]) == 0) {
            return g;
        }
    }
    return GROUPS - 1;
}

static void add_channels(hf_sim *sim, answer *a)
{
    const hf_model *model = hf_sim_model(sim);
    const double *values = hf_sim_values(sim);
    int count = hf_model_channel_count(model);
    for (int i = 0; i < count; ++i) {
        char name[200];
        hf_channel channel = {i + 1};
        hf_model_channel_name(model, channel, name, sizeof name);
        if (strncmp(name, "solver.", 7) == 0) { // its work is among the costs
            continue;
        }
        a->sums[group_of(hf_model_channel_unit(model, channel))] +=
            weight_of(name) * asinh(values[i] / SMALL) / sqrt((double)count);
    }
}

static void run(hf_sim *sim, int steps, answer *a)
{
    hf_error error = {0};
    int samples = 0;
    bool failed = false;
    for (int k = 0; k < steps && !failed; ++k) {
        failed = hf_sim_step(sim, &error) < 0;
        // The last state of all, and some on the way
        if (!failed && (k % 7 == 0 || k == steps - 1)) {
            add_channels(sim, a);
            ++samples;
        }
    }
    for (int g = 0; g < GROUPS && samples > 0; ++g) {
        a->sums[g] /= samples;
    }
    hf_sim_stats stats = hf_sim_get_stats(sim);
    a->costs[0] = stats.events;
    a->costs[1] = stats.evaluations;
    a->costs[2] = stats.solver_iterations;
    a->costs[3] = stats.internal_steps;
    hf_verdict verdict = hf_sim_verdict(sim);
    (void)strcpy(a->end, failed ? "failed" : verdict.trustworthy ? "sound" : "doubtful");
    (void)snprintf(a->why, sizeof a->why, "%.199s", failed ? error.text : verdict.why);
}

static hf_model *read_model(const char *name, const char *folder, const char *method,
                            hf_error *error)
{
    char *rest = NULL;
    uint64_t seed = strtoull(name, &rest, 10);
    hf_overrides overrides = {.method = method};
    if (*rest != '\0') {
        char path[600];
        (void)snprintf(path, sizeof path, "%s/%s", folder, name);
        return hf_model_load_changed(path, &overrides, error);
    }
    static hf_random_machine machine;
    hf_random_machine_make(&machine, seed, 1.0);
    char *text = hf_random_machine_text(&machine, 0);
    overrides.step = STEP;
    hf_model *model = hf_model_parse(text, strlen(text), "random.yaml", NULL, &overrides, error);
    free(text);
    return model;
}

static answer answer_of(const char *name, const char *folder, const char *method, int steps)
{
    answer a = {.end = "refused"};
    hf_error error = {0};
    double start = processor_time();
    hf_model *model = read_model(name, folder, method, &error);
    hf_sim *sim = NULL;
    if (model != NULL) {
        hf_sim_def def = hf_sim_def_default(model);
        def.methods[0] = hf_adaptive_methods();
        def.methods[1] = hf_contact_methods();
        sim = hf_sim_create(model, &def, &error);
    }
    if (sim != NULL) {
        run(sim, steps, &a);
    } else {
        (void)snprintf(a.why, sizeof a.why, "%.199s", error.text);
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    a.seconds = processor_time() - start;
    return a;
}

// ------------------------------------------------------------------------------------------------

static void print_line(const char *model, int steps, const char *method, const answer *a)
{
    bool ran = strcmp(a->end, "refused") != 0;
    (void)printf("%s %d %s %s", model, steps, method, a->end);
    for (int k = 0; k < COSTS && ran; ++k) {
        (void)printf(" %lld", a->costs[k]);
    }
    for (int g = 0; g < GROUPS && ran; ++g) {
        (void)printf(" %.6f", a->sums[g]);
    }
    (void)printf("\n");
}

static int write_lines(int steps, const char *folder, char **models, int count)
{
    for (int i = 0; i < count; ++i) {
        for (int m = 0; m < HF_METHOD_COUNT; ++m) {
            const char *method = hf_method_name((hf_method_type)m);
            // IPOPT's answers depend on the library's version
            if (m == HF_METHOD_NLP) {
                continue;
            }
            answer a = answer_of(models[i], folder, method, steps);
            if (a.seconds > DEAR) {
                continue;
            }
            print_line(models[i], steps, method, &a);
        }
    }
    return 0;
}

// Prints what is different, or the line anew.
static int compare(const char *line, const char *folder, bool again)
{
    char name[100], method[40], end[16];
    int steps, used = 0, bad = 0;
    if (sscanf(line, "%99s %d %39s %15s%n", name, &steps, method, end, &used) != 4) {
        (void)printf("not a line of answers: %s\n", line);
        return 1;
    }
    answer a = answer_of(name, folder, method, steps);
    if (again) {
        print_line(name, steps, method, &a);
        return 0;
    }
    if (strcmp(a.end, end) != 0) {
        (void)printf("%s %s: %s, was %s; %s\n", name, method, a.end, end, a.why);
        return 1;
    }
    if (strcmp(end, "refused") == 0) {
        return 0;
    }
    // Costs, then sums
    char *at = NULL;
    const char *from = line + used;
    for (int k = 0; k < COSTS; ++k, from = at) {
        long long known = strtoll(from, &at, 10);
        if (llabs(a.costs[k] - known) > FEW + (long long)(SHARE * (double)known)) {
            (void)printf("%s %s: %lld %s, were %lld\n", name, method, a.costs[k], COST_NAMES[k],
                         known);
            bad = 1;
        }
    }
    for (int g = 0; g < GROUPS; ++g, from = at) {
        double known = strtod(from, &at);
        if (!(fabs(a.sums[g] - known) <= NEAR)) {
            (void)printf("%s %s: the sum of %s is %.6f, was %.6f, may differ by %.0e\n", name,
                         method, GROUP_NAMES[g], a.sums[g], known, NEAR);
            bad = 1;
        }
    }
    return bad;
}

static int check(const char *path, const char *folder, bool again)
{
    char line[400];
    int lines = 0, bad = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        (void)fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return 2;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] != '#') {
            ++lines;
            bad += compare(line, folder, again);
        }
    }
    (void)fclose(file);
    (void)fprintf(again ? stderr : stdout, "%d runs, %d of them different\n", lines, bad);
    return lines == 0 || bad > 0;
}

int main(int count, char **words)
{
    if (count >= 5 && strcmp(words[1], "write") == 0) {
        return write_lines(atoi(words[2]), words[3], words + 4, count - 4);
    }
    if (count == 4 && strcmp(words[1], "again") == 0) {
        return check(words[2], words[3], true);
    }
    if (count == 3) {
        return check(words[1], words[2], false);
    }
    (void)fprintf(stderr, "usage: answers [again] FILE EXAMPLES | write STEPS EXAMPLES MODEL...\n");
    return 2;
}

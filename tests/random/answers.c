// SPDX-License-Identifier: Apache-2.0
// What machines do under every method, compared with what they are known to do.
//   answers FILE EXAMPLES              runs every line of FILE again; exit code 1: one is different
//   answers again FILE EXAMPLES        the same, and prints the lines as they are now
//   answers write STEPS EXAMPLES MODEL...
//                                      prints the lines: a model is the seed of a random machine
//                                      (machine.h) or a file of the folder EXAMPLES
// A line is a model, its steps, a method, how the run ended, what it cost, four numbers and a hash.
// The hash is of the bits of all channels at every step that is looked at, and of what the run
// cost. The first line of FILE has a hash of the C library's functions (sin, pow, ...). Where they
// give the same bits on this machine, runs must give the same bits too. Where they do not, costs
// are compared within a fifth, and the four numbers, which have all channels in them as sums with a
// weight for each channel's name, in the mean over the run:
//
//   s = sum over channels of w asinh(value / SMALL) / sqrt(channels),    w in (-1, 1)
//
// so that a change of one part in a million is seen, of a force of 1e4 N as of a gap of 1 mm. The
// lines are no proof that an answer is right: other tests compare with closed forms, and methods
// with each other. These notice that an answer, or its cost, has changed.
#include <errno.h>
#include <inttypes.h>
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
    uint64_t bits;
    bool unlike; // a restored run came to another end
    char why[200];
    double seconds;
} answer;

static double processor_time(void)
{
    return (double)clock() / (double)CLOCKS_PER_SEC;
}

// FNV-1a, byte by byte.
static const uint64_t HASH_BEGIN = UINT64_C(14695981039346656037);

static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

// Zeros of both signs are the same.
static uint64_t add_number(uint64_t hash, double value)
{
    value += 0.0;
    return add_bytes(hash, &value, sizeof value);
}

// Of the functions of the C library that the library calls, at many places.
static uint64_t hash_of_functions(void)
{
    static double (*const functions[])(double) = {sin, cos,  tan,    asin, acos, atan, exp,  expm1,
                                                  log, tanh, lgamma, sinh, cosh, sqrt, cbrt, log10};
    uint64_t hash = HASH_BEGIN;
    for (int k = 1; k <= 1000; ++k) {
        double x = k / 1001.0; // within the range of them all
        for (size_t f = 0; f < sizeof functions / sizeof functions[0]; ++f) {
            hash = add_number(hash, functions[f](x));
        }
        hash = add_number(hash, pow(3.0 * x, 7.0 * x));
        hash = add_number(hash, atan2(x - 0.3, 0.7 - x));
        hash = add_number(hash, hypot(x, 1.0 - x));
    }
    return hash;
}

// In (-1, 1), the same for the same name.
static double weight_of(const char *name)
{
    hf_rng rng = hf_rng_create(add_bytes(HASH_BEGIN, name, strlen(name)));
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
        a->bits = add_number(a->bits, values[i]);
        if (strncmp(name, "solver.", 7) == 0) { // its work is among the costs
            continue;
        }
        a->sums[group_of(hf_model_channel_unit(model, channel))] +=
            weight_of(name) * asinh(values[i] / SMALL) / sqrt((double)count);
    }
}

static void note_event(void *context, const hf_event *event)
{
    answer *a = context;
    a->bits = add_number(a->bits, event->time);
    a->bits = add_bytes(a->bits, &event->force.id, sizeof event->force.id);
    a->bits = add_bytes(a->bits, &event->from, sizeof event->from);
    a->bits = add_bytes(a->bits, &event->to, sizeof event->to);
}

static uint64_t add_vector(uint64_t hash, hf_vec3 v)
{
    return add_number(add_number(add_number(hash, v.x), v.y), v.z);
}

// Statistics, but for bytes of memory: these depend on the build.
static uint64_t add_stats(uint64_t hash, const hf_sim_stats *s)
{
    const double numbers[] = {
        s->largest_penetration, s->largest_opening, s->largest_opening_angle, s->residual,
        s->worst_residual,      s->worst_unmet,     s->unsettled_turn,        s->largest_correction,
    };
    const long long counts[] = {
        s->steps,       s->evaluations,       s->observations,   s->internal_steps,
        s->restarts,    s->error_failures,    s->solve_failures, s->events,
        s->contacts,    s->chatter_events,    s->iterations,     s->most_contacts,
        s->unmet_steps, s->solver_iterations, s->unsolved_steps, s->most_iterations,
        s->most_turns,  s->free_steps,        s->warm_steps,     s->lowered_impacts,
        s->cut_steps,   s->passages,
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        hash = add_number(hash, numbers[i]);
    }
    hash = add_bytes(hash, s->solved_by, sizeof s->solved_by);
    return add_bytes(hash, counts, sizeof counts);
}

// But for what is counted at every solution, some of which are made to look at the run.
static void add_counts(const hf_sim *sim, answer *a)
{
    hf_sim_stats stats = hf_sim_get_stats(sim);
    stats.evaluations = stats.observations = stats.unsolved_steps = 0;
    stats.worst_residual = 0.0;
    a->bits = add_stats(a->bits, &stats);
}

// What the run says of itself at its end: energy, verdict, contacts and forces.
static void add_end(hf_sim *sim, answer *a)
{
    enum { MOST = 64 };
    uint64_t hash = a->bits;
    hf_energy energy = hf_sim_energy(sim);
    const double energies[] = {energy.kinetic, energy.potential,  energy.stored,   energy.input,
                               energy.start,   energy.dissipated, energy.residual, energy.turnover};
    for (size_t i = 0; i < sizeof energies / sizeof energies[0]; ++i) {
        hash = add_number(hash, energies[i]);
    }
    hf_verdict verdict = hf_sim_verdict(sim);
    hash = add_number(add_number(hash, verdict.ledger), verdict.largest_step);
    hash = add_bytes(hash, &verdict.reasons, sizeof verdict.reasons);
    // Where contacts are, and what forces do
    hf_contact_view contacts[MOST];
    int count = hf_sim_contacts(sim, contacts, MOST);
    for (int i = 0; i < count && i < MOST; ++i) {
        const hf_contact_view *c = &contacts[i];
        hash = add_vector(add_vector(add_vector(hash, c->point), c->normal), c->push);
        hash = add_number(add_number(hash, c->gap), (double)c->regime);
        hash = add_number(add_number(add_number(hash, c->on.id), c->to.id), c->force.id);
    }
    int forces = hf_model_get_info(hf_sim_model(sim)).forces;
    for (int i = 0; i < forces && i < MOST; ++i) {
        hf_force_view f = hf_sim_force_view(sim, (hf_force){i + 1});
        hash = add_vector(add_vector(add_vector(hash, f.on_point), f.to_point), f.force);
        hash = add_number(add_number(add_number(hash, f.size), f.gap), (double)f.regime);
    }
    a->bits = hash;
}

// Runs on for two steps, in pieces that end where no step does.
static void run_pieces(hf_sim *sim, double step, answer *a)
{
    static const double ends[] = {0.37, 0.38, 1.9};
    double start = hf_sim_time(sim);
    for (size_t k = 0; k < sizeof ends / sizeof ends[0]; ++k) {
        hf_error error = {0};
        hf_status status = hf_sim_advance(sim, start + ends[k] * step, k == 1, &error);
        a->bits = add_number(add_number(a->bits, (double)status), hf_sim_time(sim));
        const double *values = hf_sim_values(sim);
        int count = hf_model_channel_count(hf_sim_model(sim));
        for (int i = 0; i < count; ++i) {
            a->bits = add_number(a->bits, values[i]);
        }
    }
}

// Whether a sim that takes the saved state comes to where this one is, with the same bits and
// counts.
static bool comes_again(hf_sim *sim, const void *saved, size_t size, int steps)
{
    hf_error error = {0};
    answer first = {.bits = HASH_BEGIN}, again = {.bits = HASH_BEGIN};
    hf_sim_def def = hf_sim_def_default(hf_sim_model(sim));
    def.methods[0] = hf_adaptive_methods();
    def.methods[1] = hf_contact_methods();
    hf_sim *other = hf_sim_create(hf_sim_model(sim), &def, &error);
    bool good = other != NULL && hf_sim_restore(other, saved, size, &error) == HF_OK;
    for (int k = 0; k < steps && good; ++k) {
        good = hf_sim_step(other, &error) == HF_OK;
    }
    if (good) {
        add_channels(sim, &first);
        add_channels(other, &again);
        add_end(sim, &first);
        add_end(other, &again);
        add_counts(sim, &first);
        add_counts(other, &again);
        good = first.bits == again.bits;
    }
    hf_sim_destroy(other);
    return good;
}

static void run(hf_sim *sim, int steps, answer *a)
{
    enum { AFTER = 10 }; // steps from the saved state to the end
    hf_error error = {0};
    int samples = 0;
    bool failed = false;
    void *saved = NULL;
    size_t size = 0;
    for (int k = 0; k < steps && !failed; ++k) {
        if (k == steps - AFTER) {
            size = hf_sim_save_size(sim);
            saved = malloc(size);
            hf_sim_save(sim, saved);
        }
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
    a->bits = add_stats(a->bits, &stats);
    add_end(sim, a);
    hf_verdict verdict = hf_sim_verdict(sim);
    (void)strcpy(a->end, failed ? "failed" : verdict.trustworthy ? "sound" : "doubtful");
    (void)snprintf(a->why, sizeof a->why, "%.199s", failed ? error.text : verdict.why);
    a->unlike = !failed && saved != NULL && !comes_again(sim, saved, size, AFTER);
    free(saved);
    if (!failed) {
        run_pieces(sim, hf_sim_method(sim).step, a);
    }
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
    answer a = {.end = "refused", .bits = HASH_BEGIN};
    hf_error error = {0};
    double start = processor_time();
    hf_model *model = read_model(name, folder, method, &error);
    hf_sim *sim = NULL;
    if (model != NULL) {
        hf_sim_def def = hf_sim_def_default(model);
        def.methods[0] = hf_adaptive_methods();
        def.methods[1] = hf_contact_methods();
        def.on_event = note_event;
        def.event_context = &a;
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
    if (ran) {
        (void)printf(" %016" PRIx64, a->bits);
    }
    (void)printf("\n");
}

static void print_functions(void)
{
    (void)printf("# functions %016" PRIx64 "\n", hash_of_functions());
}

static int write_lines(int steps, const char *folder, char **models, int count)
{
    print_functions();
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
static int compare(const char *line, const char *folder, bool exact, bool again)
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
    if (a.unlike) {
        (void)printf("%s %s: a restored run comes to another end\n", name, method);
        return 1;
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
    // Bits
    uint64_t known = strtoull(from, NULL, 16);
    if (exact && bad == 0 && a.bits != known) {
        (void)printf("%s %s: other bits: %016" PRIx64 ", were %016" PRIx64 "\n", name, method,
                     a.bits, known);
        bad = 1;
    }
    return bad;
}

static int check(const char *path, const char *folder, bool again)
{
    char line[400];
    int lines = 0, bad = 0;
    bool exact = false;
    uint64_t functions = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        (void)fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return 2;
    }
    if (again) {
        print_functions();
    }
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "# functions %" SCNx64, &functions) == 1) {
            exact = functions == hash_of_functions();
        } else if (line[0] != '#') {
            ++lines;
            bad += compare(line, folder, exact, again);
        }
    }
    (void)fclose(file);
    (void)fprintf(again ? stderr : stdout, "%d runs, %d of them different%s\n", lines, bad,
                  exact || again ? ""
                                 : "; not compared to the bit: other functions of the C library");
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

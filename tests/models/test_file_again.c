// SPDX-License-Identifier: Apache-2.0
// A file that is parsed once and read with other numbers (hf_model_file) gives the machine that the
// changed text gives: wherever a number stands in an example, a parameter takes its place. And a
// live sim that takes the numbers over is the sim of that machine, to the bit.
#include "models_test.h"

#include <dirent.h>
#include <math.h>

#include "base/arena.h"
#include "base/number.h"
#include "models/tree/node.h"
#include "sim/sim_data.h"

#define FOLDER HF_SOURCE_DIR "/examples"

enum { STEPS = 12, MOST_NUMBERS = 2000, PLACES = 4 };

// What a machine says of itself and does in a few steps; 0 with the error filled.
typedef struct outcome {
    unsigned long long model, run;
    hf_error error;
} outcome;

static unsigned long long mix(unsigned long long hash, const double *numbers, int count)
{
    for (int i = 0; i < count; ++i) {
        unsigned long long bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        hash = (hash ^ bits) * 1099511628211ULL;
    }
    return hash;
}

// Every channel at every step. A step that fails is part of what it does.
static unsigned long long steps_of(hf_sim *sim)
{
    hf_model_info info = hf_model_get_info(hf_sim_model(sim));
    unsigned long long hash = 14695981039346656037ULL;
    hf_error error = {0};
    for (int k = 0; k < STEPS; ++k) {
        hf_status status = hf_sim_step(sim, &error);
        double number = (double)status;
        hash = mix(hash, &number, 1);
        hash = mix(hash, hf_sim_positions(sim), info.coordinates);
        hash = mix(hash, hf_sim_velocities(sim), info.velocities);
        if (status < 0) {
            break;
        }
        hash = mix(hash, hf_sim_values(sim), hf_model_channel_count(hf_sim_model(sim)));
    }
    hf_energy energy = hf_sim_energy(sim);
    return mix(mix(hash, &energy.residual, 1), &energy.turnover, 1);
}

static outcome outcome_of(const hf_model *model)
{
    outcome o = {.model = hf_model_fingerprint(model)};
    hf_sim *sim = hf_sim_create(model, NULL, &o.error);
    if (sim != NULL) {
        o.run = steps_of(sim);
    }
    hf_sim_destroy(sim);
    return o;
}

// ------------------------------------------------------------------------------------------------
// Numbers of a file

static void find_numbers(const hf_node *node, const hf_node **found, int *count)
{
    double number;
    bool inner =
        node->key != NULL && (strcmp(node->key, "variants") == 0 || strcmp(node->key, "fit") == 0);
    if (inner) {
        return;
    }
    if (node->kind == HF_NODE_SCALAR && node->plain && node->exact && *count < MOST_NUMBERS &&
        hf_number_parse(node->text, strlen(node->text), &number) && isfinite(number)) {
        found[(*count)++] = node;
    }
    for (const hf_node *item = node->first; item != NULL; item = item->next) {
        find_numbers(item, found, count);
    }
}

// The text with a parameter p where the number stands.
static char *with_parameter(const char *text, const hf_node *node)
{
    const char *at = text;
    for (int line = 1; line < node->line; ++line) {
        at = strchr(at, '\n') + 1;
    }
    at += node->text_column - 1;
    const char *section = strstr(text, "\nparameters:\n");
    size_t length = strlen(node->text), size = strlen(text) + length + 64;
    char *changed = malloc(size);
    assert_non_null(changed);
    if (strncmp(at, node->text, length) != 0) { // letters of several bytes before it
        free(changed);
        return NULL;
    }
    if (section == NULL) {
        (void)snprintf(changed, size, "parameters: {hf_p: %s}\n%.*shf_p%s", node->text,
                       (int)(at - text), text, at + length);
        return changed;
    }
    section += strlen("\nparameters:\n");
    bool behind = at >= section;
    const char *first = behind ? section : at, *second = behind ? at : section;
    (void)snprintf(changed, size, "%.*s%s%s%s%.*s%s%s%s%s", (int)(first - text), text,
                   behind ? "  hf_p: " : "hf_p", behind ? node->text : "", behind ? "\n" : "",
                   (int)(second - first - (behind ? 0 : (int)length)),
                   first + (behind ? 0 : length),
                   behind ? "hf_p" : "  hf_p: ", behind ? "" : node->text, behind ? "" : "\n",
                   second + (behind ? length : 0));
    return changed;
}

// ------------------------------------------------------------------------------------------------

typedef struct tally {
    int places, machines, refused, live, anew;
} tally;

// The machine with another value: from the file that was kept, from its text, and on a live sim.
static void compare_value(const hf_model_file *file, const char *text, const char *label,
                          const hf_model *base, double value, tally *t)
{
    char item[80], number[HF_NUMBER_SIZE];
    hf_error kept_error = {0}, error = {0};
    (void)hf_number_format(value, number);
    (void)snprintf(item, sizeof item, "hf_p=%s", number);
    const char *items[] = {item};
    const hf_overrides overrides = {.items = items, .count = 1};
    hf_model *kept = hf_model_file_compile(file, &overrides, &kept_error);
    hf_model *fresh = hf_model_parse(text, strlen(text), label, FOLDER, &overrides, &error);
    // Refused alike
    if (kept == NULL || fresh == NULL) {
        if (kept != fresh || strcmp(kept_error.text, error.text) != 0) {
            fail_msg("%s, %s: kept '%s', fresh '%s'", label, item, kept_error.text, error.text);
        }
        t->refused += 1;
        hf_model_destroy(kept);
        hf_model_destroy(fresh);
        return;
    }
    // The same machine
    t->machines += 1;
    outcome a = outcome_of(kept), b = outcome_of(fresh);
    if (a.model != b.model || a.run != b.run || strcmp(a.error.text, b.error.text) != 0 ||
        strcmp(hf_model_text(kept), hf_model_text(fresh)) != 0) {
        fail_msg("%s, %s: the kept file gives another machine", label, item);
    }
    // A sim of the first value that takes it, where its method is the same
    hf_method_def one = hf_sim_def_default(base).method, other = hf_sim_def_default(kept).method;
    hf_sim *sim = memcmp(&one, &other, sizeof one) != 0 ? NULL : hf_sim_create(base, NULL, NULL);
    for (int k = 0; sim != NULL && k < 3 && hf_sim_step(sim, NULL) >= 0; ++k) {
    }
    hf_status status =
        sim == NULL ? HF_ERROR_UNSUPPORTED : hf_sim_set_model(sim, kept, NULL, NULL, 0, &error);
    if (status == HF_OK) {
        hf_sim_reset(sim);
        unsigned long long run = steps_of(sim);
        if (run != b.run) {
            fail_msg("%s, %s: the live sim is another one", label, item);
        }
        t->live += 1;
    } else {
        t->anew += 1;
    }
    hf_sim_destroy(sim);
    hf_model_destroy(kept);
    hf_model_destroy(fresh);
}

static void vary_place(const char *text, const char *label, const hf_node *node, hf_rng *rng,
                       tally *t)
{
    hf_error error = {0};
    char *changed = with_parameter(text, node);
    if (changed == NULL) {
        return;
    }
    double now = strtod(node->text, NULL);
    hf_model *base = hf_model_parse(changed, strlen(changed), label, FOLDER, NULL, &error);
    hf_model_file *file =
        hf_model_file_parse(changed, strlen(changed), label, FOLDER, NULL, &error);
    assert_non_null(file);
    t->places += base != NULL ? 1 : 0;
    double values[] = {now * hf_rng_uniform(rng, 0.9, 1.1), now * hf_rng_uniform(rng, 0.5, 2.0),
                       now + 1.0, -now};
    for (size_t k = 0; base != NULL && k < sizeof values / sizeof *values; ++k) {
        compare_value(file, changed, label, base, values[k], t);
    }
    hf_model_file_destroy(file);
    hf_model_destroy(base);
    free(changed);
}

static void vary_file(const char *name, hf_rng *rng, tally *t)
{
    char path[600];
    size_t length;
    (void)snprintf(path, sizeof path, "%s/%.100s", FOLDER, name);
    char *text = read_whole(path, &length);
    hf_document document;
    hf_error error = {0};
    const hf_node **found = calloc(MOST_NUMBERS, sizeof *found);
    assert_non_null(found);
    assert_int_equal(hf_document_parse(&document, text, length, path, &error), HF_OK);
    int count = 0;
    find_numbers(document.root, found, &count);
    for (int k = 0; k < PLACES && count > 0; ++k) {
        int which = (int)hf_rng_uniform(rng, 0.0, (double)count);
        vary_place(text, path, found[which < count ? which : count - 1], rng, t);
    }
    free((void *)found);
    hf_document_free(&document);
    free(text);
}

// Steps of these take long: they are many bodies.
static bool is_large(const char *name)
{
    static const char *const large[] = {"pile", "wall", "hopper", "heap", "rock", "sand", "drum"};
    bool found = false;
    for (size_t i = 0; i < sizeof large / sizeof *large; ++i) {
        found = found || strstr(name, large[i]) != NULL;
    }
    return found;
}

static void every_place(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(21);
    tally t = {0};
    struct dirent **entries = NULL;
    int files = scandir(FOLDER, &entries, NULL, alphasort);
    assert_true(files > 0);
    for (int i = 0; i < files; ++i) {
        size_t length = strlen(entries[i]->d_name);
        if (length > 5 && strcmp(entries[i]->d_name + length - 5, ".yaml") == 0 &&
            !is_large(entries[i]->d_name)) {
            vary_file(entries[i]->d_name, &rng, &t);
        }
        free(entries[i]);
    }
    free(entries);
    print_message("%d places, %d machines (%d on live sims, %d anew), %d values refused\n",
                  t.places, t.machines, t.live, t.anew, t.refused);
    assert_true(t.places > 100 && t.live > 200 && t.refused > 20);
}

// What makes another machine of it: a number of copies, a variant, a method, a robot's file.
static void other_machines(void **state)
{
    (void)state;
    const char *text =
        "parameters: {n: 2, h: 1 ms}\n"
        "method: {type: rk4, step: h}\n"
        "variants: {heavy: {bodies.a.mass: 5}}\n"
        "bodies:\n"
        "  a: {type: mass, dim: 1, mass: 1, position: 0.1}\n"
        "  arm:\n"
        "    type: tree\n"
        "    joints:\n"
        "      link: {type: revolute, axis: [0, 1, 0], mass: 1, inertia: [1, 1, 1],\n"
        "             offset: [0.2, 0, 0], repeat: n}\n"
        "forces:\n"
        "  - {name: s, on: a, type: spring, stiffness: 90}\n";
    static const char *const sets[] = {"n=3", "h=2 ms", "bodies.a.mass=2.5",
                                       "n=0", "h=-1",   "bodies.b=4"};
    hf_error error = {0};
    hf_model_file *file = hf_model_file_parse(text, strlen(text), "m.yaml", NULL, NULL, &error);
    assert_non_null(file);
    for (int k = 0; k < 6 * 3; ++k) {
        hf_error kept_error = {0}, fresh_error = {0};
        const hf_overrides overrides = {.items = &sets[k / 3],
                                        .count = 1,
                                        .variant = k % 3 == 1 ? "heavy" : NULL,
                                        .method = k % 3 == 2 ? "euler" : NULL};
        hf_model *kept = hf_model_file_compile(file, &overrides, &kept_error);
        hf_model *fresh =
            hf_model_parse(text, strlen(text), "m.yaml", NULL, &overrides, &fresh_error);
        assert_string_equal(kept_error.text, fresh_error.text);
        assert_int_equal(kept == NULL, fresh == NULL);
        assert_int_equal(fresh != NULL, k / 3 < 3);
        if (kept != NULL && fresh != NULL) {
            outcome a = outcome_of(kept), b = outcome_of(fresh);
            assert_true(a.model == b.model && a.run == b.run && a.run != 0);
        }
        hf_model_destroy(kept);
        hf_model_destroy(fresh);
    }
    hf_model_file_destroy(file);
    file = hf_model_file_parse("a: [", 4, "bad.yaml", NULL, NULL, &error);
    assert_null(file);
    assert_non_null(strstr(error.text, "bad.yaml:"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_place),
        cmocka_unit_test(other_machines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

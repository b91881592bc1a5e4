// SPDX-License-Identifier: Apache-2.0
// Runs a machine beside itself with half the step (or a tenth of the tolerances) and compares.
#include "cli/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/models.h>

#include "cli/cli.h"
#include "cli/stop.h"

// Answers farther apart than this part of the way differ: the bound of the energy ledger.
#define MOST_APART 0.02
// A way is at least this part of the longest of its unit: what hardly moves beside the others is
// measured by them. And this part of how far from zero it is: what moves less stands.
#define LEAST_WAY 0.05
#define ROUNDING  1e-6
// Of tolerances.
#define TENTH 0.1

enum { NAME_SIZE = 200 };

// One or several coordinates that are one place: `sled.position` with its x, y and z.
typedef struct place {
    char name[NAME_SIZE];
    const char *unit;
    int first, count; // in hf_sim_positions; neighbours
    double off;       // the largest difference so far
    double at;        // when that was [s]
    double way;       // how far it went from its start, in either run
    double size;      // how far from zero it was
} place;

struct hf_cli_verify {
    hf_model *model;
    hf_sim *sim;
    int pieces; // of its steps in one of the other's
    bool adaptive;
    place *places;
    int count;
    double *start; // positions there
    hf_status status;
    hf_error error;
};

// Places of the model's channels, in their order; coordinates of one name that are neighbours are
// one.
static void list_places(hf_cli_verify *v, const hf_model *model)
{
    for (int id = 1; id <= hf_model_channel_count(model); ++id) {
        hf_channel channel = {id};
        hf_channel_slot slot = hf_model_channel_slot(model, channel);
        if (slot.home != HF_IN_POSITIONS) {
            continue;
        }
        // Its name without an axis
        char name[NAME_SIZE];
        hf_model_channel_name(model, channel, name, sizeof name);
        size_t length = strlen(name);
        if (length > 2 && name[length - 2] == '.' && strchr("wxyz", name[length - 1]) != NULL) {
            name[length - 2] = '\0';
        }
        place *last = v->count > 0 ? &v->places[v->count - 1] : NULL;
        if (last != NULL && strcmp(last->name, name) == 0 &&
            last->first + last->count == slot.index) {
            last->count += 1;
            continue;
        }
        place *p = &v->places[v->count++];
        *p =
            (place){.unit = hf_model_channel_unit(model, channel), .first = slot.index, .count = 1};
        (void)snprintf(p->name, sizeof p->name, "%s", name);
    }
}

hf_cli_verify *hf_cli_verify_begin(const char *word, const hf_overrides *overrides,
                                   const hf_sim *sim)
{
    hf_cli_verify *v = calloc(1, sizeof *v);
    hf_method_def method = hf_sim_method(sim);
    hf_error error = {0};
    if (v == NULL) {
        (void)hf_cli_error("out of memory");
        return NULL;
    }
    // The machine as it is with half the step: what depends on it is chosen anew
    v->adaptive = hf_method_is_adaptive(method.type);
    v->pieces = v->adaptive ? 1 : 2;
    hf_overrides halved = *overrides;
    halved.step = method.step / v->pieces;
    v->model = hf_cli_load_model(word, &halved);
    if (v->model == NULL) {
        hf_cli_verify_end(v);
        return NULL;
    }
    hf_sim_def def = hf_cli_sim_def(v->model);
    if (v->adaptive) {
        def.method.rtol = TENTH * method.rtol;
        def.method.atol = TENTH * method.atol;
    }
    def.stop_wanted = hf_cli_stop_wanted;
    v->sim = hf_sim_create(v->model, &def, &error);
    // Room for places, and where they begin
    int channels = hf_model_channel_count(v->model);
    int numbers = hf_model_get_info(v->model).coordinates;
    v->places = calloc((size_t)channels + 1, sizeof *v->places);
    v->start = calloc((size_t)numbers + 1, sizeof *v->start);
    if (v->sim == NULL || v->places == NULL || v->start == NULL) {
        if (v->sim == NULL) {
            hf_cli_report(&error);
        } else {
            (void)hf_cli_error("out of memory");
        }
        hf_cli_verify_end(v);
        return NULL;
    }
    list_places(v, v->model);
    memcpy(v->start, hf_sim_positions(sim), (size_t)numbers * sizeof *v->start);
    return v;
}

void hf_cli_verify_end(hf_cli_verify *v)
{
    if (v != NULL) {
        hf_sim_destroy(v->sim);
        hf_model_destroy(v->model);
        free(v->places);
        free(v->start);
        free(v);
    }
}

// From zero for b NULL. Four numbers are an orientation: a and -a are the same.
static double distance(const double *a, const double *b, int count)
{
    double apart = 0.0, across = 0.0;
    for (int i = 0; i < count; ++i) {
        double d = a[i] - (b == NULL ? 0.0 : b[i]), s = a[i] + (b == NULL ? 0.0 : b[i]);
        apart += d * d;
        across += s * s;
    }
    return sqrt(count == 4 ? fmin(apart, across) : apart);
}

void hf_cli_verify_step(hf_cli_verify *v, const hf_sim *sim)
{
    const hf_model *model = hf_sim_model(sim);
    if (v->status != HF_OK) {
        return;
    }
    // The same inputs, and steps to the same time
    for (int i = 0; i < hf_model_input_count(model); ++i) {
        hf_sim_set_input(v->sim, hf_model_input(v->model, i),
                         hf_sim_signal(sim, hf_model_input(model, i)));
    }
    for (int k = 0; k < v->pieces && v->status == HF_OK; ++k) {
        v->status = hf_sim_step(v->sim, &v->error);
    }
    // How far places are apart, and how far they went
    const double *mine = hf_sim_positions(v->sim), *other = hf_sim_positions(sim);
    for (int i = 0; i < v->count && v->status == HF_OK; ++i) {
        place *p = &v->places[i];
        const double *a = mine + p->first, *b = other + p->first, *start = v->start + p->first;
        double off = distance(a, b, p->count);
        if (off > p->off) {
            p->off = off;
            p->at = hf_sim_time(sim);
        }
        p->way = fmax(p->way, fmax(distance(a, start, p->count), distance(b, start, p->count)));
        p->size = fmax(p->size, distance(a, NULL, p->count));
    }
}

// The difference of a place as a part of its way.
static double share_of(const hf_cli_verify *v, const place *p)
{
    double longest = 0.0;
    for (int i = 0; i < v->count; ++i) {
        const place *other = &v->places[i];
        longest = fmax(longest, strcmp(other->unit, p->unit) == 0 ? other->way : 0.0);
    }
    double way = fmax(fmax(p->way, LEAST_WAY * longest), ROUNDING * p->size);
    return p->off > 0.0 ? p->off / way : 0.0;
}

static const place *worst_of(const hf_cli_verify *v)
{
    const place *worst = NULL;
    for (int i = 0; i < v->count; ++i) {
        if (worst == NULL || share_of(v, &v->places[i]) > share_of(v, worst)) {
            worst = &v->places[i];
        }
    }
    return worst;
}

double hf_cli_verify_share(const hf_cli_verify *v)
{
    const place *worst = worst_of(v);
    return worst == NULL ? 0.0 : share_of(v, worst);
}

void hf_cli_verify_judge(const hf_cli_verify *v, hf_verdict *verdict)
{
    if (v == NULL) {
        return;
    }
    const char *with = v->adaptive ? "a tenth of the tolerances" : "half the step";
    const place *worst = worst_of(v);
    double share = worst == NULL ? 0.0 : share_of(v, worst);
    size_t used = strlen(verdict->why);
    const char *comma = used > 0 ? "; " : "";
    // A reason for doubt
    if (v->status != HF_OK || !(share <= MOST_APART)) {
        verdict->trustworthy = false;
        verdict->reasons += 1;
        if (v->status != HF_OK) {
            (void)snprintf(verdict->why + used, sizeof verdict->why - used,
                           "%swith %s it fails: %s", comma, with, v->error.text);
        } else if (worst != NULL) {
            (void)snprintf(verdict->why + used, sizeof verdict->why - used,
                           "%swith %s %s is %.3g %s away at t = %.4g s, %.2g %% of its way", comma,
                           with, worst->name, worst->off, worst->unit, worst->at, 100.0 * share);
        }
        return;
    }
    // or within what the answer is the same
    if (verdict->trustworthy && worst != NULL) {
        used = strlen(verdict->within);
        (void)snprintf(verdict->within + used, sizeof verdict->within - used,
                       "%s%.2g %% of the way, by a run with %s (%s)", used > 0 ? ", and " : "",
                       100.0 * share, with, worst->name);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Runs the companions of a run, with another step or other tolerances, and decides by them.
#include "cli/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <holdfast/models.h>

#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/stop.h"
#include "cli/verify_data.h"

// Of tolerances.
#define TENFOLD 10.0
// Samples of controllers and jumps of signals cut steps. A companion whose steps are cut into as
// many pieces as those of the run says nothing: a coarser one has this part of them at most, a
// finer one this part at least.
#define COARSER 0.75
#define FINER   1.5
enum { MOST_PIECES = 16 };
// Instants at which places are compared: so many at most, and so many numbers [doubles].
enum { MOST_INSTANTS = 1000, MOST_NUMBERS = 1 << 19, LEAST_INSTANTS = 8 };

// ------------------------------------------------------------------------------------------------
// What is compared, and when

// Units are few; should there be more, the last ones are measured together.
static int kind_of(hf_cli_verify *v, const char *unit)
{
    int kind = 0;
    while (kind < v->kind_count && strcmp(v->kinds[kind], unit) != 0) {
        ++kind;
    }
    if (kind == v->kind_count && kind < HF_CLI_MOST_KINDS) {
        v->kinds[v->kind_count++] = unit;
    }
    return kind < HF_CLI_MOST_KINDS ? kind : HF_CLI_MOST_KINDS - 1;
}

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
        char name[HF_CLI_PLACE_SIZE];
        hf_model_channel_name(model, channel, name, sizeof name);
        size_t length = strlen(name);
        if (length > 2 && name[length - 2] == '.' && strchr("wxyz", name[length - 1]) != NULL) {
            name[length - 2] = '\0';
        }
        hf_cli_place *last = v->place_count > 0 ? &v->places[v->place_count - 1] : NULL;
        if (last != NULL && strcmp(last->name, name) == 0 &&
            last->first + last->count == slot.index) {
            last->count += 1;
            continue;
        }
        hf_cli_place *p = &v->places[v->place_count++];
        const char *unit = hf_model_channel_unit(model, channel);
        *p =
            (hf_cli_place){.unit = unit, .kind = kind_of(v, unit), .first = slot.index, .count = 1};
        (void)snprintf(p->name, sizeof p->name, "%s", name);
    }
}

// Heats of what has regimes, beside the places.
static void list_heats(hf_cli_verify *v, const hf_model *model)
{
    for (int i = 0; i < v->forces; ++i) {
        hf_force force = {i + 1};
        if (!hf_sim_force_stats(v->sim, force).friction) {
            continue;
        }
        hf_cli_place *p = &v->places[v->place_count++];
        *p = (hf_cli_place){.unit = "J", .kind = kind_of(v, "J"), .first = i};
        (void)snprintf(p->name, sizeof p->name, "the heat of %.180s",
                       hf_model_force_name(model, force));
    }
}

// Instant 0 is the start. Of fixed steps all others are even, which both companions have; where
// the number of steps is odd the last one is one more, which the finer companion alone has.
static void choose_instants(hf_cli_verify *v)
{
    long long unit = v->adaptive ? 1 : 2, units = v->def.steps / unit;
    long long room = v->coordinates > 0 ? MOST_NUMBERS / v->coordinates : MOST_INSTANTS;
    room = room > MOST_INSTANTS ? MOST_INSTANTS : room < LEAST_INSTANTS ? LEAST_INSTANTS : room;
    v->even = 1 + (int)(units < room ? units : room);
    v->instants = v->even + (v->def.steps % unit == 0 ? 0 : 1);
}

long long hf_cli_verify_instant(const hf_cli_verify *v, int i)
{
    long long unit = v->adaptive ? 1 : 2, units = v->def.steps / unit;
    return i >= v->even ? v->def.steps : i == 0 ? 0 : unit * (i * units / (v->even - 1));
}

double hf_cli_verify_mode(hf_sim *sim, int force)
{
    const hf_model *model = hf_sim_model(sim);
    char name[HF_CLI_PLACE_SIZE];
    (void)snprintf(name, sizeof name, "%.190s.mode",
                   hf_model_force_name(model, (hf_force){force + 1}));
    hf_channel mode = hf_model_find_channel(model, name);
    return mode.id == 0 ? HF_CLI_NO_MODE : hf_sim_value(sim, mode);
}

// ------------------------------------------------------------------------------------------------
// A companion

// For hf_sim_def.stop_wanted.
static bool is_stopped(void *context)
{
    hf_cli_verify *v = context;
    return atomic_load(&v->cancelled) || hf_cli_stop_wanted(NULL);
}

// A companion while it runs.
typedef struct second {
    hf_model *model; // NULL: the run's own
    hf_sim *sim;
    hf_cli_input *input;
} second;

static void unmake(second *s)
{
    hf_cli_input_close(s->input);
    hf_sim_destroy(s->sim);
    hf_model_destroy(s->model);
}

// The machine as it is with the other step: what depends on that is chosen anew. Tolerances change
// nothing in the model.
static hf_status make(hf_cli_verify *v, hf_cli_companion *c, second *s)
{
    hf_method_def method = v->method;
    const hf_model *model = v->model;
    // Another step: the model is read again
    if (!v->adaptive) {
        hf_overrides changed = *v->def.overrides;
        changed.step = c->finer ? method.step / c->pieces : method.step * c->pieces;
        changed.dropped = NULL;
        s->model = hf_cli_try_model(v->def.word, &changed, &c->error);
        if (s->model == NULL) {
            return c->error.status < 0 ? c->error.status : HF_ERROR_INPUT;
        }
        if (hf_model_get_info(s->model).coordinates != v->coordinates ||
            hf_model_get_info(s->model).forces != v->forces) {
            (void)snprintf(c->error.text, sizeof c->error.text, "the model has changed");
            return HF_ERROR_INPUT;
        }
        model = s->model;
    }
    // Other tolerances
    hf_sim_def def = hf_cli_sim_def(model);
    if (v->adaptive) {
        double factor = c->finer ? 1.0 / TENFOLD : TENFOLD;
        def.method.rtol = factor * method.rtol;
        def.method.atol = factor * method.atol;
    }
    def.stop_wanted = is_stopped;
    def.stop_context = v;
    s->sim = hf_sim_create(model, &def, &c->error);
    if (s->sim == NULL) {
        return c->error.status;
    }
    if (!v->adaptive && hf_sim_method(s->sim).step == method.step) {
        (void)snprintf(c->error.text, sizeof c->error.text, "the model keeps its step");
        return HF_ERROR_INPUT;
    }
    // Room for what it comes to, and the same inputs
    free(c->places);
    free(c->heats);
    free(c->modes);
    c->places = malloc((size_t)v->instants * ((size_t)v->coordinates + 1) * sizeof *c->places);
    c->heats = calloc((size_t)v->forces + 1, sizeof *c->heats);
    c->modes = malloc(((size_t)v->forces + 1) * sizeof *c->modes);
    s->input = v->def.input == NULL ? NULL : hf_cli_input_again(v->def.input);
    bool full = c->places != NULL && c->heats != NULL && c->modes != NULL &&
                (s->input != NULL || v->def.input == NULL);
    if (!full) {
        (void)snprintf(c->error.text, sizeof c->error.text, "out of memory");
    }
    return full ? HF_OK : HF_ERROR_MEMORY;
}

static void keep(const hf_cli_verify *v, double *places, hf_cli_heat *heats, int *kept, hf_sim *sim)
{
    size_t count = (size_t)v->coordinates;
    memcpy(places + (size_t)*kept * count, hf_sim_positions(sim), count * sizeof *places);
    *kept += 1;
    for (int i = 0; *kept == v->even && i < v->forces; ++i) {
        hf_force_stats stats = hf_sim_force_stats(sim, (hf_force){i + 1});
        heats[i] = (hf_cli_heat){.energy = stats.dissipated, .slip = stats.slip_seconds};
    }
}

// Of fixed steps one of the coarser companion's is two of the run's, and two (or more) of the finer
// one's are one: inputs change where the run's steps begin.
static hf_cli_companion_state step_through(hf_cli_verify *v, hf_cli_companion *c, second *s,
                                           hf_cli_progress *progress)
{
    long long halves = c->finer && !v->adaptive ? c->pieces : 1;
    long long doubles = c->finer || v->adaptive ? 1 : c->pieces;
    long long before = hf_sim_pieces(s->sim);
    long long steps = v->def.steps * halves / doubles;
    for (long long k = 0;; ++k) {
        // Where it meets the run
        long long at = k / halves * doubles; // steps of the run
        bool meets = k % halves == 0;
        if (meets && c->kept < v->instants && at == hf_cli_verify_instant(v, c->kept)) {
            keep(v, c->places, c->heats, &c->kept, s->sim);
            hf_cli_progress_show(progress, (double)k / (double)steps,
                                 "compared with half the step");
        }
        if (k == steps) {
            for (int i = 0; i < v->forces; ++i) {
                c->modes[i] = hf_cli_verify_mode(s->sim, i);
            }
            c->made = hf_sim_pieces(s->sim) - before;
            c->work = hf_sim_energy(s->sim).turnover;
            return HF_CLI_CAME_TO_END;
        }
        // A step
        hf_status status = HF_OK;
        if (meets && s->input != NULL) {
            status = hf_cli_input_apply(s->input, s->sim, &c->error);
        }
        status = status == HF_OK ? hf_sim_step(s->sim, &c->error) : status;
        if (is_stopped(v)) {
            return HF_CLI_STOPPED;
        }
        if (status != HF_OK) {
            c->error.status = status;
            return status == HF_ERROR_MEMORY ? HF_CLI_NOT_MADE : HF_CLI_FAILED_IN_STEP;
        }
    }
}

// `progress`: a bar is shown, if that is a terminal.
static void run_companion(hf_cli_verify *v, hf_cli_companion *c, bool progress)
{
    double start = hf_cli_now();
    second s = {0};
    hf_cli_progress bar = hf_cli_progress_begin(progress);
    c->state = HF_CLI_NOT_MADE;
    c->kept = 0;
    if (make(v, c, &s) == HF_OK) {
        c->state = step_through(v, c, &s, &bar);
    }
    hf_cli_progress_end(&bar);
    unmake(&s);
    c->seconds = hf_cli_now() - start;
}

// Beside the run: the coarser companion, and the finer one where that failed by itself.
static void *run_beside(void *context)
{
    hf_cli_verify *v = context;
    bool coarse = !v->def.finer && v->even > 2;
    if (coarse) {
        v->coarse.beside = true;
        run_companion(v, &v->coarse, false);
    }
    if (!is_stopped(v) && (!coarse || v->coarse.state != HF_CLI_CAME_TO_END)) {
        v->fine.beside = true;
        run_companion(v, &v->fine, false);
    }
    return NULL;
}

// ------------------------------------------------------------------------------------------------
// The whole

// A pipe has nothing any more, and to open one may wait for ever.
static bool can_be_read_again(const char *word)
{
    struct stat file;
    return stat(word, &file) != 0 || S_ISREG(file.st_mode) || S_ISDIR(file.st_mode);
}

hf_cli_verify *hf_cli_verify_begin(const hf_cli_verify_def *def, hf_sim *sim)
{
    const hf_model *model = hf_sim_model(sim);
    hf_model_info info = hf_model_get_info(model);
    hf_cli_verify *v = calloc(1, sizeof *v);
    if (v == NULL) {
        return NULL;
    }
    v->def = *def;
    v->sim = sim;
    v->model = model;
    v->method = hf_sim_method(sim);
    v->adaptive = hf_method_is_adaptive(v->method.type);
    v->coordinates = info.coordinates;
    v->forces = info.forces;
    v->fine.finer = true;
    v->coarse.pieces = v->fine.pieces = 2;
    v->coarse.worst = v->fine.worst = -1;
    atomic_init(&v->cancelled, false);
    v->why_not = def->why_not != NULL            ? def->why_not
                 : def->steps < 1                ? "it has no step"
                 : !can_be_read_again(def->word) ? "its model is no file that can be read again"
                                                 : NULL;
    if (v->why_not != NULL) {
        return v;
    }
    // Room for what the run comes to
    choose_instants(v);
    size_t most = (size_t)hf_model_channel_count(model) + (size_t)v->forces + 1;
    v->places = calloc(most, sizeof *v->places);
    v->coarse.apart = calloc(most, sizeof *v->coarse.apart);
    v->fine.apart = calloc(most, sizeof *v->fine.apart);
    v->mine = malloc((size_t)v->instants * ((size_t)v->coordinates + 1) * sizeof *v->mine);
    v->heats = calloc((size_t)v->forces + 1, sizeof *v->heats);
    if (v->places == NULL || v->coarse.apart == NULL || v->fine.apart == NULL || v->mine == NULL ||
        v->heats == NULL) {
        v->why_not = "out of memory";
        return v;
    }
    list_places(v, model);
    list_heats(v, model);
    v->made = hf_sim_pieces(sim);
    keep(v, v->mine, v->heats, &v->kept, sim);
    // Inputs from a program are known at the end only. Where there is no thread it runs then, too.
    v->started = (def->input == NULL || !hf_cli_input_is_live(def->input)) &&
                 pthread_create(&v->thread, NULL, run_beside, v) == 0;
    return v;
}

void hf_cli_verify_step(hf_cli_verify *v, long long step)
{
    if (v->why_not == NULL && v->kept < v->instants && step == hf_cli_verify_instant(v, v->kept)) {
        keep(v, v->mine, v->heats, &v->kept, v->sim);
    }
    if (step == v->def.steps) {
        v->made = hf_sim_pieces(v->sim) - v->made;
    }
}

// Runs the finer companion, with smaller and smaller steps until it has more of them than the run.
static void run_finer(hf_cli_verify *v)
{
    hf_cli_companion *c = &v->fine;
    if (c->state == HF_CLI_NOT_RUN) {
        run_companion(v, c, true);
    }
    for (;;) {
        c->vain = !v->adaptive && c->state == HF_CLI_CAME_TO_END &&
                  (double)c->made < FINER * (double)v->made;
        if (!c->vain || c->pieces == MOST_PIECES) {
            return;
        }
        c->pieces *= 2;
        c->beside = false;
        run_companion(v, c, true);
    }
}

// What the companions say together.
static void decide(hf_cli_verify *v, bool trusted)
{
    // The coarser one agrees
    if (v->coarse.state == HF_CLI_CAME_TO_END) {
        hf_cli_verify_compare(v, &v->coarse);
        v->coarse.vain = !v->adaptive && (double)v->coarse.made > COARSER * (double)v->made;
        if (!v->coarse.vain && hf_cli_verify_agrees(&v->coarse)) {
            v->decides = &v->coarse;
            return;
        }
    }
    // or the finer one decides
    if (v->fine.state == HF_CLI_NOT_RUN && !trusted && !v->def.finer) {
        v->why_not = "it is doubtful by itself";
        return;
    }
    run_finer(v);
    if (v->fine.vain) {
        v->why_not = "samples or jumps cut its steps";
        return;
    }
    switch (v->fine.state) {
    case HF_CLI_CAME_TO_END:
        hf_cli_verify_compare(v, &v->fine);
        v->decides = &v->fine;
        v->doubtful = !hf_cli_verify_agrees(&v->fine);
        break;
    case HF_CLI_FAILED_IN_STEP:
        v->decides = &v->fine;
        v->doubtful = true;
        break;
    case HF_CLI_NOT_MADE:
        (void)snprintf(v->why_text, sizeof v->why_text, "with %s it cannot be made: %.500s",
                       v->adaptive ? "a tenth of the tolerances" : "a smaller step",
                       v->fine.error.text);
        v->why_not = v->why_text;
        break;
    case HF_CLI_NOT_RUN:
    case HF_CLI_STOPPED:
        v->why_not = "interrupted";
        break;
    }
}

void hf_cli_verify_finish(hf_cli_verify *v, bool completed, bool trusted)
{
    if (v->why_not != NULL) {
        return;
    }
    if (!completed) {
        atomic_store(&v->cancelled, true);
    }
    // What ran beside; after the run where it could not
    if (v->started) {
        (void)pthread_join(v->thread, NULL);
        v->started = false;
    } else if (completed) {
        (void)run_beside(v);
        v->coarse.beside = v->fine.beside = false;
    }
    if (!completed) {
        v->why_not = "it did not come to its end";
    } else if (is_stopped(v)) {
        v->why_not = "interrupted";
    } else {
        decide(v, trusted);
    }
}

void hf_cli_verify_end(hf_cli_verify *v)
{
    if (v == NULL) {
        return;
    }
    if (v->started) {
        atomic_store(&v->cancelled, true);
        (void)pthread_join(v->thread, NULL);
    }
    free(v->places);
    free(v->mine);
    free(v->heats);
    for (int i = 0; i < 2; ++i) {
        hf_cli_companion *c = i == 0 ? &v->coarse : &v->fine;
        free(c->places);
        free(c->heats);
        free(c->modes);
        free(c->apart);
    }
    free(v);
}

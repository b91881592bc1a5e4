// SPDX-License-Identifier: Apache-2.0
// Which forces of a machine are implicit (implicit.c), and room for them.
//
// Forces that are soft (the sum of h^2 K/4 + h D/2 over the mass that they feel, of all that act
// along them, below HF_TS_SOFT: the limit of explicit steps is 1) stay explicit: there the scheme
// is symplectic and keeps the energy of springs, which implicit Euler damps.
#include <math.h>
#include <string.h>

#include "base/carve.h"
#include "base/error.h"
#include "methods/timestep/timestep.h"

static bool can_be_implicit(const hf_model *model, const hf_force_place *force)
{
    if (hf_ts_is_feedback(model, force)) {
        return force->item != NULL && force->dim > 0;
    }
    return force->info != NULL && force->info->linear != NULL && force->item != NULL &&
           force->dim > 0 && force->y_count <= HF_TS_TERM_STATES && !hf_ts_owns(force);
}

// Whether a law's slopes change with its motion: these forces are implicit in the steps that are
// too long for them then.
static bool varies(const hf_force_place *force)
{
    const double zero[HF_LAW_MAX_DIM + HF_TS_TERM_STATES] = {0.0};
    double k[HF_LAW_MAX_DIM], d[HF_LAW_MAX_DIM];
    const hf_law_in in = {.gap = zero, .rate = zero, .y = zero};
    return force->info != NULL && force->info->slopes != NULL &&
           force->info->slopes(force->def, force->dim, &in, k, d);
}

// Lowest and highest numbers of a term in its group.
static void place_terms(const hf_model *model, hf_timestep *ts)
{
    size_t used = 0;
    for (int i = 0; i < ts->implicit.term_count; ++i) {
        hf_ts_term *term = &ts->implicit.terms[i];
        const hf_force_place *force = &model->forces[term->force];
        int movers[HF_COUPLING_MAX_TERMS], end = 0;
        int count = hf_force_movers(model, force, movers);
        term->lo = INT32_MAX;
        for (int k = 0; k < count; ++k) {
            const hf_ts_mover *mover = &ts->machine.movers[movers[k]];
            int first = mover->s - ts->machine.groups[mover->group].s;
            term->group = mover->group;
            term->lo = first < term->lo ? first : term->lo;
            end = first + mover->count > end ? first + mover->count : end;
        }
        term->width = end - term->lo;
        term->y = used;
        used += (size_t)term->width * (size_t)force->dim;
    }
    ts->implicit.term_row_count = used;
}

static void lay_out(hf_timestep *ts, size_t numbers, size_t envelope, hf_carver *c)
{
    size_t nv = (size_t)ts->machine.s_count;
    ts->implicit.term_rows = hf_carve(c, numbers, sizeof(double));
    ts->implicit.plain = hf_carve(c, nv, sizeof(double));
    ts->implicit.end = hf_carve(c, nv, sizeof(double));
    ts->implicit.envelope = hf_carve(c, envelope, sizeof(double));
    ts->implicit.row_place = hf_carve(c, nv, sizeof(size_t));
    ts->implicit.row_first = hf_carve(c, nv, sizeof(int));
}

// Whether all rows of a group begin with its first number. Then there is room for whole rows of a
// square, or for those of a tree's mass.
static bool is_square(const hf_timestep *ts, const hf_ts_group *group)
{
    bool square = true;
    for (int i = 0; i < group->count && square; ++i) {
        square = ts->implicit.row_first[group->s + i] == 0;
    }
    return square;
}

// The place of each row of the factors; how many numbers they have.
static size_t place_envelope(hf_timestep *ts)
{
    size_t used = 0;
    for (int g = 0; g < ts->machine.group_count; ++g) {
        for (int i = 0; i < ts->machine.groups[g].count; ++i) {
            ts->implicit.row_first[ts->machine.groups[g].s + i] = i;
        }
    }
    for (int i = 0; i < ts->implicit.term_count; ++i) {
        const hf_ts_term *term = &ts->implicit.terms[i];
        int *first = ts->implicit.row_first + ts->machine.groups[term->group].s;
        for (int k = term->lo; k < term->lo + term->width; ++k) {
            first[k] = first[k] < term->lo ? first[k] : term->lo;
        }
        ts->machine.groups[term->group].stiff = true;
    }
    for (int g = 0; g < ts->machine.group_count; ++g) {
        const hf_ts_group *group = &ts->machine.groups[g];
        bool square = group->stiff && is_square(ts, group);
        for (int i = 0; i < group->count && group->stiff; ++i) {
            int end = square ? group->count : i + 1;
            ts->implicit.row_place[group->s + i] = used;
            used += (size_t)(end - ts->implicit.row_first[group->s + i]);
        }
        used += square ? 3 * (size_t)group->count : 0; // packed rows are whole fours
    }
    return used;
}

static bool allocate(hf_sim *sim, hf_timestep *ts)
{
    const hf_allocator *allocator = &sim->allocator;
    size_t envelope = 0;
    for (int pass = 0; pass < 2; ++pass) { // the second one with room for the factors
        hf_carver counter = {0};
        hf_timestep counted = *ts;
        lay_out(&counted, ts->implicit.term_row_count, envelope, &counter);
        void *block =
            counter.overflow ? NULL : allocator->allocate(allocator->context, counter.used + 1);
        if (ts->implicit.term_rows != NULL) {
            allocator->release(allocator->context, ts->implicit.term_rows);
            ts->implicit.term_rows = NULL;
        }
        if (block == NULL) {
            return false;
        }
        memset(block, 0, counter.used + 1);
        lay_out(ts, ts->implicit.term_row_count, envelope, &(hf_carver){.base = block});
        envelope = place_envelope(ts);
    }
    return true;
}

// Weight of a row in explicit steps: 1 is where they end.
static double weight_of(const hf_force_place *force, int row, double h)
{
    double k, d;
    if (force->info == NULL) {
        return 0.0; // feedback.c weighs it in each step
    }
    hf_ts_held_slopes(force, row, h, &k, &d);
    return 0.25 * h * h * k + 0.5 * h * d;
}

// Y_a.Y_b of two rows of terms.
static double product(const hf_timestep *ts, const hf_ts_term *a, int i, const hf_ts_term *b, int j)
{
    if (a->group != b->group) {
        return 0.0;
    }
    int lo = a->lo > b->lo ? a->lo : b->lo;
    int end_a = a->lo + a->width, end_b = b->lo + b->width, end = end_a < end_b ? end_a : end_b;
    double sum = 0.0;
    for (int k = lo; k < end; ++k) {
        sum += hf_ts_term_row(ts, a, i)[k - a->lo] * hf_ts_term_row(ts, b, j)[k - b->lo];
    }
    return sum;
}

// Whether a term is stiff: a bound of the largest eigenvalue of all that acts along its rows
// (Gershgorin), of sqrt(g_i) Y_i.Y_j sqrt(g_j).
static bool is_stiff(const hf_sim *sim, const hf_ts_term *term, double h)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    const hf_force_place *force = &sim->model->forces[term->force];
    for (int i = 0; i < force->dim; ++i) {
        double own = sqrt(weight_of(force, i, h)), sum = 0.0;
        for (int t = 0; t < ts->implicit.term_count && own > 0.0; ++t) {
            const hf_force_place *other = &sim->model->forces[ts->implicit.terms[t].force];
            for (int j = 0; j < other->dim; ++j) {
                sum += fabs(product(ts, term, i, &ts->implicit.terms[t], j)) *
                       sqrt(weight_of(other, j, h));
            }
        }
        if (!(own * sum <= HF_TS_SOFT)) {
            return true;
        }
    }
    return false;
}

static void list_candidates(const hf_model *model, hf_timestep *ts)
{
    ts->implicit.term_count = 0;
    for (int i = 0; i < model->force_count; ++i) {
        int movers[HF_COUPLING_MAX_TERMS];
        if (can_be_implicit(model, &model->forces[i]) &&
            hf_force_movers(model, &model->forces[i], movers) > 0) {
            ts->implicit.terms[ts->implicit.term_count++] = (hf_ts_term){
                .force = i, .leaf = HF_TS_ANYWHERE, .varies = varies(&model->forces[i])};
        }
    }
}

// With theta below 1 all forces of a machine that has a stiff one are implicit: the stage at which
// explicit forces are evaluated has the velocities of the beginning, which is of first order.
static void keep_stiff(hf_sim *sim, double h)
{
    hf_timestep *ts = hf_timestep_of(sim);
    int count = 0;
    for (int i = 0; i < ts->implicit.term_count; ++i) {
        ts->implicit.terms[i].stiff = is_stiff(sim, &ts->implicit.terms[i], h);
        count += ts->implicit.terms[i].stiff ? 1 : 0;
    }
    bool all = count > 0 && sim->core->method.theta < 1.0;
    count = 0;
    for (int i = 0; i < ts->implicit.term_count; ++i) {
        if (ts->implicit.terms[i].stiff || ts->implicit.terms[i].varies || all ||
            sim->model->forces[ts->implicit.terms[i].force].info == NULL) {
            ts->implicit.terms[count++] = ts->implicit.terms[i];
        }
    }
    ts->implicit.term_count = count;
}

hf_status hf_ts_terms_create(hf_sim *sim, hf_error *error)
{
    const hf_model *model = sim->model;
    hf_timestep *ts = hf_timestep_of(sim);
    // As if all were stiff, at the initial state
    list_candidates(model, ts);
    if (ts->implicit.term_count == 0) {
        return HF_OK;
    }
    size_t size = (size_t)(model->nq + model->nv) * sizeof *sim->x;
    memcpy(sim->stage, sim->x, size); // of a live sim whose parameters change
    memcpy(sim->x, model->initial, size);
    hf_ts_number_groups(ts, model);
    place_terms(model, ts);
    bool good = allocate(sim, ts);
    sim->poses[0] = (hf_pose){.rotation = hf_m3_identity()};
    hf_bodies_still(model->sets, model->set_count, sim->poses);
    hf_sim_observe(sim, 0.0, HF_SIDE_RIGHT, sim->x);
    hf_status status = good ? hf_ts_masses_factor(sim, false, error) : HF_OK;
    for (int i = 0; i < ts->implicit.term_count && good && status == HF_OK; ++i) {
        good = hf_ts_term_rows(sim, &ts->implicit.terms[i]) == HF_OK;
    }
    memcpy(sim->x, sim->stage, size);
    sim->fresh = sim->signals_valid = false;
    HF_TRY(status);
    // Those that are
    if (good) {
        keep_stiff(sim, sim->core->method.step);
    }
    hf_ts_number_groups(ts, model);
    place_terms(model, ts);
    good = good && (ts->implicit.term_count == 0 || allocate(sim, ts));
    return good ? HF_OK : hf_error_set(error, HF_ERROR_MEMORY, "out of memory for implicit forces");
}

bool hf_ts_is_implicit(const hf_sim *sim, int force)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    bool found = false;
    for (int i = 0; i < ts->implicit.term_count && !found; ++i) {
        found = ts->implicit.terms[i].force == force;
    }
    return found;
}

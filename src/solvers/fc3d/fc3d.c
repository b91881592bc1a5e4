// SPDX-License-Identifier: Apache-2.0
// Solvers of friction-contact problems: set-up, choice of method, fall-back.
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "fc3d_internal.h"

static const struct {
    const char *name;
} methods[] = {
#define HF_FC3D_METHOD_NAME(id, word, about) {word},
    HF_FC3D_METHOD_LIST(HF_FC3D_METHOD_NAME)
#undef HF_FC3D_METHOD_NAME
};

const char *hf_fc3d_method_name(hf_fc3d_method method)
{
    return method >= 0 && method < HF_FC3D_METHOD_COUNT ? methods[method].name : "none";
}

hf_fc3d_method hf_fc3d_method_find(const char *name)
{
    int i = 0;
    while (i < HF_FC3D_METHOD_COUNT && strcmp(methods[i].name, name) != 0) {
        ++i;
    }
    return (hf_fc3d_method)i;
}

hf_fc3d_def hf_fc3d_def_default(void)
{
    return (hf_fc3d_def){.measure = HF_FC3D_STRICTER, .tolerance = 1e-8, .facets = 8};
}

hf_status hf_fc3d_def_check(const hf_fc3d_def *def, hf_error *error)
{
    // Choices
    if ((int)def->method < 0 || def->method >= HF_FC3D_METHOD_COUNT) {
        return hf_error_set(error, HF_ERROR_RANGE, "fc3d: no method %d", (int)def->method);
    }
    if ((int)def->measure < HF_FC3D_NATURAL || def->measure > HF_FC3D_STRICTER) {
        return hf_error_set(error, HF_ERROR_RANGE, "fc3d: no measure %d", (int)def->measure);
    }
    // Numbers
    if (!(def->tolerance > 0.0 && def->tolerance < 1.0)) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "fc3d: the tolerance is %g, expected a number between 0 and 1",
                            def->tolerance);
    }
    if (def->iterations < 0) {
        return hf_error_set(error, HF_ERROR_RANGE, "fc3d: iterations are %d, expected 0 or more",
                            def->iterations);
    }
    if (def->least < 0) {
        return hf_error_set(error, HF_ERROR_RANGE, "fc3d: least sweeps are %d, expected 0 or more",
                            def->least);
    }
    if (def->facets < 4 || def->facets > 64 || def->facets % 2 != 0) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "fc3d: facets are %d, expected an even number from 4 to 64",
                            def->facets);
    }
    if (!(def->seconds >= 0.0)) {
        return hf_error_set(error, HF_ERROR_RANGE, "fc3d: seconds are %g, expected 0 or more",
                            def->seconds);
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Memory

// Lemke's table, when it is asked for.
static bool allocate_table(hf_fc3d_solver *s, int contacts)
{
    s->table = NULL;
    s->basis = NULL;
    s->table_size = 0;
    if (s->def.method != HF_FC3D_LEMKE) {
        return true;
    }
    s->table_size = hf_fc3d_lemke_table(contacts, s->def.facets);
    s->table = hf_arena_alloc(&s->arena, s->table_size, sizeof(double));
    s->basis =
        hf_arena_alloc(&s->arena, (size_t)contacts * (size_t)(s->def.facets + 2), sizeof(int));
    return s->table != NULL && s->basis != NULL;
}

static void free_arrays(hf_fc3d_solver *s)
{
    hf_arena_free(&s->arena);
    hf_block_lu_destroy(s->lu);
    s->lu = NULL;
    s->contacts = s->blocks = s->rows = s->bodies = 0;
}

// All or nothing: a solver that could not get all of its memory has room for no contacts.
static bool allocate(hf_fc3d_solver *s, int contacts, int blocks, int rows, int bodies)
{
    // Numbers by contact, by row of the bodies, by body
    size_t n = (size_t)contacts + 1, moving = 3 * (size_t)rows;
    free_arrays(s);
    const hf_arena_want wanted[] = {{&s->trial_r, 3 * n, sizeof(double)},
                                    {&s->trial_u, 3 * n, sizeof(double)},
                                    {&s->step, 3 * n, sizeof(double)},
                                    {&s->best_r, 3 * n, sizeof(double)},
                                    {&s->change, 3 * n, sizeof(double)},
                                    {&s->extra[0], 3 * n, sizeof(double)},
                                    {&s->extra[1], 3 * n, sizeof(double)},
                                    {&s->extra[2], 3 * n, sizeof(double)},
                                    {&s->extra[3], 3 * n, sizeof(double)},
                                    {&s->felt, 3 * n, sizeof(double)},
                                    {&s->trial_felt, 3 * n, sizeof(double)},
                                    {&s->right, 3 * n, sizeof(double)},
                                    {&s->given, 3 * n, sizeof(double)},
                                    {&s->anchor, 3 * n, sizeof(double)},
                                    {&s->back, 3 * n, sizeof(double)},
                                    {&s->motion[0], moving, sizeof(double)},
                                    {&s->motion[1], moving, sizeof(double)},
                                    {&s->left, 9 * n, sizeof(double)},
                                    {&s->diagonal, 9 * n, sizeof(double)},
                                    {&s->inverse, 9 * n, sizeof(double)},
                                    {&s->stiff, 9 * n, sizeof(double)},
                                    {&s->weight, n, sizeof(double)},
                                    {&s->seen, n, sizeof(double)},
                                    {&s->error, n, sizeof(double)},
                                    {&s->path, (size_t)bodies, sizeof(double)},
                                    {&s->reach, (size_t)bodies, sizeof(double)},
                                    {&s->own, n, sizeof *s->own},
                                    {&s->turns, n, sizeof *s->turns},
                                    {&s->shift, n, sizeof(double)},
                                    {&s->root, n, sizeof(double)}};
    // The factorization and the arrays; all of it or nothing
    s->lu = hf_block_lu_create(contacts, blocks, &s->arena.allocator);
    bool good = hf_arena_take(&s->arena, wanted, sizeof wanted / sizeof *wanted) && s->lu != NULL;
    if (!good || !allocate_table(s, contacts) ||
        !hf_fc3d_mix_allocate(&s->mix, &s->arena, contacts, rows)) {
        free_arrays(s);
        return false;
    }
    s->contacts = contacts;
    s->blocks = blocks;
    s->rows = rows;
    s->bodies = bodies;
    return true;
}

// Room for `wanted`: with some to spare when it has to grow, as the next step may have a few more.
static int larger(int wanted, int room)
{
    return wanted <= room ? room : room == 0 ? wanted : wanted + wanted / 4;
}

// One contact has a closed form: a solver that has no memory yet needs none for it.
static bool alone(const hf_fc3d_solver *s, const hf_fc3d_problem *p)
{
    return s->lu == NULL && p->contacts == 1 && p->start != NULL &&
           (s->def.method == HF_FC3D_AUTO || s->def.method == HF_FC3D_GAUSS_SEIDEL);
}

hf_status hf_fc3d_solver_reserve(hf_fc3d_solver *s, const hf_fc3d_problem *p, hf_error *error)
{
    HF_TRY(hf_fc3d_problem_check(p, error));
    if (alone(s, p)) {
        return HF_OK;
    }
    // How large the problem is
    int blocks = p->start == NULL ? 0 : p->start[p->contacts];
    int bodies = p->bodies == NULL ? 0 : p->bodies->count, rows = 0;
    for (int i = 0; i < bodies; ++i) {
        rows += (p->bodies->first[i + 1] - p->bodies->first[i] + 2) / 3;
    }
    hf_status status = HF_OK;
    // Memory for it, and for all before it
    if ((s->lu == NULL || p->contacts > s->contacts || blocks > s->blocks || rows > s->rows ||
         bodies > s->bodies) &&
        !allocate(s, larger(p->contacts, s->contacts), larger(blocks, s->blocks),
                  larger(rows, s->rows), larger(bodies, s->bodies))) {
        status = HF_ERROR_MEMORY;
    }
    // What depends on its pattern
    if (status == HF_OK && p->bodies == NULL) {
        hf_block_pattern pattern = {.n = p->contacts, .start = p->start, .column = p->column};
        status = hf_block_lu_plan(s->lu, &pattern, true);
    }
    if (status == HF_OK && p->bodies != NULL) {
        status = hf_fc3d_space_reserve(&s->space, p);
    }
    if (status == HF_ERROR_INPUT) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "friction-contact problem: M is not positive definite");
    }
    return status == HF_OK ? HF_OK
                           : hf_error_set(error, HF_ERROR_MEMORY,
                                          "fc3d: out of memory for %d contacts", p->contacts);
}

hf_fc3d_solver *hf_fc3d_solver_create(const hf_fc3d_def *def, const hf_fc3d_problem *problem,
                                      hf_error *error)
{
    hf_fc3d_def chosen = def == NULL ? hf_fc3d_def_default() : *def;
    if (hf_fc3d_def_check(&chosen, error) != HF_OK) {
        return NULL;
    }
    hf_fc3d_solver *s = hf_memory_take(&chosen.allocator, sizeof *s);
    if (s == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "fc3d: out of memory");
        return NULL;
    }
    *s = (hf_fc3d_solver){.def = chosen,
                          .arena = {.allocator = chosen.allocator},
                          .space = {.arena = {.allocator = chosen.allocator}}};
    if (hf_fc3d_solver_reserve(s, problem, error) != HF_OK) {
        hf_fc3d_solver_destroy(s);
        return NULL;
    }
    return s;
}

void hf_fc3d_solver_destroy(hf_fc3d_solver *s)
{
    if (s != NULL) {
        const hf_allocator allocator = s->arena.allocator;
        free_arrays(s);
        hf_fc3d_space_free(&s->space);
        hf_memory_give(&allocator, s);
    }
}

// ------------------------------------------------------------------------------------------------
// Solving

// Reactions that a budget ends with are kept instead of the best where they are almost as good: if
// those were the first, the same sweeps would come to the same end in every step of what rests.
static const double ALMOST = 2.0;

// Whether r is a solution.
static bool fill_info(hf_fc3d_run *run)
{
    hf_fc3d_info *info = run->info;
    hf_fc3d_errors e =
        hf_fc3d_measure_errors(run->p, HF_FC3D_STRICTER, run->rho, run->norm_q, run->r, run->u);
    info->natural = e.natural;
    info->scaled = e.scaled;
    info->residual = hf_fc3d_measured(run->s->def.measure, &e);
    for (int i = 0; i < HF_FC3D_METHOD_COUNT; ++i) {
        info->iterations += info->of_method[i];
    }
    for (int i = 0; i < run->p->contacts; ++i) {
        double z[3], projected[3];
        hf_fc3d_shift(run->r + 3 * i, run->u + 3 * i, run->p->mu[i], run->rho, z);
        switch (hf_fc3d_project(z, run->p->mu[i], projected)) {
        case HF_REGIME_OPEN:
            ++info->open;
            break;
        case HF_REGIME_STICK:
            ++info->sticking;
            break;
        case HF_REGIME_SLIP:
            ++info->sliding;
            break;
        }
    }
    return info->residual <= run->tolerance && e.of_motion <= HF_FC3D_MOST_OF_MOTION;
}

// Reactions to begin with.
static hf_status check_start(const hf_fc3d_run *run, hf_error *error)
{
    for (int i = 0; i < 3 * run->p->contacts; ++i) {
        if (!isfinite(run->r[i])) {
            return hf_error_set(error, HF_ERROR_NOT_FINITE,
                                "fc3d: reaction %d to begin with is not a finite number", i);
        }
    }
    return HF_OK;
}

static hf_status start(hf_fc3d_run *run, hf_error *error)
{
    hf_fc3d_solver *s = run->s;
    const hf_fc3d_problem *p = run->p;
    // It must fit into the memory that was reserved
    int blocks = p->start == NULL ? 0 : p->start[p->contacts];
    hf_status status = HF_OK;
    if (s->lu == NULL || p->contacts > s->contacts || blocks > s->blocks ||
        (p->bodies != NULL && p->bodies->count > s->bodies)) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "fc3d: the problem has %d contacts and %d blocks, the solver memory "
                            "for %d and %d",
                            p->contacts, blocks, s->contacts, s->blocks);
    }
    if (p->start == NULL && (p->bodies == NULL || s->def.method == HF_FC3D_LEMKE)) {
        return hf_error_set(error, HF_ERROR_INPUT, "fc3d: %s needs W",
                            p->bodies == NULL ? "a problem without bodies" : "lemke");
    }
    // Factors of the masses
    if (p->bodies != NULL) {
        status = hf_fc3d_space_start(&s->space, p);
        run->space = &s->space;
    }
    if (status == HF_ERROR_INPUT) {
        return hf_error_set(error, HF_ERROR_RANGE, "fc3d: M is not positive definite");
    }
    if (status != HF_OK) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "fc3d: the solver has too little memory for these bodies");
    }
    return check_start(run, error);
}

// By the method that was chosen.
static void solve(hf_fc3d_run *run)
{
    hf_fc3d_solver *s = run->s;
    size_t size = 3 * (size_t)run->p->contacts * sizeof *run->r;
    // What it begins with, and nothing of the last problem: the same comes out of the same
    memcpy(s->given, run->r, size);
    memset(s->root, 0, (size_t)run->p->contacts * sizeof *s->root);
    s->mix.last = 0.0;
    s->mix.near = s->def.least > 0;
    bool done = hf_fc3d_solve_by(run, s->def.method);
    if (!done && !(run->budget < INT_MAX && run->residual <= ALMOST * run->best)) {
        hf_fc3d_restore_best(run);
    }
}

hf_status hf_fc3d_solve(hf_fc3d_solver *s, const hf_fc3d_problem *p, double *r, double *u,
                        hf_fc3d_info *info, hf_error *error)
{
    hf_fc3d_info own;
    info = info == NULL ? &own : info;
    *info = (hf_fc3d_info){.method = s->def.method, .residual = NAN, .natural = NAN, .scaled = NAN};
    hf_fc3d_run run = {.s = s, .p = p, .r = r, .u = u, .until = HUGE_VAL, .info = info};
    bool single = alone(s, p);
    HF_TRY(single ? check_start(&run, error) : start(&run, error));
    run.tolerance = s->def.tolerance;
    run.budget = s->def.iterations == 0 ? INT_MAX : s->def.iterations;
    if (s->def.seconds > 0.0) {
        run.until = (double)clock() / CLOCKS_PER_SEC + s->def.seconds;
    }
    hf_fc3d_run_start(&run);
    if (single) {
        s->best_r = s->alone;
        s->root = s->alone + 3;
        *s->root = 0.0;
        (void)hf_fc3d_alone(&run);
    } else {
        solve(&run);
    }
    // What came out, and whether it can be used
    bool solved = fill_info(&run);
    if (!isfinite(info->residual)) {
        return hf_error_set(error, HF_ERROR_NOT_FINITE,
                            "fc3d: the problem holds what is no finite number");
    }
    if (!solved && run.no_room) {
        // As it was: with more memory the same comes out as if it had been there from the start.
        memcpy(r, s->given, 3 * (size_t)p->contacts * sizeof *r);
        return hf_error_set(error, HF_ERROR_RANGE,
                            "fc3d: the solver has too little memory for this pattern of contacts");
    }
    if (!solved && run.least > 0.0) {
        return hf_error_set(error, HF_ERROR_CONVERGENCE,
                            "fc3d: there is no solution: contacts close on each other, and only "
                            "reactions beyond %.3g could end that",
                            run.least);
    }
    if (!solved && info->residual <= run.tolerance) {
        return hf_error_set(error, HF_ERROR_CONVERGENCE,
                            "fc3d: reactions grow without end: there seems to be no solution");
    }
    if (!solved) {
        return hf_error_set(error, HF_ERROR_CONVERGENCE,
                            "fc3d: %s ended with a %s residual of %.3g, above the tolerance %.3g",
                            hf_fc3d_method_name(info->method),
                            info->residual == info->scaled ? "scaled" : "natural", info->residual,
                            run.tolerance);
    }
    return HF_OK;
}

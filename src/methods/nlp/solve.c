// SPDX-License-Identifier: Apache-2.0
// Runs IPOPT on the program of one step, from several starts.
#include "methods/nlp/solve.h"

#include <IpStdCInterface.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/carve.h"
#include "base/error.h"
#include "methods/nlp/program.h"
#include "methods/timestep/timestep.h"

// IPOPT takes numbers from 1e19 on for no bound.
static const double INFINITE = 2e19;

// How IPOPT is started: at the last step's reactions or at none, unknowns with a bound at least
// `margin` away from it; how it lowers its barrier; and its tolerance by the wanted residual. That
// is smaller, because a small product of r and u leaves both larger than it when neither is far
// from zero: the second start is for that. The others are for local minima above zero, which
// programs of contacts have. How far they help, docs/methods/nlp.md tells.
typedef struct start {
    bool warm;
    double margin;
    const char *strategy;
    double share;
} start;

static const start starts[] = {
    {true, 1e-2, "monotone", 1e-2},  {true, 1e-2, "monotone", 1e-5},
    {false, 1.0, "monotone", 1e-2},  {false, 0.1, "adaptive", 1e-2},
    {false, 1e-3, "monotone", 1e-4}, {false, 10.0, "monotone", 1e-2},
    {false, 0.3, "adaptive", 1e-4},  {false, 1.0, "monotone", 1e-6},
};
enum { START_COUNT = sizeof starts / sizeof *starts, FEW_STARTS = 4 };
// From a solution: as near to it as a barrier may begin.
static const start near_start = {true, 1e-6, "monotone", 1e-4};

// MUMPS, within IPOPT, has globals of its own, and they break when two solve at a time: the one
// thing here that a process has only once.
static pthread_mutex_t hf_nlp_turn = PTHREAD_MUTEX_INITIALIZER;

struct hf_nlp_solver {
    hf_nlp_settings settings;
    hf_allocator allocator;
    hf_nlp_program program;
    int iterations; // of the present start
    bool stopped;
    size_t capacity; // contacts
    double *x, *x_low, *x_high, *g_low, *g_high, *first_r, *best_r;
};

// ------------------------------------------------------------------------------------------------
// What IPOPT calls

static const hf_nlp_program *program_of(UserDataPtr data)
{
    const hf_nlp_solver *solver = data;
    return &solver->program;
}

static Bool eval_f(Index n, Number *x, Bool new_x, Number *value, UserDataPtr data)
{
    (void)n;
    (void)new_x;
    *value = hf_nlp_program_objective(program_of(data), x);
    return TRUE;
}

static Bool eval_grad_f(Index n, Number *x, Bool new_x, Number *gradient, UserDataPtr data)
{
    (void)n;
    (void)x;
    (void)new_x;
    hf_nlp_program_gradient(program_of(data), gradient);
    return TRUE;
}

static Bool eval_g(Index n, Number *x, Bool new_x, Index m, Number *g, UserDataPtr data)
{
    (void)n;
    (void)m;
    (void)new_x;
    hf_nlp_program_constrain(program_of(data), x, g);
    return TRUE;
}

static Bool eval_jac_g(Index n, Number *x, Bool new_x, Index m, Index count, Index *row,
                       Index *column, Number *value, UserDataPtr data)
{
    (void)n;
    (void)m;
    (void)count;
    (void)new_x;
    hf_nlp_program_jacobian(program_of(data), x, row, column, value);
    return TRUE;
}

static Bool eval_h(Index n, Number *x, Bool new_x, Number factor, Index m, Number *multiplier,
                   Bool new_multiplier, Index count, Index *row, Index *column, Number *value,
                   UserDataPtr data)
{
    (void)n;
    (void)m;
    (void)count;
    (void)factor; // the objective is linear
    (void)new_x;
    (void)new_multiplier;
    hf_nlp_program_hessian(program_of(data), x, multiplier, row, column, value);
    return TRUE;
}

static Bool look(Index mode, Index iteration, Number objective, Number primal, Number dual,
                 Number barrier, Number size, Number regularization, Number dual_step,
                 Number primal_step, Index trials, UserDataPtr data)
{
    hf_nlp_solver *solver = data;
    (void)mode;
    (void)objective;
    (void)primal;
    (void)dual;
    (void)barrier;
    (void)size;
    (void)regularization;
    (void)dual_step;
    (void)primal_step;
    (void)trials;
    const hf_nlp_settings *settings = &solver->settings;
    solver->iterations = iteration;
    solver->stopped =
        settings->stop_wanted != NULL && settings->stop_wanted(settings->stop_context);
    return solver->stopped ? FALSE : TRUE;
}

// ------------------------------------------------------------------------------------------------
// One start

void hf_nlp_lock(void)
{
    (void)pthread_mutex_lock(&hf_nlp_turn);
}

void hf_nlp_unlock(void)
{
    (void)pthread_mutex_unlock(&hf_nlp_turn);
}

hf_nlp_ending hf_nlp_ending_of(int status)
{
    switch ((enum ApplicationReturnStatus)status) {
#define ENDING_CASE(name)                                                                          \
    case name:                                                                                     \
        return HF_NLP_##name;
        HF_NLP_ENDING_LIST(ENDING_CASE)
#undef ENDING_CASE
    default:
        return HF_NLP_Other;
    }
}

static bool set_options(IpoptProblem ipopt, const hf_nlp_settings *settings, const start *from)
{
    const struct {
        const char *name;
        const char *word;
        double number;
        int count;
    } options[] = {
        {.name = "print_level", .count = 0},
        {.name = "sb", .word = "yes"},
        {.name = "max_iter",
         .count = settings->iterations > 0 ? settings->iterations : HF_NLP_ITERATIONS},
        {.name = "acceptable_iter", .count = 0}, // the residual judges, not a looser tolerance
        {.name = "mu_strategy", .word = from->strategy},
        {.name = "nlp_scaling_method", .word = "none"}, // scaled already
        {.name = "tol", .number = from->share * settings->tolerance},
        {.name = "constr_viol_tol", .number = from->share * settings->tolerance},
        {.name = "compl_inf_tol", .number = from->share * settings->tolerance},
    };
    // What has no tolerance of its own first
    char name[40], word[40]; // the interface takes no const strings
    (void)snprintf(name, sizeof name, "bound_relax_factor");
    bool good = AddIpoptNumOption(ipopt, name, 0.0) != FALSE;
    // The others, each by its kind
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        (void)snprintf(name, sizeof name, "%s", options[i].name);
        (void)snprintf(word, sizeof word, "%s", options[i].word != NULL ? options[i].word : "");
        Bool set = options[i].word != NULL   ? AddIpoptStrOption(ipopt, name, word)
                   : options[i].number > 0.0 ? AddIpoptNumOption(ipopt, name, options[i].number)
                                             : AddIpoptIntOption(ipopt, name, options[i].count);
        good = good && set != FALSE;
    }
    return good;
}

// From solver->x to there.
static hf_status run_ipopt(hf_nlp_solver *solver, const start *from, hf_nlp_ending *ending,
                           hf_error *error)
{
    const hf_nlp_program *program = &solver->program;
    hf_status status = HF_OK;
    solver->iterations = 0;
    solver->stopped = false;
    // One program at a time: IPOPT's linear solver is shared
    hf_nlp_lock();
    IpoptProblem ipopt = CreateIpoptProblem(
        hf_nlp_program_unknowns(program), solver->x_low, solver->x_high,
        hf_nlp_program_constraints(program), solver->g_low, solver->g_high, program->jacobian,
        program->hessian, 0, eval_f, eval_g, eval_grad_f, eval_jac_g, eval_h);
    if (ipopt == NULL) {
        status = hf_error_set(error, HF_ERROR_MEMORY, "out of memory for IPOPT");
    } else if (!set_options(ipopt, &solver->settings, from) ||
               SetIntermediateCallback(ipopt, look) == FALSE) {
        status = hf_error_set(error, HF_ERROR_UNSUPPORTED, "this IPOPT lacks an option");
    } else {
        Number objective = 0.0;
        *ending = hf_nlp_ending_of(
            IpoptSolve(ipopt, solver->x, NULL, &objective, NULL, NULL, NULL, solver));
    }
    // How it ended
    if (solver->stopped) {
        status = hf_error_set(error, HF_ERROR_STOPPED, "stopped within IPOPT");
    }
    if (ipopt != NULL) {
        FreeIpoptProblem(ipopt);
    }
    hf_nlp_unlock();
    return status;
}

// ------------------------------------------------------------------------------------------------
// A problem

hf_nlp_solver *hf_nlp_solver_create(const hf_nlp_settings *settings, const hf_allocator *allocator)
{
    hf_nlp_solver *solver = allocator->allocate(allocator->context, sizeof *solver);
    if (solver != NULL) {
        *solver = (hf_nlp_solver){.settings = *settings, .allocator = *allocator};
    }
    return solver;
}

void hf_nlp_solver_destroy(hf_nlp_solver *solver)
{
    if (solver == NULL) {
        return;
    }
    hf_allocator allocator = solver->allocator;
    if (solver->x != NULL) {
        allocator.release(allocator.context, solver->x);
    }
    allocator.release(allocator.context, solver);
}

static void lay_out(hf_nlp_solver *solver, size_t capacity, hf_carver *c)
{
    enum { X = HF_NLP_UNKNOWNS, G = HF_NLP_CONSTRAINTS };
    solver->x = hf_carve_matrix(c, X, capacity, sizeof(double));
    solver->x_low = hf_carve_matrix(c, X, capacity, sizeof(double));
    solver->x_high = hf_carve_matrix(c, X, capacity, sizeof(double));
    solver->g_low = hf_carve_matrix(c, G, capacity, sizeof(double));
    solver->g_high = hf_carve_matrix(c, G, capacity, sizeof(double));
    solver->first_r = hf_carve_matrix(c, 3, capacity, sizeof(double));
    solver->best_r = hf_carve_matrix(c, 3, capacity, sizeof(double));
    solver->program.scale = hf_carve(c, capacity, sizeof(double));
    solver->program.row = hf_carve(c, capacity + 1, sizeof(int));
}

// One block, which begins with x; when it cannot grow, it stays as it is.
static bool reserve(hf_nlp_solver *solver, int contacts)
{
    size_t wanted = (size_t)contacts + 1;
    if (wanted <= solver->capacity) {
        return true;
    }
    size_t capacity = wanted > 2 * solver->capacity ? wanted : 2 * solver->capacity;
    hf_nlp_solver counted = *solver;
    hf_carver counter = {0};
    lay_out(&counted, capacity, &counter);
    const hf_allocator *allocator = &solver->allocator;
    void *block = counter.overflow ? NULL : allocator->allocate(allocator->context, counter.used);
    if (block == NULL) {
        return false;
    }
    if (solver->x != NULL) {
        allocator->release(allocator->context, solver->x);
    }
    lay_out(solver, capacity, &(hf_carver){.base = block});
    solver->capacity = capacity;
    return true;
}

hf_status hf_nlp_solve(hf_nlp_solver *solver, const hf_fc3d_problem *problem, double *r, double *u,
                       hf_nlp_from from, hf_nlp_info *info, hf_error *error)
{
    size_t size = (size_t)problem->contacts * 3 * sizeof *r;
    *info = (hf_nlp_info){.residual = INFINITY};
    if (!reserve(solver, problem->contacts)) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for %d contacts",
                            problem->contacts);
    }
    // The program and its bounds; without unknowns there is nothing to solve
    hf_nlp_program *program = &solver->program;
    program->problem = problem;
    hf_nlp_program_prepare(program);
    hf_nlp_program_bounds(program, INFINITE, solver->x_low, solver->x_high, solver->g_low,
                          solver->g_high);
    if (hf_nlp_program_is_empty(program)) {
        memset(r, 0, size);
        info->residual = hf_fc3d_residual(problem, HF_FC3D_SCALED, r, u);
        hf_fc3d_velocity(problem, r, u);
        return HF_OK;
    }
    // From one start after another, until one is good enough; the best is kept
    memcpy(solver->first_r, r, size);
    memcpy(solver->best_r, r, size);
    const start *begin = from == HF_NLP_FROM_SOLUTION ? &near_start : starts;
    int count = from == HF_NLP_FROM_ALL ? START_COUNT : from == HF_NLP_FROM_FEW ? FEW_STARTS : 1;
    for (int i = 0; i < count && !(info->residual <= solver->settings.tolerance); ++i, ++begin) {
        hf_nlp_ending ending = HF_NLP_Other;
        memset(r, 0, size);
        hf_nlp_program_start(program, begin->warm ? solver->first_r : r, begin->margin, solver->x);
        HF_TRY(run_ipopt(solver, begin, &ending, error));
        hf_nlp_program_reactions(program, solver->x, r);
        double residual = hf_fc3d_residual(problem, HF_FC3D_SCALED, r, u);
        if (residual < info->residual) { // never for NaN
            info->residual = residual;
            memcpy(solver->best_r, r, size);
        }
        info->starts += 1;
        info->iterations += solver->iterations;
        info->endings[ending] += 1;
    }
    // What was found
    memcpy(r, solver->best_r, size);
    hf_fc3d_velocity(problem, r, u);
    if (info->residual <= solver->settings.tolerance) {
        return HF_OK;
    }
    return hf_error_set(error, HF_ERROR_CONVERGENCE,
                        "IPOPT did not solve the program of %d contacts from %d starts: residual "
                        "%.3g, tolerance %.3g",
                        problem->contacts, info->starts, info->residual,
                        solver->settings.tolerance);
}

const char *hf_nlp_ending_name(hf_nlp_ending ending)
{
    static const char *const names[HF_NLP_ENDING_COUNT] = {
#define ENDING_NAME(name) [HF_NLP_##name] = #name,
        HF_NLP_ENDING_LIST(ENDING_NAME)
#undef ENDING_NAME
            [HF_NLP_Other] = "another code",
    };
    return (unsigned)ending < HF_NLP_ENDING_COUNT ? names[ending] : NULL;
}

// SPDX-License-Identifier: Apache-2.0
// holdfast fc3d
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <holdfast/fclib.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/json.h"
#include "base/names.h"
#include "cli/cli.h"

typedef struct request {
    hf_fc3d_def def;
    const char *solver;
    long long iterations; // 0: no limit
    bool natural, scaled, guess, json;
    const char *csv;
    const char *solution;
    FILE *table; // the CSV file; NULL: none
    hf_json out;
} request;

// One problem and what came of it.
typedef struct outcome {
    const char *path;
    hf_fclib file;
    hf_fc3d_info info;
    hf_status status;
    double setup, solve; // processor time [s]
    double *r, *u;
} outcome;

// Whether its contacts have friction of rolling: two blocks each.
static bool is_rolling(const outcome *o)
{
    return o->file.dimension == 5;
}

static int contacts_of(const outcome *o)
{
    return o->file.problem->contacts / (is_rolling(o) ? 2 : 1);
}

static double now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

// ------------------------------------------------------------------------------------------------
// Output

static void print_head(const request *q)
{
    if (!q->json) {
        (void)printf("%-32s %8s %7s  %-12s %10s %12s %12s %11s %11s\n", "Problem", "contacts",
                     "blocks", "solver", "iterations", "factorized", "time [ms]", "natural",
                     "scaled");
    }
    if (q->table != NULL) {
        (void)fprintf(q->table, "file,contacts,blocks,freedoms,solver,iterations,factorizations,"
                                "setup_seconds,solve_seconds,natural,scaled,open,sticking,sliding,"
                                "solved\n");
    }
}

static void print_json(request *q, const outcome *o)
{
    hf_json *json = &q->out;
    hf_json_begin(json, base_name(o->path));
    hf_json_count(json, "contacts", contacts_of(o));
    hf_json_count(json, "blocks", o->file.problem->start[o->file.problem->contacts]);
    hf_json_count(json, "freedoms", o->file.freedoms);
    hf_json_text(json, "solver", hf_fc3d_method_name(o->info.method));
    hf_json_count(json, "iterations", o->info.iterations);
    hf_json_count(json, "factorizations", o->info.factorizations);
    hf_json_number(json, "setup_seconds", o->setup);
    hf_json_number(json, "solve_seconds", o->solve);
    hf_json_number(json, "natural", o->info.natural);
    hf_json_number(json, "scaled", o->info.scaled);
    hf_json_count(json, "open", o->info.open);
    hf_json_count(json, "sticking", o->info.sticking);
    hf_json_count(json, "sliding", o->info.sliding);
    hf_json_count(json, "solved", o->status == HF_OK);
    hf_json_end(json);
}

// Which of the measures says so.
static const char *unsolved_by(const request *q, const hf_fc3d_info *info)
{
    bool natural = info->natural <= q->def.tolerance, scaled = info->scaled <= q->def.tolerance;
    bool one = q->def.measure == HF_FC3D_STRICTER && natural != scaled;
    return !one ? "  not solved" : natural ? "  not solved (scaled)" : "  not solved (natural)";
}

static void print_outcome(request *q, const outcome *o)
{
    const hf_fc3d_info *info = &o->info;
    int contacts = contacts_of(o), blocks = o->file.problem->start[o->file.problem->contacts];
    const char *solver = hf_fc3d_method_name(info->method);
    if (q->json) {
        print_json(q, o);
    } else {
        hf_cli_put(stdout, "%-32s %8d %7d  %-12s %10d %12d %12.3f %11.3e %11.3e%s\n",
                   base_name(o->path), contacts, blocks, solver, info->iterations,
                   info->factorizations, 1e3 * (o->setup + o->solve), info->natural, info->scaled,
                   o->status == HF_OK ? "" : unsolved_by(q, info));
    }
    if (q->table != NULL) {
        hf_csv_write_text(q->table, base_name(o->path));
        (void)fprintf(q->table, ",%d,%d,%d,%s,%d,%d,%.9g,%.9g,%.9g,%.9g,%d,%d,%d,%d\n", contacts,
                      blocks, o->file.freedoms, solver, info->iterations, info->factorizations,
                      o->setup, o->solve, info->natural, info->scaled, info->open, info->sticking,
                      info->sliding, o->status == HF_OK);
    }
}

// ------------------------------------------------------------------------------------------------
// Work

static hf_status solve(const request *q, outcome *o, hf_error *error)
{
    const hf_fc3d_problem *p = o->file.problem;
    size_t n = 3 * (size_t)p->contacts;
    o->r = calloc(n + 1, sizeof *o->r);
    o->u = calloc(n + 1, sizeof *o->u);
    if (o->r == NULL || o->u == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "%.300s: out of memory", o->path);
    }
    // From where
    if (q->guess && o->file.guess != NULL) {
        memcpy(o->r, o->file.guess, n * sizeof *o->r);
    } else if (q->guess) {
        hf_cli_warning("%s: has no first guess; it is begun from zero", o->path);
    }
    // With rolling by a solver of its own
    double start = now();
    if (is_rolling(o)) {
        o->status = hf_fc3d_rolling_solve(&q->def, p, o->r, o->u, &o->info, error);
        o->solve = now() - start;
        return o->status == HF_ERROR_CONVERGENCE ? HF_OK : o->status;
    }
    hf_fc3d_solver *solver = hf_fc3d_solver_create(&q->def, p, error);
    o->setup = now() - start;
    if (solver == NULL) {
        return error->status;
    }
    start = now();
    o->status = hf_fc3d_solve(solver, p, o->r, o->u, &o->info, error);
    o->solve = now() - start;
    hf_fc3d_solver_destroy(solver);
    // Not having converged is a result, shown in the table.
    return o->status == HF_ERROR_CONVERGENCE ? HF_OK : o->status;
}

// Writes the problem and the best reactions; where these are no solution, the description says so.
static bool write_solution(const request *q, const outcome *o)
{
    hf_error error = {0};
    char mark[160] = "";
    // Something to write, and a mark where it solves nothing
    if (o->r == NULL || !isfinite(o->info.residual)) {
        hf_cli_warning("%s: not written, as there are no reactions", q->solution);
        return false;
    }
    if (o->status != HF_OK) {
        (void)snprintf(mark, sizeof mark,
                       "Not solved: the reactions are the best found, with residuals of %.3g "
                       "(natural) and %.3g (scaled).\n",
                       o->info.natural, o->info.scaled);
        hf_cli_warning("%s: holds reactions that do not solve the problem", q->solution);
    }
    // Without such a mark of an earlier run.
    const char *about = o->file.description, *end = strchr(about, '\n');
    about = strncmp(about, "Not solved: ", 12) == 0 && end != NULL ? end + 1 : about;
    // The description with that mark
    size_t length = strlen(mark) + strlen(about) + 1;
    char *text = malloc(length);
    hf_status status = HF_ERROR_MEMORY;
    if (text == NULL) {
        (void)hf_error_set(&error, status, "%.300s: out of memory", q->solution);
    } else {
        (void)snprintf(text, length, "%s%s", mark, about);
        status = (is_rolling(o) ? hf_fclib_write_rolling : hf_fclib_write)(
            q->solution, o->file.problem, o->file.title, text, o->r, &error);
    }
    free(text);
    if (status != HF_OK) {
        hf_cli_report(&error);
    }
    return status == HF_OK;
}

// Reads, solves and prints one file; the exit code.
static int work(request *q, const char *path)
{
    hf_error error = {0};
    outcome o = {.path = path};
    int code = HF_CLI_DONE;
    if (hf_fclib_read(path, &o.file, &error) != HF_OK) {
        hf_cli_report(&error);
        return HF_CLI_USAGE;
    }
    if (solve(q, &o, &error) != HF_OK) {
        hf_cli_report(&error);
        code = HF_CLI_FAILED;
    } else {
        print_outcome(q, &o);
        code = o.status == HF_OK ? HF_CLI_DONE : HF_CLI_FAILED;
    }
    if (q->solution != NULL && !write_solution(q, &o)) {
        code = HF_CLI_FAILED;
    }
    free(o.r);
    free(o.u);
    hf_fclib_clear(&o.file);
    return code;
}

static int work_all(request *q, const hf_cli_list *files)
{
    int worst = HF_CLI_DONE;
    // Where results go
    if (q->csv != NULL) {
        q->table = fopen(q->csv, "w");
        if (q->table == NULL) {
            (void)hf_cli_error("%s: cannot create: %s", q->csv, strerror(errno));
            return HF_CLI_FAILED;
        }
    }
    print_head(q);
    q->out = (hf_json){.file = stdout};
    if (q->json) {
        hf_json_begin(&q->out, NULL);
    }
    // Problem after problem; the worst outcome is that of the command
    for (int i = 0; i < files->count; ++i) {
        int code = work(q, files->items[i]);
        worst = code > worst ? code : worst;
    }
    if (q->json) {
        hf_json_end(&q->out);
    }
    bool failed = q->table != NULL && ferror(q->table) != 0;
    if (q->table != NULL && (fclose(q->table) != 0 || failed)) {
        (void)hf_cli_error("%s: cannot write: %s", q->csv, strerror(errno));
        return HF_CLI_FAILED;
    }
    return worst;
}

// The solver by its name; false after a message.
static bool find_method(const char *name, hf_fc3d_method *method)
{
    *method = hf_fc3d_method_find(name);
    if (*method < HF_FC3D_METHOD_COUNT) {
        return true;
    }
    const char *known[HF_FC3D_METHOD_COUNT];
    char list[200] = "";
    for (int i = 0; i < HF_FC3D_METHOD_COUNT; ++i) {
        known[i] = hf_fc3d_method_name((hf_fc3d_method)i);
        size_t length = strlen(list);
        (void)snprintf(list + length, sizeof list - length, "%s%s", i == 0 ? "" : ", ", known[i]);
    }
    const char *nearest = hf_nearest_name(name, known, HF_FC3D_METHOD_COUNT);
    (void)hf_cli_usage_error("fc3d", "unknown solver '%s'%s%s%s; solvers are %s", name,
                             nearest == NULL ? "" : " (did you mean '",
                             nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?)", list);
    return false;
}

static void prepare(void *options)
{
    request *q = options;
    q->def = hf_fc3d_def_default();
    q->solver = hf_fc3d_method_name(HF_FC3D_AUTO);
}

static int start(void *options, const hf_cli_list *files)
{
    request *q = options;
    hf_error error = {0};
    q->def.iterations = q->iterations < 1 << 30 ? (int)q->iterations : 1 << 30;
    q->def.measure = q->scaled == q->natural ? HF_FC3D_STRICTER
                     : q->scaled             ? HF_FC3D_SCALED
                                             : HF_FC3D_NATURAL;
    if (!find_method(q->solver, &q->def.method)) {
        return HF_CLI_USAGE;
    }
    if (q->solution != NULL && files->count != 1) {
        return hf_cli_usage_error("fc3d", "--solution takes one problem, not %d", files->count);
    }
    if (hf_fc3d_def_check(&q->def, &error) != HF_OK) {
        return hf_cli_usage_error("fc3d", "%s", error.text);
    }
    return work_all(q, files);
}

static const hf_cli_option table[] = {
    {"solver", 0, "S", "auto unless given; one of", HF_CLI_TEXT, offsetof(request, solver),
     HF_CLI_WORD_SOLVER, NULL},
    {"tolerance", 0, "E", "of the residual; 1e-8 unless given", HF_CLI_NUMBER,
     offsetof(request, def.tolerance), HF_CLI_WORD_ANY, NULL},
    {"scaled", 0, NULL, "the tolerance is of the residual without units", HF_CLI_FLAG,
     offsetof(request, scaled), HF_CLI_WORD_ANY,
     "u is then multiplied by the mean inverse of the diagonal of W."},
    {"natural", 0, NULL, "the tolerance is of the residual as Siconos has it", HF_CLI_FLAG,
     offsetof(request, natural), HF_CLI_WORD_ANY, "Else both must be below the tolerance."},
    {"iterations", 0, "N", "at most, of all methods together", HF_CLI_COUNT,
     offsetof(request, iterations), HF_CLI_WORD_ANY, NULL},
    {"seconds", 0, "T", "give up after so much processor time", HF_CLI_NUMBER,
     offsetof(request, def.seconds), HF_CLI_WORD_ANY, NULL},
    {"guess", 0, NULL, "begin from the file's first guess, not from zero", HF_CLI_FLAG,
     offsetof(request, guess), HF_CLI_WORD_ANY, NULL},
    {"solution", 0, "F", "write the problem with its solution to F", HF_CLI_TEXT,
     offsetof(request, solution), HF_CLI_WORD_PROBLEM, NULL},
    {"csv", 0, "F", "write the table to F", HF_CLI_TEXT, offsetof(request, csv), HF_CLI_WORD_FILE,
     NULL},
    {"json", 0, NULL, "print JSON", HF_CLI_FLAG, offsetof(request, json), HF_CLI_WORD_ANY, NULL},
};

const hf_cli_command hf_cli_command_fc3d = {
    .name = "fc3d",
    .phrase = "solve friction-contact problems in FCLIB's files",
    .usage = "FILE... [options]",
    .about = "Solves friction-contact problems in FCLIB's HDF5 format, also with friction of "
             "rolling, and prints\nsize, solver, iterations, time and residual of each.\n",
    .after = "\nThe natural residual is sqrt(sum |r - P_K(r - u~)|^2) / max(|q|, |r|, |u|); the "
             "scaled one is the\nsame without units. A problem is solved when both are below the "
             "tolerance. Exit code 1: a problem\nwas not solved; 2: a file could not be "
             "read.\n\nExample:\n"
             "  holdfast fc3d *.hdf5 --solver newton --tolerance 1e-10 --csv table.csv\n",
    .operand = "FILE",
    .least = 1,
    .most = -1,
    .first = HF_CLI_WORD_PROBLEM,
    .others = HF_CLI_WORD_PROBLEM,
    HF_CLI_OPTIONS(table),
    .size = sizeof(request),
    .prepare = prepare,
    .start = start,
};

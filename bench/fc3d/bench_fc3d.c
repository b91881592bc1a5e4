// SPDX-License-Identifier: Apache-2.0
// Friction-contact problems x solvers: time, iterations and residual at 1e-4 and 1e-8, with
// Siconos' Gauss-Seidel and Newton on the same problems in the same run, where it is installed.
//   bench-fc3d [TABLE.csv] [large] [FOLDER]
// Problems: $HOLDFAST_DATA/fc3d/*.hdf5, those of another folder (as `holdfast run --dump` writes
// them), and piles and a wall of this program's own; with `large` also a pile at rest of some 2,200
// contacts, without Siconos' Newton. Times are processor times with set-up, the least of some runs.
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/fclib.h>

#include "../../tests/solvers/fc3d_problems.h"
#include "../../tests/solvers/fc3d_scenes.h"
#include "../bench.h"
#ifdef HF_BENCH_SICONOS
#include "siconos.h"
#endif

enum { MOST_PROBLEMS = 100, TOLERANCES = 2 };
static const double TOLERANCE[TOLERANCES] = {1e-4, 1e-8};
static const double BRIEF = 1e-4; // runs that take less are measured so many together [s]
enum { TOGETHER = 50, SMALL = 3 /* contacts */ };
static const double REPEAT_SECONDS = 0.02; // runs are repeated until they took so long together
static const double LONGEST = 20.0;        // of one method alone [s]

// Our methods but Lemke, which is for two dimensions, and continuation, which is for what stops the
// others; then Siconos' two.
static const hf_fc3d_method METHODS[] = {HF_FC3D_AUTO,     HF_FC3D_GAUSS_SEIDEL, HF_FC3D_NEWTON,
                                         HF_FC3D_INTERIOR, HF_FC3D_PROXIMAL,     HF_FC3D_ADMM};
enum { OWN = sizeof METHODS / sizeof *METHODS, SOLVERS = OWN + 2 };
static const char *const NAMES[SOLVERS] = {"auto",         "gauss-seidel", "newton",
                                           "interior",     "proximal",     "admm",
                                           "siconos NSGS", "siconos NSN"};

typedef struct entry {
    bool solved;
    int iterations;
    double seconds, residual;
} entry;

typedef struct problem {
    char name[64];
    hf_fc3d_problem *p;
    bool large;
    entry entries[TOLERANCES][SOLVERS];
} problem;

// ------------------------------------------------------------------------------------------------
// Problems

static int compare_names(const void *left, const void *right)
{
    return strcmp(((const problem *)left)->name, ((const problem *)right)->name);
}

static int read_problems(const char *folder, problem *problems, int most)
{
    char path[800];
    DIR *list = opendir(folder);
    int count = 0;
    if (list == NULL) {
        printf("bench-fc3d: %s cannot be read (HOLDFAST_DATA names the folder of the data)\n",
               folder);
        return 0;
    }
    for (struct dirent *e = readdir(list); e != NULL && count < most; e = readdir(list)) {
        char *dot = strrchr(e->d_name, '.');
        hf_fclib file;
        hf_error error;
        (void)snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (dot == NULL || strcmp(dot, ".hdf5") != 0) {
            continue;
        }
        if (hf_fclib_read(path, &file, &error) != HF_OK) {
            printf("%s\n", error.text);
            continue;
        }
        if (file.dimension == 5) { // friction of rolling has a solver of its own
            hf_fclib_clear(&file);
            continue;
        }
        (void)snprintf(problems[count].name, sizeof problems[count].name, "%.*s",
                       (int)(dot - e->d_name), e->d_name);
        problems[count++].p = file.problem;
        file.problem = NULL;
        hf_fclib_clear(&file);
    }
    (void)closedir(list);
    qsort(problems, (size_t)count, sizeof *problems, compare_names);
    return count;
}

static int make_piles(problem *problems, bool large)
{
    const hf_pile_fc3d moving[] = {{4, 5, 100, 0.5}, {4, 5, 200, 0.5}};
    int count = 0;
    for (int i = 0; i < 2; ++i) {
        double speed = 0.0;
        hf_fc3d_problem *p = hf_pile_fc3d_create(&moving[i], &speed);
        if (p != NULL) {
            (void)snprintf(problems[count].name, sizeof problems[count].name,
                           "pile of 80 spheres, %.1f s", moving[i].steps * 5e-3);
            problems[count++].p = p;
        }
    }
    const struct {
        hf_scene_def def;
        int steps;
        const char *name;
    } resting[] = {
        {{.wall = true, .across = 5, .layers = 5, .step = 5e-3, .mu = 0.6}, 0, "wall at rest"},
        {{.across = 4, .layers = 5, .step = 5e-3, .mu = 0.5, .drag = 0.01}, 1600, "pile at rest"},
        {{.across = 9, .layers = 9, .step = 5e-3, .mu = 0.5, .drag = 0.01},
         1600,
         "large pile at rest"},
    };
    for (int i = 0; i < (large ? 3 : 2); ++i) {
        hf_scene *scene = hf_scene_create(&resting[i].def);
        double *r = NULL;
        const hf_fc3d_problem *p =
            scene == NULL ? NULL : hf_scene_settle(scene, resting[i].steps, 60, &r);
        hf_fc3d_problem *whole = p == NULL ? NULL : hf_fc3d_problem_expand(p, NULL);
        if (whole != NULL) {
            (void)snprintf(problems[count].name, sizeof problems[count].name, "%s",
                           resting[i].name);
            problems[count].large = i == 2;
            problems[count++].p = whole;
        }
        hf_scene_destroy(scene);
    }
    return count;
}

// ------------------------------------------------------------------------------------------------
// Solvers

static entry solve_own(const hf_fc3d_problem *p, hf_fc3d_method method, double tolerance, int times,
                       double *r, double *u)
{
    hf_fc3d_def def = hf_fc3d_def_default();
    def.method = method;
    def.measure = HF_FC3D_NATURAL; // as Siconos has it
    def.tolerance = tolerance;
    def.seconds = p->contacts > SMALL ? LONGEST : 0.0; // small ones end, and a clock takes time
    hf_fc3d_info info = {0};
    hf_error error;
    bool solved = false;
    double start = hf_bench_now();
    for (int i = 0; i < times; ++i) {
        hf_fc3d_solver *solver = hf_fc3d_solver_create(&def, p, NULL);
        memset(r, 0, 3 * (size_t)p->contacts * sizeof *r);
        solved = hf_fc3d_solve(solver, p, r, u, &info, &error) == HF_OK;
        hf_fc3d_solver_destroy(solver);
    }
    return (entry){solved, info.iterations, (hf_bench_now() - start) / times, 0.0};
}

static entry solve_one(const hf_fc3d_problem *p, int solver, double tolerance, int times, double *r,
                       double *u)
{
#ifdef HF_BENCH_SICONOS
    if (solver >= OWN) {
        siconos_result s = siconos_solve(p, solver == OWN ? SICONOS_GAUSS_SEIDEL : SICONOS_NEWTON,
                                         tolerance, times, r);
        return (entry){s.solved, s.iterations, s.seconds, 0.0};
    }
#endif
    return solve_own(p, METHODS[solver], tolerance, times, r, u);
}

// The least time of some runs. Whatever a solver says, our residual has the last word.
static entry measure(const hf_fc3d_problem *p, int solver, double tolerance)
{
    size_t n = 3 * (size_t)p->contacts + 1;
    double *r = calloc(n, sizeof *r), *u = calloc(n, sizeof *u), total = 0.0;
    entry best = {.seconds = HUGE_VAL};
    int times = 1;
    for (int k = 0; k < 1000 && total < REPEAT_SECONDS; ++k) {
        entry e = solve_one(p, solver, tolerance, times, r, u);
        total += times * e.seconds > 1e-6 ? times * e.seconds : 1e-6;
        if (k == 0 && e.seconds < BRIEF) { // the clock counts microseconds
            times = TOGETHER;
            continue;
        }
        best = e.seconds < best.seconds ? e : best;
    }
    best.residual = hf_fc3d_residual(p, HF_FC3D_NATURAL, r, u);
    best.solved = best.residual <= tolerance;
    free(r);
    free(u);
    return best;
}

// ------------------------------------------------------------------------------------------------
// Output

static int solver_count(void)
{
#ifdef HF_BENCH_SICONOS
    return SOLVERS;
#else
    return OWN;
#endif
}

static void print_table(const problem *problems, int count, int tolerance)
{
    printf("\nProcessor time [ms] to a residual of %g; iterations in brackets; - : not reached\n",
           TOLERANCE[tolerance]);
    printf("%-28s %8s", "", "contacts");
    for (int s = 0; s < solver_count(); ++s) {
        printf(" %17s", NAMES[s]);
    }
    printf("\n");
    for (int i = 0; i < count; ++i) {
        printf("%-28s %8d", problems[i].name, problems[i].p->contacts);
        for (int s = 0; s < solver_count(); ++s) {
            const entry *e = &problems[i].entries[tolerance][s];
            char text[32] = "-";
            if (e->solved) {
                (void)snprintf(text, sizeof text, "%.3f (%d)", 1e3 * e->seconds, e->iterations);
            }
            printf(" %17s", text);
        }
        printf("\n");
    }
}

static bool write_csv(const char *path, const problem *problems, int count)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        printf("bench-fc3d: cannot create %s\n", path);
        return false;
    }
    (void)fprintf(file, "problem,contacts,tolerance,solver,solved,seconds,iterations,residual\n");
    for (int i = 0; i < count; ++i) {
        for (int t = 0; t < TOLERANCES; ++t) {
            for (int s = 0; s < solver_count(); ++s) {
                const entry *e = &problems[i].entries[t][s];
                (void)fprintf(file, "\"%s\",%d,%g,%s,%d,%.9g,%d,%.9g\n", problems[i].name,
                              problems[i].p->contacts, TOLERANCE[t], NAMES[s], e->solved,
                              e->seconds, e->iterations, e->residual);
            }
        }
    }
    return fclose(file) == 0;
}

// The worst ratio of times, with set-up, to the better of Siconos' two, which are without theirs.
static double worst_small(const problem *problems, int count)
{
    double worst = 0.0;
    for (int i = 0; i < count; ++i) {
        for (int t = 0; problems[i].p->contacts <= SMALL && t < TOLERANCES; ++t) {
            const entry *e = problems[i].entries[t];
            double other = HUGE_VAL;
            for (int s = OWN; s < solver_count(); ++s) {
                other = e[s].solved ? fmin(other, e[s].seconds) : other;
            }
            worst = fmax(worst, e[0].solved ? e[0].seconds / other : HUGE_VAL);
        }
    }
    return worst;
}

static void print_results(const problem *problems, int count)
{
    int solved = 0, faster = 0, compared = 0;
    double logs = 0.0;
    for (int i = 0; i < count; ++i) {
        const entry *e = problems[i].entries[1];
        double other = HUGE_VAL;
        for (int s = OWN; s < solver_count(); ++s) {
            other = e[s].solved ? fmin(other, e[s].seconds) : other;
        }
        solved += e[0].solved;
        faster += e[0].solved && e[0].seconds < other;
        if (e[0].solved && isfinite(other)) {
            logs += log(other / e[0].seconds);
            ++compared;
        }
    }
    char limit[32];
    (void)snprintf(limit, sizeof limit, ">= %d", count);
    hf_bench_result("fc3d: problems solved to 1e-8, automatic choice", solved, "problems", limit);
    if (solver_count() > OWN) {
        (void)snprintf(limit, sizeof limit, ">= %d", (3 * count + 3) / 4);
        hf_bench_result("fc3d: faster than the better of Siconos' two", faster, "problems", limit);
        hf_bench_result("fc3d: times as fast, geometric mean where Siconos solves",
                        compared == 0 ? 0.0 : exp(logs / compared), "times", "-");
        hf_bench_result("fc3d: 1 to 3 contacts, time of the better of Siconos' two",
                        worst_small(problems, count), "times", "<= 1");
    }
}

int main(int count, char **arguments)
{
    static problem problems[MOST_PROBLEMS];
    const char *data = getenv("HOLDFAST_DATA"), *table = NULL, *other = NULL;
    char folder[500];
    bool large = false;
    for (int i = 1; i < count; ++i) {
        size_t length = strlen(arguments[i]);
        if (strcmp(arguments[i], "large") == 0) {
            large = true;
        } else if (length > 4 && strcmp(arguments[i] + length - 4, ".csv") == 0) {
            table = arguments[i];
        } else {
            other = arguments[i];
        }
    }
    (void)snprintf(folder, sizeof folder, "%s/fc3d", data == NULL ? "." : data);
    int found = read_problems(folder, problems, MOST_PROBLEMS / 2);
    found += other == NULL ? 0 : read_problems(other, problems + found, MOST_PROBLEMS / 2 - 10);
    found += make_piles(problems + found, large);
    for (int i = 0; i < found; ++i) {
        for (int t = 0; t < TOLERANCES; ++t) {
            for (int s = 0; s < solver_count(); ++s) {
                if (!problems[i].large || s < SOLVERS - 1) {
                    problems[i].entries[t][s] = measure(problems[i].p, s, TOLERANCE[t]);
                }
            }
        }
    }
    for (int t = 0; t < TOLERANCES; ++t) {
        print_table(problems, found, t);
    }
    print_results(problems, found);
    bool good = table == NULL || write_csv(table, problems, found);
    for (int i = 0; i < found; ++i) {
        hf_fc3d_problem_destroy(problems[i].p);
    }
    return good ? 0 : 1;
}

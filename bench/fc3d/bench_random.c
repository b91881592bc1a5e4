// SPDX-License-Identifier: Apache-2.0
// Random friction-contact problems, each with a solution: how many each method solves to 1e-8, and
// which ones the automatic choice leaves although another solves them, with Siconos' solvers on the
// same problems where it is installed.
//   bench-fc3d-random [SEEDS [own|auto]]    of each family; 30 unless given; own: without Siconos;
//                                           auto: that alone
//   bench-fc3d-random only FAMILY SEED [SECONDS]    every solver on one of them
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../tests/solvers/fc3d_problems.h"
#include "../bench.h"
#ifdef HF_BENCH_SICONOS
#include "siconos.h"
#endif

static const double TOLERANCE = 1e-8;
static const double LONGEST = 5.0; // of one method alone, unless told otherwise [s]

static const hf_fc3d_method METHODS[] = {HF_FC3D_AUTO,        HF_FC3D_GAUSS_SEIDEL, HF_FC3D_NEWTON,
                                         HF_FC3D_INTERIOR,    HF_FC3D_PROXIMAL,     HF_FC3D_ADMM,
                                         HF_FC3D_CONTINUATION};
enum { OWN = sizeof METHODS / sizeof *METHODS, OTHERS = 6, SOLVERS = OWN + OTHERS };
static const char *const NAMES[SOLVERS] = {
    "auto",           "gauss-seidel", "newton",       "interior",       "proximal",
    "admm",           "continuation", "siconos NSGS", "siconos NSN_AC", "siconos NSN_NM",
    "siconos NSN_FB", "siconos PROX", "siconos ADMM"};

// Bodies, contacts, friction, masses from light to heavy, share of open contacts, singular W.
static const hf_random_fc3d FAMILIES[] = {
    {2, 4, 2.0, 2.0, 1e6, 0.3, false, 0},     {6, 12, 2.0, 2.0, 1e6, 0.3, false, 0},
    {6, 30, 2.0, 2.0, 1e6, 0.1, false, 0},    {6, 30, 2.0, 2.0, 1e6, 0.1, true, 0},
    {20, 60, 2.0, 2.0, 1e6, 0.3, false, 0},   {20, 60, 2.0, 2.0, 1e6, 0.3, true, 0},
    {20, 100, 0.5, 1.0, 1e6, 0.1, false, 0},  {20, 100, 2.0, 2.0, 1e3, 0.1, true, 0},
    {20, 60, 10.0, 10.0, 1e6, 0.3, false, 0}, {6, 30, 10.0, 10.0, 1e3, 0.1, true, 0},
    {40, 150, 2.0, 2.0, 1e6, 0.2, false, 0}};
enum { FAMILY_COUNT = sizeof FAMILIES / sizeof *FAMILIES, MOST_CONTACTS = 150 };

static int solver_count(const char *which)
{
    if (strcmp(which, "auto") == 0) {
        return 1;
    }
#ifdef HF_BENCH_SICONOS
    return strcmp(which, "own") == 0 ? OWN : SOLVERS;
#else
    return OWN;
#endif
}

#ifdef HF_BENCH_SICONOS
// Reactions that grow until they hide every motion are no solution, whoever found them: ours are
// not called solved then, and nothing is left to do where others' are.
static bool stands(const hf_fc3d_problem *p, double *r)
{
    hf_fc3d_def def = hf_fc3d_def_default();
    double u[3 * MOST_CONTACTS];
    hf_fc3d_info info;
    def.method = HF_FC3D_GAUSS_SEIDEL;
    def.measure = HF_FC3D_NATURAL;
    def.tolerance = TOLERANCE;
    def.iterations = 1;
    hf_fc3d_solver *s = hf_fc3d_solver_create(&def, p, NULL);
    bool good = hf_fc3d_solve(s, p, r, u, &info, NULL) == HF_OK && info.iterations == 0;
    hf_fc3d_solver_destroy(s);
    return good;
}
#endif

// Whatever a solver says, our residual has the last word: as Siconos has it, for all.
static bool solve(const hf_fc3d_problem *p, int solver, double longest, double *seconds,
                  double *residual)
{
    bool good = true;
    double r[3 * MOST_CONTACTS] = {0.0}, u[3 * MOST_CONTACTS], start = hf_bench_now();
    if (solver < OWN) {
        hf_fc3d_def def = hf_fc3d_def_default();
        hf_error error;
        def.method = METHODS[solver];
        def.measure = HF_FC3D_NATURAL;
        def.tolerance = TOLERANCE;
        def.seconds = longest;
        hf_fc3d_solver *s = hf_fc3d_solver_create(&def, p, NULL);
        good = hf_fc3d_solve(s, p, r, u, NULL, &error) == HF_OK;
        hf_fc3d_solver_destroy(s);
    }
#ifdef HF_BENCH_SICONOS
    if (solver >= OWN) {
        (void)siconos_solve(p, (siconos_method)(solver - OWN), TOLERANCE, 1, r);
    }
#endif
    *seconds += hf_bench_now() - start;
#ifdef HF_BENCH_SICONOS
    good = good && (solver < OWN || stands(p, r));
#endif
    *residual = hf_fc3d_residual(p, HF_FC3D_NATURAL, r, u);
    return good && *residual <= TOLERANCE;
}

static hf_fc3d_problem *make(int family, int seed)
{
    hf_random_fc3d def = FAMILIES[family - 1];
    double r[3 * MOST_CONTACTS], u[3 * MOST_CONTACTS];
    def.seed = 1000 * (uint64_t)family + (uint64_t)seed;
    return hf_random_fc3d_create(&def, r, u);
}

// Every solver on one problem.
static int show_one(int family, int seed, double longest)
{
    if (family < 1 || family > FAMILY_COUNT) {
        printf("bench-fc3d-random: families are 1 to %d\n", FAMILY_COUNT);
        return 2;
    }
    hf_fc3d_problem *p = make(family, seed);
    for (int s = 0; s < solver_count(""); ++s) {
        double seconds = 0.0, residual;
        bool good = solve(p, s, longest, &seconds, &residual);
        printf("family %d, seed %d: %-16s %s, residual %8.2g, %9.2f ms\n", family, seed, NAMES[s],
               good ? "solves it" : "does not ", residual, 1e3 * seconds);
        (void)fflush(stdout);
    }
    hf_fc3d_problem_destroy(p);
    return 0;
}

int main(int count, char **arguments)
{
    if (count > 3 && strcmp(arguments[1], "only") == 0) {
        return show_one(atoi(arguments[2]), atoi(arguments[3]),
                        count > 4 ? atof(arguments[4]) : LONGEST);
    }
    int seeds = count > 1 ? atoi(arguments[1]) : 30, all = 0, left = 0, missed = 0;
    int solved[SOLVERS] = {0}, solvers = solver_count(count > 2 ? arguments[2] : "");
    double seconds[SOLVERS] = {0.0}, residual;
    for (int f = 1; f <= FAMILY_COUNT; ++f) {
        for (int k = 1; k <= seeds; ++k, ++all) {
            hf_fc3d_problem *p = make(f, k);
            bool own = false, other = false;
            int by = -1;
            for (int s = 0; s < solvers; ++s) {
                bool good = solve(p, s, LONGEST, &seconds[s], &residual);
                solved[s] += good ? 1 : 0;
                own = s == 0 ? good : own;
                by = good && by < 0 ? s : by;
                other = other || (good && s > 0);
            }
            left += own ? 0 : 1;
            missed += !own && other ? 1 : 0;
            if (!own) {
                printf("left: family %d, seed %d%s%s\n", f, k, other ? ", solved by " : "",
                       other ? NAMES[by] : "");
                (void)fflush(stdout);
            }
            hf_fc3d_problem_destroy(p);
        }
    }
    for (int s = 0; s < solvers; ++s) {
        printf("%-16s solves %3d of %d, %8.2f ms each\n", NAMES[s], solved[s], all,
               1e3 * seconds[s] / all);
    }
    hf_bench_result("fc3d: random problems that the automatic choice leaves", left, "problems",
                    "-");
    hf_bench_result("fc3d: of those, solved by another method or by Siconos", missed, "problems",
                    "<= 0");
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
// What the methods for friction-contact problems share.
#ifndef HF_SOLVERS_FC3D_FC3D_INTERNAL_H
#define HF_SOLVERS_FC3D_FC3D_INTERNAL_H

#include <holdfast/fc3d.h>

#include "base/arena.h"
#include "fc3d_cone.h"
#include "fc3d_space.h"
#include "solvers/lu/block_lu.h"

// Residual with the two measures' parts kept apart.
typedef struct hf_fc3d_errors {
    double natural, scaled;
    // The scaled residual as a share of rho times the velocities alone. Where there is no solution
    // (a body between walls that close) reactions grow without end, and a residual that is relative
    // to them vanishes; this one does not.
    double of_motion;
} hf_fc3d_errors;

// Not a number when one of them is none.
static inline double hf_fc3d_measured(hf_fc3d_measure measure, const hf_fc3d_errors *e)
{
    bool scaled =
        measure == HF_FC3D_SCALED || (measure == HF_FC3D_STRICTER && !(e->scaled <= e->natural));
    return scaled ? e->scaled : e->natural;
}

// More than this share is no solution, whatever the tolerance.
#define HF_FC3D_MOST_OF_MOTION 0.1

// One contact's own block of W, made ready for many turns. fc3d_contact.c
typedef struct hf_fc3d_own {
    double w[9];
    double over; // 1 / W_NN; 0: W_NN is not positive
    double a[4]; // what is left of the tangents when the normal follows
    double trace, determinant;
    double over_tangent; // 1 / W_TT where it is a number and nothing couples; 0: elsewhere
} hf_fc3d_own;

// A contact whose normal row only says r_N = bound + share r_N of another: friction of spin and
// rolling. Sweeps keep q_N = -weight (bound + share r_N) up with the other's reaction.
typedef struct hf_fc3d_follower {
    int contact, owner;
    double bound, share, weight;
} hf_fc3d_follower;

// What a turn has to look at. fc3d_turns.c
typedef enum hf_fc3d_turn_kind {
    HF_FC3D_ANY,
    HF_FC3D_RIGID, // six freedoms each; what is not there has a map of zeros
    HF_FC3D_ALIKE, // the same; normal and tangents do not couple, and both tangents are alike
    HF_FC3D_SPINS, // the same; the normal is a bound, one tangent turns the bodies,
    HF_FC3D_ROLLS  // or both do
} hf_fc3d_turn_kind;

// All that a contact's turn needs where bodies are known, side by side.
typedef struct hf_fc3d_turn {
    hf_fc3d_turn_kind kind;
    int n[2];        // freedoms of the two bodies
    double *v[2];    // their velocities
    double *path[2]; // how far each has moved
    double q[3], mu;
    const double *load;        // r_N that it follows; NULL: none
    double unloaded, per_load; // q_N is the first, and so much for it
    double over_weight;        // 1 / weight
    double weight[2], over[2]; // where nothing couples: W_NN and W_TT, and 1 / them
    union {
        struct {
            const double *map[2]; // H', and M^-1 H' in the same order
            const double *moves[2];
        };
        double rows[2][6]; // of tangents that turn: H' of both bodies' turns
    } by;
} hf_fc3d_turn;

// Sweeps that are mixed. fc3d_mix.c
enum { HF_FC3D_MIXED = 4 };
typedef struct hf_fc3d_mix {
    int kept, next;                                // slots in use; the one to fill
    double last;                                   // |f|^2 of the last sweep
    double *before;                                // [3 contacts] r before the sweep
    double *start;                                 // [3 rows] v before it
    double *scale;                                 // [3 contacts] of the metric
    double *f, *swept, *motion;                    // of the last sweep: f, r, v
    double *df[HF_FC3D_MIXED], *dr[HF_FC3D_MIXED]; // [3 contacts] changes of f and r
    double *dv[HF_FC3D_MIXED];                     // [3 rows] of v
    double gram[HF_FC3D_MIXED][HF_FC3D_MIXED];     // df'df
    double share[HF_FC3D_MIXED];                   // of each to take away
    int steady, since;                             // sweeps that drift; since the last jump
    double far;                                    // least sweeps that it went ahead; 0: none
    bool calm; // it never goes ahead: of redundant reactions those near the first ones are wanted
    bool near; // r to begin with is that of a solution near by
} hf_fc3d_mix;

// Products of a sweep's f with itself and with the last one's, of the change of f with each that is
// kept, and of those with f.
typedef struct hf_fc3d_mix_sums {
    double size, along, gram[HF_FC3D_MIXED], miss[HF_FC3D_MIXED];
} hf_fc3d_mix_sums;

struct hf_fc3d_solver {
    hf_fc3d_def def;
    bool brief; // the automatic choice leaves out what takes long
    hf_arena arena;
    hf_block_lu *lu;
    hf_fc3d_space space;                                // of problems with bodies
    int contacts, blocks, rows, bodies;                 // capacities
    double *trial_r, *trial_u, *step, *best_r, *change; // [3 contacts]
    double *felt, *trial_felt;                          // [3 contacts]
    double *extra[4];        // [3 contacts]: 0 is Newton's own, 1-3 the interior points'
    double *left, *diagonal; // [9 contacts] of the matrix
    double *weight;          // [contacts]
    double *shift;           // [contacts] of the interior points
    double *root;            // [contacts] warm starts of one contact
    hf_fc3d_own *own;        // [contacts]
    hf_fc3d_turn *turns;     // [contacts] where bodies are
    double alone[4];         // best_r and root where one contact needs no other memory
    double nobody[24];       // velocities, path and map of what is not there
    hf_fc3d_mix mix;
    double *path, *reach;              // [bodies] how far Gauss-Seidel has moved each; largest |H'|
    double *seen, *error;              // [contacts] of that at its last turn; residual squared
    double *motion[2];                 // [3 rows] of bodies: M^-1 H r; scratch
    double *inverse, *stiff;           // [9 contacts] D^-1, D^-1 L
    bool inverse_given;                // D^-1 by the method itself
    double *right, *back;              // [3 contacts]
    double *given;                     // [3 contacts] reactions to begin with
    double *anchor;                    // [3 contacts] of a continuation
    const hf_fc3d_follower *followers; // for sweeps where bodies are known, set by the caller;
    int follower_count;
    double *followed_q; // the problem's q, which they change
    double *table;      // Lemke's; NULL: not asked for
    size_t table_size;
    int *basis;
};

// Two entries of a symmetric matrix that differ by more than this share of sqrt(w_ii w_jj) are a
// mistake. Less is not: published files of capsules have 4e-3, of rovers 2e-4.
#define HF_FC3D_ROUNDING 0.05

// A problem with memory of its own.
typedef struct hf_fc3d_owned {
    hf_fc3d_problem problem; // first: the pointer that callers have
    hf_fc3d_bodies bodies;
    hf_arena arena;
} hf_fc3d_owned;

// One solution under way.
typedef struct hf_fc3d_run {
    hf_fc3d_solver *s;
    const hf_fc3d_problem *p;
    hf_fc3d_space *space; // NULL: only W is known
    double *r, *u;        // 3 contacts each
    double rho;           // 3 contacts / trace W
    double norm_q;        // |q|
    double residual;      // of r, by def.measure
    double best;          // least residual; its reactions are in s->best_r
    double tolerance;
    double sweep_ratio; // residual per what a sweep estimates; 0: not known yet
    bool rough;         // linear systems are solved once, without repetition
    bool no_room;       // there was too little memory for the matrix
    int budget;         // sweeps and steps of all methods together
    double until;       // processor time [s]; infinite: no limit
    double least;       // where there is no solution: reactions that one would need at least
    hf_fc3d_info *info;
} hf_fc3d_run;

// u := W r + q, residual := its residual; keeps r when it is the best. True: below the tolerance.
bool hf_fc3d_judge(hf_fc3d_run *run, double *r, double *u, double *residual);
// The residual at which sweeping stops even if more sweeps are asked for.
static inline double hf_fc3d_polished(double tolerance)
{
    const double share = 1e-3, least = 1e-10; // of the tolerance; near the rounding of a residual
    return fmin(tolerance, fmax(share * tolerance, least));
}

// Time or budget are used up.
bool hf_fc3d_out_of_time(const hf_fc3d_run *run);
int hf_fc3d_left(const hf_fc3d_run *run, int iterations); // of them, within the budget

hf_status hf_fc3d_matrix_check(const char *name, const hf_fc3d_matrix *matrix, hf_error *error);
// All of a symmetric matrix of which one triangle may be given, in memory of the arena.
// HF_ERROR_INPUT: it is neither symmetric nor a triangle. fc3d_symmetry.c
hf_status hf_fc3d_matrix_complete(const char *name, hf_arena *arena, hf_fc3d_matrix *matrix,
                                  hf_error *error);
// hf_fc3d_problem_create of a matrix that is known to be whole.
hf_fc3d_problem *hf_fc3d_problem_build(const hf_fc3d_matrix *w, const double *q, const double *mu,
                                       hf_error *error);

// Fills rho, norm_q and best.
void hf_fc3d_run_start(hf_fc3d_run *run);

// Measures from r and u = W r + q: both, or, where `measure` is the scaled one, that alone (the
// natural one is then not a number).
hf_fc3d_errors hf_fc3d_measure_errors(const hf_fc3d_problem *problem, hf_fc3d_measure measure,
                                      double rho, double norm_q, const double *r, const double *u);

// Row i of W times r.
static inline void hf_fc3d_row(const hf_fc3d_problem *p, int i, const double *r, double u[3])
{
    double a = 0.0, b = 0.0, c = 0.0;
    for (int k = p->start[i]; k < p->start[i + 1]; ++k) {
        const double *w = p->w + 9 * (size_t)k, *x = r + 3 * (size_t)p->column[k];
        a += w[0] * x[0] + w[1] * x[1] + w[2] * x[2];
        b += w[3] * x[0] + w[4] * x[1] + w[5] * x[2];
        c += w[6] * x[0] + w[7] * x[1] + w[8] * x[2];
    }
    u[0] = a;
    u[1] = b;
    u[2] = c;
}

// q of followers, by the present reactions.
void hf_fc3d_follow(hf_fc3d_run *run);

// u := W r + q by what the run has; s->motion[0] := M^-1 H r where there are bodies.
void hf_fc3d_run_velocity(hf_fc3d_run *run, const double *r, double *u);
// y := W x
void hf_fc3d_run_product(hf_fc3d_run *run, const double *x, double *y);
// W_ii
const double *hf_fc3d_own_block(const hf_fc3d_run *run, int contact);

// s->weight[i] = 3 / trace W_ii: what u of a contact is worth in r.
void hf_fc3d_set_weights(const hf_fc3d_run *run);

// One contact: u = W r + q with a 3x3 W. `root` is where to look for the sliding solution's root,
// and is renewed. fc3d_contact.c
hf_regime hf_fc3d_one_contact(const double w[9], const double q[3], double mu, double r[3],
                              double *root);
void hf_fc3d_own_prepare(const double w[9], hf_fc3d_own *own);
hf_regime hf_fc3d_own_solve(const hf_fc3d_own *own, const double q[3], double mu, double r[3],
                            double *root);

// fc3d_mix.c: room; false: no memory. Begins with r, unless this is where the last sweep has led.
// Between them r before a sweep goes into mix->before, the bodies' velocities into mix->start.
// Takes up what the sweep made of them (v: velocities then; NULL: none are known); dr, dv: what is
// to be taken away of both, where it returns true.
// `calm` and `near` of mix are kept; all else of it is set.
bool hf_fc3d_mix_allocate(hf_fc3d_mix *mix, hf_arena *arena, int contacts, int rows);
void hf_fc3d_mix_start(hf_fc3d_mix *mix, const double *weight, const double *r, int contacts);
bool hf_fc3d_mix_sweep(hf_fc3d_mix *mix, const double *mu, const double *r, int contacts,
                       const double *v, int rows, double *dr, double *dv);
// Loops of its own.
void hf_fc3d_mix_differ(const double *now, double *before, double *to, int n);
void hf_fc3d_mix_take_up(const hf_fc3d_mix *mix, const double *r, int n, hf_fc3d_mix_sums *out);
void hf_fc3d_mix_add_up(double *const *a, const double *share, int n, double *out);
void hf_fc3d_mix_take_away(const double *share, int n, double *from);

// (D + L W) x = b, with D and L in s->diagonal and s->left: by W, or by the bodies. D^-1 may be
// given in s->inverse, when it is known better than from D. hf_fc3d_factorize is false when the
// matrix is not finite or there is no memory for it. fc3d_linear.c
bool hf_fc3d_plan(hf_fc3d_run *run); // done by the next, too
hf_block_lu_size hf_fc3d_plan_size(const hf_fc3d_run *run);
bool hf_fc3d_factorize(hf_fc3d_run *run, bool inverse_given);
int hf_fc3d_determinant_sign(const hf_fc3d_run *run); // of D + L W: 1 or -1
void hf_fc3d_solve_linear(hf_fc3d_run *run, double *x);

// One contact, by its closed form: for this the solver needs no memory. fc3d_contact.c
bool hf_fc3d_alone(hf_fc3d_run *run);

// By one method, or by all of them: fc3d_auto.c. True: the residual is below the tolerance.
bool hf_fc3d_solve_by(hf_fc3d_run *run, hf_fc3d_method method);
// r, u and residual := those of the best reactions so far, where these are better.
void hf_fc3d_restore_best(hf_fc3d_run *run);

// Methods: from run->r, until the residual is below the tolerance (true), `iterations` are done or
// nothing more is to be expected. Each leaves r, u and the residual of one and the same point.
bool hf_fc3d_gauss_seidel(hf_fc3d_run *run, int iterations);
// Newton gives up after more than `failures` steps that led nowhere, too.
bool hf_fc3d_newton(hf_fc3d_run *run, int iterations, int failures);
// The same for very unlike masses.
bool hf_fc3d_newton_heavy(hf_fc3d_run *run, int iterations);
bool hf_fc3d_proximal(hf_fc3d_run *run, int iterations);
// The same where r is near a solution, as in steps of a simulation.
bool hf_fc3d_proximal_near(hf_fc3d_run *run, int iterations);
// The same with one ease for all contacts: from small reactions to solutions with small ones.
bool hf_fc3d_proximal_even(hf_fc3d_run *run, int iterations);
// Whether there is surely no solution, because normals close; sets run->least.
bool hf_fc3d_none(hf_fc3d_run *run);
bool hf_fc3d_interior(hf_fc3d_run *run, int iterations);
// From the solution of an easier problem whose reactions are drawn towards `anchor`: all alike,
// with the weight `even`, or where that is 0 each with its own.
bool hf_fc3d_continuation(hf_fc3d_run *run, const double *anchor, double even, int iterations);
bool hf_fc3d_admm(hf_fc3d_run *run, int iterations);
bool hf_fc3d_lemke(hf_fc3d_run *run, int iterations);
size_t hf_fc3d_lemke_table(int contacts, int facets); // numbers

#endif

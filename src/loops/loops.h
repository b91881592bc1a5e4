// SPDX-License-Identifier: Apache-2.0
// Closed chains: loops hold by forces. With the rows of bodies/loop.h,
//
//   phi(q) = 0,   J v = 0,   J v' = -J' v,   M v' = u + J' (-lambda)
//   W lambda = J M^-1 u + J' v,   W = J M^-1 J'                                            (1)
//
// (J' v here: the derivative of J times v). Rows may depend on each other, as those of a planar
// chain in space do: (1) is then solved by the lambda of least norm, rows being scaled to a unit
// diagonal of W. Rows that follow from others change no motion.
//
// Movers that loops join form a cluster and answer to forces as one:
//   v' = (1 - M^-1 J' W^+ J) M^-1 u
// and so must every response, effective mass and impulse. hf_loops_project is the one place where
// that happens.
#ifndef HF_LOOPS_LOOPS_H
#define HF_LOOPS_LOOPS_H

#include "sim/sim_data.h"

// A cluster's matrices, at the coordinates `at`.
typedef struct hf_cluster_state {
    bool ready;
    int rank;
    double *at;       // [coordinates]
    double *jacobian; // [rows x columns]
    double *response; // [rows x columns] row r: M^-1 J_r'
    double *halves;   // [rows x columns] row r: L^-1 J_r' of movers whose masses are factored
    double *scale;    // [rows] 1/sqrt(W_rr); 0: a row of rounding alone
    double *phi;      // [rows]
    double *factor;   // of the scaled W (solvers/least_norm.h)
    double *masses;   // factors of the masses of its large movers, one behind the other
    bool factored;    // they are there
} hf_cluster_state;

// A sum of coordinates that closing must not move: a friction that sticks.
typedef struct hf_loop_hold {
    int count;
    hf_coupling_term terms[HF_COUPLING_MAX_TERMS];
} hf_loop_hold;

// Corrections of one closing that are remembered (secant.c).
enum { HF_LOOP_SECANTS = 4 };

// Rows side by side, in fours.
#define HF_LOOP_LANES(rows) (((rows) + 3) / 4 * 4)

struct hf_loops_state {
    hf_cluster_state *clusters;
    double *lambda;       // [rows] at the last evaluation; the force on `on` is -lambda
    hf_pose_rate *rates;  // [poses] how motion changes while v does not
    double *local[3];     // [columns of the largest cluster]
    double *halfway;      // [columns of the largest cluster] L^-1 J'
    double *side_by_side; // [2 columns HF_LOOP_LANES(rows)] rows and their answers, four at a time
    double *right, *part; // [rows]
    double *secant;       // [HF_LOOP_SECANTS x rows] multipliers of the last corrections
    double *secant_w;     // [HF_LOOP_SECANTS x rows] W times these
    double *square;       // [rows x rows] of the largest cluster
    double *link_rows;    // [7 x columns] scratch of a body's rows
    double *before;       // [coordinates + velocities of the machine] before closing
    hf_loop_hold *holds;  // of the closing
    int hold_count, hold_capacity;
    double *hold_rows, *hold_response; // [holds x columns]
    double *hold_w, *hold_factor, *hold_right;
    double power; // what driven bodies put in by the multipliers found last [W, or J of impulses]
};

// Matrices at the coordinates of x, of all clusters that are not there already.
void hf_loops_prepare(hf_sim *sim, const double *x);
// The factor of a mover's mass matrix at the coordinates of the last preparation; NULL: it was not
// needed there.
const double *hf_loops_mass(const hf_sim *sim, int mover);

// What the loops leave of accelerations (or velocities) dv that forces (or impulses) made in some
// movers, at the state x: dv -= M^-1 J' W^+ J dv in the clusters of these movers. `keep`: the
// multipliers are added to lambda.
void hf_loops_project(hf_sim *sim, const double *x, const int *movers, int mover_count, double *dv,
                      bool keep);

// Adds to lambda what the loops of a mover's cluster hold against forces that alone would make the
// accelerations dv, by the matrices of the last preparation.
void hf_loops_bear(hf_sim *sim, int mover, const double *dv);

// Velocities v of movers with which loops stay closed where driven bodies move with the velocities
// `driven` (by their places in v) and all else is at rest: those of least energy, at the state x.
void hf_loops_follow(hf_sim *sim, const double *x, const double *driven, double *v);

// v' of the machine from v' without loops: (1). Poses are those of x.
void hf_loops_accelerate(hf_sim *sim, const double *x, double *dv);

// Closes all loops in x, positions and velocities, with the least motion in the mass metric.
// `hold`: what sticks under the method does not move as far as the loops let it. False: some loop
// stays open.
bool hf_loops_close(hf_sim *sim, double *x, bool hold);

// Adds to the rate dx of an integrator's state x, evaluated at the closed state near it, a pull
// back to that: without it x would drift away from it, though slowly. Its rate is the machine's
// own, so that it costs no steps.
void hf_loops_pull(hf_sim *sim, const double *x, const double *closed, double *dx);

// Before a step: where a driven body's velocity has jumped since the last one, what loops hold to
// it is struck, by impulses of the loops; what these put in goes to the ledger. A position that has
// jumped is an error.
HF_NODISCARD hf_status hf_loops_meet(hf_sim *sim, hf_error *error);
// Closes the state that a step ends with (sim->stage), and tells the statistics.
HF_NODISCARD hf_status hf_loops_commit(hf_sim *sim, double end, hf_error *error);
// The loop that is most open at the last closing, and by how much.
const hf_loop_place *hf_loops_worst(const hf_sim *sim, double *opening);
// How far a loop is open in the state x [m], [rad].
void hf_loop_opening(hf_sim *sim, const hf_loop_place *loop, const double *x, double *error,
                     double *angle);
// The same of phi.
void hf_loop_sizes(const hf_loop_place *loop, const double *phi, double *error, double *angle);
// Force on the `on` body and torque about its end of the loop, world axes. Under methods that solve
// contacts: over the last step, with what loops held against its reactions. Of a ratio: force->x is
// f, and P_i' f acts on its coordinate i.
void hf_loop_force(hf_sim *sim, const hf_loop_place *loop, hf_vec3 *force, hf_vec3 *torque);

// ------------------------------------------------------------------------------------------------
// For the files of the loops

// The rows of one loop (loop_rows.c), poses being those of x. phi: how open it is. jacobian: its
// rows in its cluster's, zero before. bias: phi'' while v does not change; loops->rates are filled.
void hf_loop_phi(const hf_sim *sim, const hf_loop_place *loop, const double *x, double *phi);
void hf_loop_jacobian(hf_sim *sim, const hf_loop_place *loop, const double *x, double *jacobian,
                      int columns, double *phi);
void hf_loop_bias(const hf_sim *sim, const hf_loop_place *loop, const double *x, double *bias);
// The movers that it acts on, each once, as indices in cluster_movers. How many.
int hf_loop_places(const hf_loop_place *loop, int places[HF_LOOP_MAX_TERMS]);
// The size of the numbers that phi is a difference of: what rounding is a part of [m or rad].
double hf_loop_reach(const hf_sim *sim, const hf_loop_place *loop, const double *x);
// The square of the rate at which the directions of its rows turn [1/s^2].
double hf_loop_turning(const hf_sim *sim, const hf_loop_place *loop, const double *x);

// Matrices of one cluster at x, unless they are there already. `posed`: poses are those of x.
// scale_rows.c: of the scales 1/sqrt(W_rr) of a cluster's rows, 0 for rows of rounding alone, and
// the largest row's for those that are a small part of their loop's others.
void hf_cluster_scale_rows(const hf_sim *sim, const hf_cluster *cluster);
void hf_cluster_prepare(hf_sim *sim, const hf_cluster *cluster, const double *x, bool posed);
// Poses of x.
void hf_cluster_pose(hf_sim *sim, const hf_cluster *cluster, const double *x);
// phi of all loops of a cluster; poses are placed as x says, how they move is not. Returns the
// largest.
double hf_cluster_openings(hf_sim *sim, const hf_cluster *cluster, const double *x);
// secant.c: mu = W^+ phi, with phi in loops->part, becomes the multipliers of the correction after
// `steps` others with the same matrices, and is remembered.
void hf_loops_secant(struct hf_loops_state *loops, int rows, int steps, double *mu);
// x <- x moved by velocities `by` (columns of the cluster) in unit time, quaternions normalized.
void hf_cluster_move(hf_sim *sim, const hf_cluster *cluster, const double *by, double *x);
// Velocities of its columns in the state x, those of driven bodies too.
void hf_cluster_velocities(const hf_sim *sim, const hf_cluster *cluster, const double *x,
                           double *local);
// W^+ of the scaled rows: right <- multipliers.
void hf_cluster_solve(hf_sim *sim, const hf_cluster *cluster, double *right);
// M^-1 times a generalized force (columns of the cluster) on one of its movers.
void hf_cluster_respond(hf_sim *sim, const hf_cluster *cluster, const hf_cluster_mover *mover,
                        const double *x, const double *force, double *out);
// Numbers of the factor of a mover's mass that a cluster keeps; 0: it answers by itself, which is
// cheaper for few velocities and few rows.
size_t hf_cluster_mass_size(const hf_model *model, const hf_cluster *cluster,
                            const hf_cluster_mover *mover);

static inline hf_cluster_state *hf_cluster_state_of(const hf_sim *sim, const hf_cluster *cluster)
{
    return &sim->loops->clusters[cluster - sim->model->clusters];
}

#endif

// SPDX-License-Identifier: Apache-2.0
// Method timestep: what its files do for each other, in the order of a step.
#ifndef HF_METHODS_TIMESTEP_TIMESTEP_H
#define HF_METHODS_TIMESTEP_TIMESTEP_H

#include <string.h>

#include "methods/timestep/timestep_data.h"

static inline hf_timestep *hf_timestep_of(const hf_sim *sim)
{
    return sim->work;
}

static inline hf_ts_kept *hf_ts_kept_of(const hf_sim *sim)
{
    return sim->kept;
}

// How many times larger than their sum the terms of a velocity may be in an ordinary step.
#define HF_TS_ORDINARY 100.0

// What a solution does not tell from zero, as a share of the terms whose sum it is: its residual,
// within reason. The residual is a mean over all contacts, and few may have most of it: hence the
// root of their number. Not of all in a large heap: a body that is put to rest pushes those that
// are not, and where such pushes are as large as the residual, they keep it up. Nothing is pushed
// where all come to rest at once, or what is solved far better than the tolerance asks for: then
// the tolerance says what is zero. Not where something is carried along, however slowly.
static inline double hf_ts_root(int count)
{
    return fmin(sqrt(count), 10.0);
}

// settled: nothing is pushed.
static inline double hf_ts_unknown_of(double tolerance, double residual, bool settled, int count)
{
    const double most = 1e-4;
    double least = fmin(tolerance, HF_DEFAULT_TOLERANCE);
    double unknown = fmin(fmax(residual, least), fmax(tolerance, most));
    return (settled ? fmax(unknown, fmin(tolerance, most)) : unknown) * hf_ts_root(count);
}

static inline double hf_ts_unknown(const hf_sim *sim)
{
    const hf_timestep *ts = hf_timestep_of(sim);
    const double far = 0.03;
    double tolerance = sim->core->method.tolerance, residual = ts->attempt.outcome.info.residual;
    bool settled =
        !ts->attempt.traits.carried && (ts->attempt.outcome.rests || residual <= far * tolerance);
    return hf_ts_unknown_of(tolerance, residual, settled, ts->problem.count);
}

// Newton's: as wanted, or what given numbers deliver.
static inline double hf_ts_restitution(const hf_force_place *force)
{
    const hf_rigid_contact_def *def = force->def;
    return def->restitution;
}

// The torque of friction of spin or rolling on `on`, over a step [Nm s].
static inline hf_vec3 hf_ts_turn_of(const hf_ts_contact *contact, const double *r)
{
    bool spin = contact->part == HF_TS_SPIN;
    const double turn[3] = {spin ? contact->row_scale * r[1] : 0.0,
                            spin ? 0.0 : contact->row_scale * r[1],
                            spin ? 0.0 : contact->row_scale * r[2]};
    return hf_from_axes(&contact->point.place, turn);
}

// The reaction of a friction in three coordinates, from its plane and that one's r.
static inline hf_vec3 hf_ts_three_of(const hf_ts_contact *plane, const double *r)
{
    const double three[3] = {r[1], r[2], plane[1].row_scale * r[4]};
    return hf_from_axes(&plane->point.place, three);
}

static inline bool hf_ts_is_branched(const hf_timestep *ts, const hf_ts_group *group)
{
    return group->above != NULL && group->above != ts->machine.chain;
}

// Whether a force is solved by the method, not evaluated.
static inline bool hf_ts_owns(const hf_force_place *force)
{
    return force->exact != HF_EXACT_NONE;
}

// Forces below this part of the stability bound stay explicit (terms.c).
#define HF_TS_SOFT 0.25

// show.c: modes of a swarm's pairs, for their counts.
void hf_ts_show_pairs(hf_sim *sim);
// forces over the step and what loops hold, in sim; wrenches of points of contact.
void hf_ts_show_forces(hf_sim *sim, double h);
void hf_ts_show_loops(hf_sim *sim, double h);
void hf_ts_push_points(hf_sim *sim, double h);
// drive.c: how driven bodies move over a step that ends at `end`.
void hf_ts_move_driven(hf_sim *sim, double h, double end);
// Velocities without reactions keep the loops closed.
void hf_ts_close_loops(hf_sim *sim);

// cut.c: whether solids go through each other on the way to sim->stage, in h seconds.
bool hf_ts_goes_through(hf_sim *sim, double h);
// reactions.c: whether the loads of frictions are the reactions of the step that was solved with
// them; if not it is solved again with others.
bool hf_ts_loads_found(hf_sim *sim, double h);
// Room for the reactions of a round. False: out of memory.
bool hf_ts_loads_create(hf_sim *sim);

// feedback.c: whether a prescribed force depends on the motion; the slopes of its term, with its
// rows, at the beginning of the step.
bool hf_ts_is_feedback(const hf_model *model, const hf_force_place *force);
void hf_ts_feedback_slopes(hf_sim *sim, hf_ts_term *term);

// weights.c: bodies turn on over the step without a torque. The free velocities have had w x I w
// as a force, evaluated at `state`; now as the turn that it makes, which takes and gives no energy.
void hf_ts_spin(hf_sim *sim, double h, const double *state);

// solver.c: by the method's settings. Allocates.
hf_status hf_ts_solver_create(hf_sim *sim, hf_error *error);
void hf_ts_solver_destroy(hf_timestep *ts);

// weights.c: how movers answer.

// Numbers the movers; room for what they need. HF_ERROR_MEMORY.
hf_status hf_ts_movers_create(hf_sim *sim, hf_error *error);

// Groups by loops, by forces on several movers, and by implicit forces.
void hf_ts_number_groups(hf_timestep *ts, const hf_model *model);
// Factors of the mass matrices at the present coordinates, with those of the loops (`prepare`).
// HF_ERROR_NOT_FINITE: one is not positive definite.
hf_status hf_ts_masses_factor(hf_sim *sim, bool prepare, hf_error *error);
// Then those of implicit forces over h seconds, and Q, at the present poses.
hf_status hf_ts_movers_factor(hf_sim *sim, double h, hf_error *error);
// What loops leave of mass-weighted velocities of a group (`count` numbers).
void hf_ts_keep_loops(const hf_timestep *ts, const hf_ts_group *group, double *s);
// s := L' v of one mover; L is 1 where it is merged (hf_ts_group).
static inline void hf_ts_weigh(hf_sim *sim, const hf_ts_mover *mover, const double *v, double *s)
{
    if (mover->l == NULL && mover->mass != NULL) {
        memcpy(s + mover->s, v + mover->v, (size_t)mover->count * sizeof *s);
        return;
    }
    mover->ops->weigh(mover->body, hf_sim_io(sim, sim->x, v), mover->l, v + mover->v, s + mover->s);
}
// v += L'^-1 s of one mover.
static inline void hf_ts_add_velocity(const hf_ts_mover *mover, const double *s, double *v)
{
    if (mover->l == NULL && mover->mass != NULL) {
        for (int i = 0; i < mover->count; ++i) {
            v[mover->v + i] += s[mover->s + i];
        }
        return;
    }
    mover->ops->unweigh(mover->body, mover->l, s + mover->s, v + mover->v);
}
// y := L^-1 j, which may be the same array.
static inline void hf_ts_half(const hf_ts_mover *mover, const double *j, double *y)
{
    if (mover->l != NULL || mover->mass == NULL) {
        mover->ops->half(mover->body, mover->l, j, y);
    } else if (y != j) {
        memcpy(y, j, (size_t)mover->count * sizeof *y);
    }
}
// terms.c: which forces are implicit, and their groups. HF_ERROR_MEMORY.
hf_status hf_ts_terms_create(hf_sim *sim, hf_error *error);
// slopes.c: K and D of a force that holds; tau: of elements whose damping sees it.
void hf_ts_held_slopes(const hf_force_place *force, int row, double tau, double *k, double *d);
// The rows that slip: of a contact its tangents, of a penalty joint its axis.
void hf_ts_slip_rows(const hf_force_place *force, int *first, int *end);
// The states of a term's law at the beginning of the step.
const double *hf_ts_states_of(const hf_sim *sim, const hf_ts_term *term);
// Slopes of a force in a regime, with f at the gap and the rates u.
void hf_ts_find_slopes(hf_sim *sim, hf_ts_term *term, hf_regime regime, const double *gap,
                       const double *f, const double *u, bool chord);
// The same by asking the law beside a motion at the end of the step, all of it by rate.
void hf_ts_measure_slopes(hf_sim *sim, hf_ts_term *term, const double *gap, const double *f,
                          const double *rate);
// Whether an explicit step is stable with the present slopes of a term.
bool hf_ts_is_soft(const hf_timestep *ts, const hf_ts_term *term, int dim);
// implicit.c
// The forces of all terms in the step that was solved, into sim->force.
void hf_ts_show_terms(hf_sim *sim);
// What the law of a term says at a motion theta ahead; the force into f.
hf_law_out hf_ts_ask_at_end(hf_sim *sim, const hf_ts_term *term, const double *gap,
                            const double *rate, double *f);
// How far a gap goes in theta h where its rate changes by `change` over the step.
static inline double hf_ts_way_of(const hf_ts_term *term, int k, double theta, double change)
{
    return theta * term->step * (term->before[k] + theta * change);
}

// What a term's force is more at theta h than f_s with u+ = u + change.
static inline double hf_ts_further(const hf_ts_term *term, int k, double theta, double change)
{
    double way =
        hf_ts_way_of(term, k, theta, change) - (1.0 - theta) * term->step * term->before[k];
    return term->ahead[k] + term->k[k] * way + term->d[k] * theta * change;
}
// Mass-weighted velocities that the step adds; changes of the rates of a term with them, s.
const double *hf_ts_find_end(hf_timestep *ts);
void hf_ts_find_changes(const hf_sim *sim, const hf_ts_term *term, const double *s,
                        double *changes);
// implicit_rows.c: slopes of rows at their level, with the force f at the rates u.
void hf_ts_flatten(hf_ts_term *term, int first, int end, const double *f, const double *u,
                   bool chord);
// Whether rows of a friction can slip one by one; whether row k of such a one
// holds at a motion where its force is f; stops rows that turn round: gap, rate, changes and f are
// changed.
bool hf_ts_rows_apart(const hf_force_place *force);
bool hf_ts_row_holds(hf_sim *sim, const hf_ts_term *term, int k, const double *gap,
                     const double *rate, const double *f, double damping, double stiffness);
void hf_ts_stop_rows(hf_sim *sim, const hf_ts_term *term, double *gap, double *rate,
                     double *changes, double *f);
// Rows of a term at the present state. HF_ERROR_MEMORY.
hf_status hf_ts_term_rows(hf_sim *sim, hf_ts_term *term);
static inline const double *hf_ts_term_row(const hf_timestep *ts, const hf_ts_term *term, int row)
{
    return ts->implicit.term_rows + term->y + (size_t)row * (size_t)term->width;
}
// Whether a force of the model is among the implicit ones.
bool hf_ts_is_implicit(const hf_sim *sim, int force);
// C of the stiff groups for a step of h seconds, from the forces of the last evaluation.
hf_status hf_ts_terms_factor(hf_sim *sim, double h, hf_error *error);
// free_v, s_before and s_free with implicit forces; the latter two as z.
void hf_ts_terms_free(hf_sim *sim, double h);
// Mass-weighted velocities from z; valid until the next call.
const double *hf_ts_plain(hf_timestep *ts, const double *s);
// implicit_passes.c: whether laws have other forces at the end of the step than were solved for.
// Then look again.
bool hf_ts_terms_missed(hf_sim *sim, double h);
// Whether they still have after the last pass, and that is the end of the run (unsolved: fail).
hf_status hf_ts_unmet(const hf_sim *sim, hf_error *error);
// implicit.c: forces, work and inner states over the step, from the velocities v after it.
void hf_ts_terms_finish(hf_sim *sim, double h, const double *v);

// envelope.c: A, whose lower rows are in place, to C; false: it is not positive definite. s :=
// C^-1 s, C'^-1 s, C' s. A += g y y' of a term's row.
double *hf_ts_envelope_rows(const hf_timestep *ts, int group); // the packed rows of a tree's
void hf_ts_envelope_clear(const hf_timestep *ts, const hf_ts_group *group); // A := 1
bool hf_ts_envelope_factor(hf_timestep *ts, const hf_ts_group *group);
void hf_ts_envelope_half(const hf_timestep *ts, const hf_ts_group *group, double *s);
// The same of `count` rows of a group, one behind the other.
void hf_ts_envelope_half_rows(const hf_timestep *ts, const hf_ts_group *group, int count,
                              double *rows);
void hf_ts_envelope_back(const hf_timestep *ts, const hf_ts_group *group, double *s);
void hf_ts_envelope_weigh(const hf_timestep *ts, const hf_ts_group *group, double *s);
void hf_ts_envelope_add(const hf_timestep *ts, const hf_ts_term *term, int row, double g);

// rows.c: rows of a contact at a point; of a force's row `row`, into row `to` of the contact's
// sides. HF_ERROR_MEMORY.
hf_status hf_ts_rows_of_point(hf_sim *sim, hf_ts_contact *contact, double h);
hf_status hf_ts_rows_of_force(hf_sim *sim, hf_ts_contact *contact, int force, int to);
hf_status hf_ts_row_of_force(hf_sim *sim, hf_ts_contact *contact, const hf_force_place *force,
                             int row, int to);
// Turns about `count` axes, from row 1 on.
hf_status hf_ts_rows_of_turn(hf_sim *sim, hf_ts_contact *contact, const hf_vec3 *axes, int count);
// The first of three rows becomes row 1 of a further contact on the same groups.
hf_status hf_ts_split_rows(hf_sim *sim, hf_ts_contact *plane, hf_ts_contact *third);
void hf_ts_finish_rows(const hf_sim *sim, hf_ts_contact *contact);

// collect.c: the contacts of this step, with rows, in the order of their keys.
hf_status hf_ts_collect(hf_sim *sim, double h, hf_error *error);
// Whether a candidate closes with velocities v: what was solved is not all that touches.
bool hf_ts_missed(hf_sim *sim, const double *v, double h);

// slip.c: contacts that give way below the bound of their friction, in a step of h seconds.
void hf_ts_give_way(hf_sim *sim, double h);

// Contacts of what turns by more in a step are those of its middle [rad].
#define HF_TS_TURN 0.02

// turned.c: whether a pose turns much within a step; poses in the middle of the step, when one
// does; whether normal and arms are the same there; the gap at the beginning of a contact of the
// middle.
bool hf_ts_turns(const hf_timestep *ts, int pose, double h);
void hf_ts_turn_poses(hf_sim *sim, double h);
bool hf_ts_same_contact(const hf_contact_point *point, const hf_contact_place *other);
void hf_ts_take_back(const hf_timestep *ts, hf_contact_point *point, double h);

// begin.c: the regime that decides which level holds in this step. That of the last step; of a
// contact that was not there, or bore nothing, the state before the step decides: what does not
// slip sticks. `level`: its own, which says whether it matters.
hf_regime hf_ts_regime_before(const hf_sim *sim, const hf_timestep *ts, const hf_level *level,
                              hf_ts_contact *contact);
// Whether a friction that was held by its static level was thrown in this step: the others are to
// be found again, with its kinetic level.
bool hf_ts_let_go(hf_sim *sim);
// The velocity u of a contact's slip, in axes that its rows do not turn with.
hf_vec3 hf_ts_slip_of(const hf_ts_contact *contact, const double *u, const double *third);
// Whether slips would turn round in this step that are to stop first, or go on after all: the step
// is to be found again.
bool hf_ts_turn_round(hf_sim *sim);
// levels.c: whether frictions slip to the other side than their levels were posed for.
bool hf_ts_change_sides(hf_sim *sim);
// shift and impact of contact i, whose mu is known, from its normal velocity `free` without
// reactions.
void hf_ts_pose_normal(hf_sim *sim, int i, double free, double h);
// What closes beside a contact that lands, lands too; after all are posed.
void hf_ts_land_together(hf_timestep *ts);

// problem.c: from contacts to q, mu and r to begin with; the solution; its memory.
hf_status hf_ts_pose_problem(hf_sim *sim, double h, hf_error *error);
hf_status hf_ts_solve(hf_sim *sim, const hf_ts_turn *turn, hf_error *error);
// u := W r + q of the contacts without W; the residual of r, with rho = 3 contacts / trace W.
double hf_ts_judge(hf_timestep *ts, double rho);
double hf_ts_rho(const hf_timestep *ts);
bool hf_ts_is_solved(hf_sim *sim, double rho, double *residual); // to the tolerance, by r
// Whether r is good enough to begin with, having this residual: far better than `enough`, or such
// that nothing moves.
bool hf_ts_is_warm(hf_sim *sim, double residual, double enough);
// What a residual is to be at most, with the sizes of free velocities and of reactions.
double hf_ts_tolerance_of(double tolerance, double rho, double free, double size);
// The same with reactions r.
double hf_ts_tolerance(const hf_timestep *ts, double tolerance, double rho);
// quick.c: whether the step's problem is one for it; its solution from r, which stays where there
// is none. u and s_change are those of r; judged: they are so at the beginning too, and
// info->residual is the residual.
bool hf_ts_quick_serves(const hf_timestep *ts);
bool hf_ts_quick_solve(hf_timestep *ts, double rho, double tolerance, bool judged,
                       hf_fc3d_info *info);
// Bounds that follow reactions, by the present ones, in r and q. True: some changed.
bool hf_ts_quick_follow(hf_timestep *ts);
// Rows in use: of points three, or the normal alone, of limits the normal and those of their
// friction, of frictions their own, from row 1 on.
static inline int hf_ts_quick_tangents(const hf_ts_contact *contact)
{
    return contact->kind == HF_TS_POINT && !contact->smooth ? 2 : contact->rows;
}
// quick_rows.c: a step of it from posed contacts over the rows of a group. False: not a case for
// it; *good: whether there is a finite one.
bool hf_ts_quick_rows(hf_timestep *ts, int group, const double *dr, bool *good);
// parts.c: the solution by parts that know nothing of each other, to the tolerance as a whole.
// False: there are none, or one of them is not solved.
hf_status hf_ts_solve_parts(hf_sim *sim, double rho, hf_fc3d_info *info, hf_error *error);
// The groups as bodies: their mass-weighted velocities have the mass one.
void hf_ts_set_bodies(hf_timestep *ts);
// A step that is above the tolerance: HF_OK when that is only reported.
hf_status hf_ts_unsolved(const hf_sim *sim, hf_status status, hf_error *error);
// levels.c: bounds of all frictions, as far as the beginning of the step knows them.
void hf_ts_pose_levels(hf_sim *sim, double h);
// The same as hf_ts_solve, with bounds that agree with the reactions.
hf_status hf_ts_solve_levels(hf_sim *sim, hf_error *error);
// What a driven body's velocity at the beginning of a step is behind its mean over the step
// (begin.c).
static inline double hf_ts_lag(const hf_ts_contact *contact, double theta)
{
    double gain = contact->drive[0] - contact->drive_before[0];
    return (2.0 * theta - 1.0) * (gain - contact->follows[0]);
}
// Y_a Y_b' of two rows of one contact (begin.c).
double hf_ts_row_product(const hf_timestep *ts, const hf_ts_contact *contact, int a, int b);
// Restitution where an impact reaches bodies that rest on others (spread.c).
void hf_ts_spread(hf_sim *sim, double h);
// impacts.c: the same, with restitution that makes no energy.
hf_status hf_ts_solve_impacts(hf_sim *sim, hf_error *error);
// Statistics of the step.
void hf_ts_note(hf_sim *sim);
// assemble.c: W of the present contacts, for those who want it. HF_ERROR_MEMORY.
hf_status hf_ts_assemble(hf_timestep *ts, const hf_allocator *allocator);
// s_change := sum of Y' r; s_size: sum of the sizes, by mover.
void hf_ts_apply(hf_timestep *ts, const double *r);
// u := the contacts' velocities after the step, of s_after; what does not move does not slip.
void hf_ts_look_at(hf_timestep *ts, double tolerance);
// memory.c: r and regimes to begin with, from the last step; what the next one begins with.
void hf_ts_recall(hf_sim *sim, double h);
// The step's next round begins with the reactions of this one.
void hf_ts_remember_round(hf_timestep *ts);
void hf_ts_remember(hf_sim *sim, double h);
// What will be remembered of contact i, in an island at rest. False: something else than before.
bool hf_ts_memory_at_rest(const hf_sim *sim, int i, hf_ts_memory *memory);
// sleep.c: room for what sleeps. HF_ERROR_MEMORY.
hf_status hf_ts_sleep_create(hf_sim *sim);
void hf_ts_sleep_destroy(hf_sim *sim);
// Begins a step; running: all is as the last step left it, as far as the sim knows.
void hf_ts_sleep_begin(hf_sim *sim, double h, bool running);
// Which bodies stir, by the pairs that the collider has found to be near: hf_course.rest.
const double *hf_ts_sleep_sort(hf_sim *sim, double h, int pairs);
// Calm groups fall asleep, with their contacts. HF_ERROR_MEMORY.
hf_status hf_ts_fall_asleep(hf_sim *sim);
// calm.c: islands that rest fall asleep, in the first look of a step; the problem is posed again
// without them.
hf_status hf_ts_settle_calm(hf_sim *sim, double h, hf_error *error);
// The margin of a search where nothing is faster [m].
double hf_ts_margin(const hf_sim *sim, double h, double speed);
// repeat.c: whether all velocities are zero.
bool hf_ts_nothing_moves(const hf_sim *sim);
// repeat.c: room to compare steps. HF_ERROR_MEMORY.
hf_status hf_ts_repeat_create(hf_sim *sim);
// Begins a step of h seconds. True: it is the last one again, and done.
bool hf_ts_repeat_step(hf_sim *sim, double h, double end);
// The state at its beginning has been evaluated; it is committed.
void hf_ts_repeat_begun(hf_sim *sim);
void hf_ts_repeat_done(hf_sim *sim);
// With W when it is assembled, and by groups.
hf_fc3d_problem hf_ts_problem(const hf_timestep *ts);

// still.c: whether a mass-weighted velocity is none: of the size `speed`, without reactions `free`,
// with the sizes of what reactions add and of these.
bool hf_ts_is_nothing(const hf_ts_nothing *nothing, double speed, double free, double size,
                      double load);
// which groups are at rest with s_change, to a share `unknown` of the terms whose sum a
// velocity is; s_after: velocities by then. Returns how many that touch something are not.
int hf_ts_find_still(hf_timestep *ts, double unknown);

// The problem of the step from r on, to this tolerance.
// branch.c: the table's `lead` and `loose`; what is plugged in; regimes as the leader has them.
void hf_ts_lead(const hf_sim *leader, hf_sim *follower);
HF_NODISCARD hf_status hf_ts_solve_branch(hf_sim *sim, const hf_fc3d_problem *problem, double *r,
                                          double *u, hf_fc3d_info *info, hf_error *error);
long long hf_ts_loose(const hf_sim *follower);
void hf_ts_hold_regimes(hf_timestep *ts);
HF_NODISCARD hf_status hf_ts_solve_to(hf_sim *sim, double tolerance, hf_fc3d_info *info,
                                      hf_error *error);
// remain.c: takes a solution in which what was at rest remains so in place of one in which it does
// not. False: there is none, or nothing that was at rest moves.
bool hf_ts_remain(hf_sim *sim, double enough, double rho, hf_fc3d_info *info);
// even.c: shares out evenly what redundant contacts carry in r; they push the bodies as before.
void hf_ts_even(hf_timestep *ts);
// share.c: takes the least forces of redundant contacts that go with the present velocities of what
// holds. False: r is left as it is. enough: residual of the solution; rho: hf_ts_rho.
bool hf_ts_share(hf_sim *sim, double enough, double rho);
// The least forces with which all that held in the last step holds on. False: there are none, and r
// is of no use, or contacts are not redundant.
// `rest`: also where nothing slides.
bool hf_ts_hold(hf_sim *sim, double enough, double rho, bool rest);
// out += f times a row of a contact, at the place of its island's velocities.
void hf_ts_share_row(const hf_timestep *ts, const hf_ts_contact *contact, int row, double f,
                     double *out);
// single.c: of an island, whether forces are redundant there, and otherwise the only ones with
// which all that held holds on (`last`). Those of the present solution are the only ones with its
// velocities.
typedef enum hf_ts_single {
    HF_TS_SEVERAL,  // redundant, or nearly so
    HF_TS_ONE,      // room->x
    HF_TS_NO_OTHER, // none, or none but the present ones
} hf_ts_single;
hf_ts_single hf_ts_find_single(const hf_timestep *ts, const hf_ts_share_room *room, int width,
                               bool last);
// u += Y s of a contact.
void hf_ts_add_motion(const hf_timestep *ts, const hf_ts_contact *contact, const double *s,
                      double u[HF_TS_ROWS]);

// show.c: what contacts turned into heat, added to the works w; forces and modes of the step.
void hf_ts_tally_work(hf_sim *sim, double *w);
// views.c: all contacts of a step one after another, with their reactions, by rising key; begins
// with all zero. False: there are no more.
typedef struct hf_ts_cursor {
    int stirs, sleeps;
    const hf_ts_contact *contact;
    const double *r;
} hf_ts_cursor;
bool hf_ts_next(const hf_timestep *ts, hf_ts_cursor *at);
// hf_sim_contacts.
int hf_ts_views(hf_sim *sim, hf_contact_view *views, int room);
hf_wrench hf_ts_contact_wrench(const hf_sim *sim, int body, int other);

void hf_ts_show(hf_sim *sim, double h);

// The friction of coordinates that sticks in a contact's place; NULL: it is none, or slips.
const hf_force_place *hf_ts_stuck_friction(const hf_sim *sim, const hf_ts_contact *contact);
// Friction of coordinates that sticks: their velocities are exactly those of what they stick to.
void hf_ts_stop_coordinates(const hf_sim *sim, double *v);
// balls.c: the first of the three velocities of a ball joint that a friction holds; -1: none. Those
// that stick are at rest exactly.
int hf_ts_ball_of(const hf_model *model, const hf_force_place *force);
void hf_ts_stop_balls(const hf_timestep *ts, double *v);

// correct.c: takes back penetration beyond what is allowed. SMALL: the contacts' gaps are those
// after it, all else has hardly changed; LARGE: look again.
typedef enum hf_ts_correction { HF_TS_NONE, HF_TS_SMALL, HF_TS_LARGE } hf_ts_correction;
hf_ts_correction hf_ts_correct(hf_sim *sim);
// Penetration that is not corrected: given by the method, or by the size of what touches [m or
// rad].
double hf_ts_allowed(const hf_sim *sim);
// Adds to the mean velocities v of a step with theta < 1 what keeps gaps from being negative at its
// end, and what brings contacts that land to the surface.
void hf_ts_land(hf_sim *sim, double h, double *v);

// Room for `count` items of `size` bytes in an array of *capacity, of which `used` are kept.
void *hf_ts_grow(const hf_allocator *allocator, void *items, size_t used, size_t count,
                 size_t *capacity, size_t size);

#endif

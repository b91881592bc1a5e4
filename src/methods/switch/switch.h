// SPDX-License-Identifier: Apache-2.0
// Exact friction and contact by events: Coulomb's law itself, set-valued at rest.      [Farhat2010]
//
// Each friction, stop or contact (an element) is in a mode:
//   friction in one dimension   sliding back (-1), stuck (0), sliding forth (1)
//   friction in a plane, space  stuck (0), slipping (1)
//   stop                        held (0), open (1)
//   contact                     sticking (0), sliding (1), open (2)
//
//   slip   f = s F(s r)                        s the mode, r the rate of the coupling      (8)
//          f = F(|r|) d,  d = (r + e d0)/|r + e d0|  in a plane or in space: d0 is where a slip
//          from rest began to go, e the tolerance of velocities, which dies away with time. So the
//          direction is defined from the first moment on, and the motion is that of a ground which
//          moves with -e d0
//   stick  J v' + J' v = 0 over all that are stuck (or what a driven body does): the linear
//          system W f = c, W = J M^-1 J', c the accelerations without f                   (7)
//          Redundant frictions and stops share in proportion to their levels, the least
//          sum f^2/F; where that is beyond a bound, as far from all bounds as can be, and from
//          there on by the least change. With contacts the f nearest to that of the modes; with
//          frictions on coordinates besides, nearest by the room that each had there
//   contact: the same for its normal row; sliding, f_T = mu N d goes with the unknown N
//
// Between events the modes are fixed, whatever the integrator tries: a rejected step leaves nothing
// behind (4.3.3), a trial state beyond zero sees the law continued smoothly (4.3.1). Events are
// where a root function falls through zero (switch_events.c):
//
//   slip   s r, and s r + margin              the margin is [Farhat2010]'s Delta, (9): it meets the
//   stick  room = min(high - f, f - low),      start of a motion that rounding turned around
//          and room + margin
//   in a plane, in space: in stick F - |f|; in slip |r + e d0| (d.a - 1/2) - e/6 for a direction a,
//          which falls where the slip stops, and where d has turned by 60 degrees: then a := d, and
//          the integrator continues without a restart. Beyond a stop, where d.a < -1/2, friction
//          goes on along -d. While |r| is small d is held fast, at a rate of F/(m |r|): such
//          beginnings of slips are integrated by BDF
//   contact: its gap when open, N when closed, and those of its friction
//   slips that come to the steep part of a Stribeck curve, or leave it: there steps are at most a
//          quarter of its width, which they would otherwise pass over
//
// At an event the frictions at zero velocity get their modes from one complementarity problem, all
// at once (erratum 14), with the level at rest as bound: box_lcp.h, or mixed.h where there are
// contacts and frictions in a plane. A friction that reached its bound slips. Of several that
// reach theirs together, the motion of one may relieve another: then the problem is solved a moment
// later, where their loads are above their bounds. Where the level in motion is lower than the one
// at rest, the others are solved again with the lower one.
//
// An end stop is an element too: open (no force, gap between its limits), or held at one of them,
// where its force is bounded on one side: f <= 0 at the low limit, f >= 0 at the high one. A stop
// or contact whose gap closes is an impact (switch_impact.c): impulses p of all that touch solve
// the same problem with velocities,
//   r+ + e r- = (1 + e) r- - W p,   p <= 0 and r+ + e r- >= 0 at low limits, and so on.
//
// Friction of spin and of rolling in a contact are elements of their own, in one dimension and in a
// plane, which the contact loads. A driven body that copies another's motion accelerates as that
// one does, and does not act back on it: W has what the copy feels in its rows, not in its columns.
//
// A friction may be loaded by a stop or contact: its level is in proportion to the normal force N,
// which is found with it. In stick |f| <= mu N is one cone with the normal's law; in slip
//   f = (F(N = 0) + N dF/dN) d
// goes with the unknown N, as in a contact that slides. An impact loads it with its impulse:
// Coulomb's law in impulses. Where nothing presses it is free: open, without a mode of its own.
#ifndef HF_METHODS_SWITCH_SWITCH_H
#define HF_METHODS_SWITCH_SWITCH_H

#include <math.h>

#include "collide/collider.h"
#include "methods/adaptive/adaptive.h"
#include "shapes/track.h"
#include "solvers/small/mixed.h"

typedef enum hf_element_kind {
    HF_ELEMENT_FRICTION, // in one dimension
    HF_ELEMENT_STOP,
    HF_ELEMENT_PLANAR, // friction in a plane or in space
    HF_ELEMENT_CONTACT
} hf_element_kind;

enum {
    HF_CONTACT_OPEN = 2,
    HF_ELEMENT_ROOTS = 7,
    HF_ROOT_FAST = 4,
    HF_ROOT_NARROW = 5,
    HF_ROOT_INSIDE = 6
};
// A contact, and its friction of spin and of rolling.
enum { HF_CONTACT_PARTS = 3 };
// Of all together, behind those of elements and laws: that no other features can be near.
enum { HF_SWITCH_ROOTS = 1 };

// A point of contact between shapes: features of two solids (switch_points.c).
typedef struct hf_switch_point {
    bool used;        // else there is room for one
    bool passed;      // its features have passed by each other: it is none until they are listed
    bool fresh, twin; // not listed before; the point at places[of] is at its place, until they part
    int of;
    int on, to; // solids of the collider
    int on_pose, to_pose;
    hf_track track;
    hf_vec3 reference; // tangent direction, in the frame of `to`
    double inside;     // of its features, at the last look [m]
    bool over;         // a corner whose solid reaches over the face, where it is at the end of it
    double left_at;    // when it was closed and left its features last [s]
    bool driven;       // a surface moves (switch_surfaces.c)
    hf_grain grain;    // friction that depends on direction
    hf_vec3 stand;     // of a point of a rim that stands: where the first of them is
} hf_switch_point;

typedef struct hf_element {
    hf_element_kind kind;
    int force, row, dim;
    int part;       // 0; of a contact with friction of spin and rolling: 1 spin, 2 rolling
    bool in_space;  // else its rows are coordinates, or differences of coordinates
    int on_v, to_v; // coordinates: the first; to_v -1: against the world
    bool on_driven, to_driven; // coordinates: their motion is given
    const hf_level *level;     // of a friction; of a contact mu, by the normal force
    const hf_stop_def *stop;   // NULL: no stop
    double restitution;        // of a stop or contact
    int on_q, to_q;            // of a stop on coordinates
    int wall;                  // of a stop: the limit it is at or was last, -1 low, 1 high
    bool off, was_off;         // a stop or contact that does not act (`enable`), now and before
    bool struck;               // an impact to be reported
    bool touches;              // takes part in an impact
    bool at_limit;             // a stop that was just put there, with loops still to follow
    double parts;              // speed that takes the place of its approach there; NAN: none does
    bool settles;              // a contact that does not rebound from it: its bounces accumulate
    int island;                // where its island begins in `elements`
    bool pinned; // of the first of an island: points hold all that moves in it, at rest
    int load;    // of a friction: what loads it, from there; -1: nothing that is solved for
    double low_rise, high_rise; // by what N of the load widens low and high
    double slope;               // by what N raises the level in slip
    int mode;
    int kept;          // the mode before a trial
    int told;          // the mode that events have reported
    bool candidate;    // at zero velocity, mode to be found
    bool forced;       // reached its bound: it slips, whereto is to be found
    bool latched;      // stuck by the rule for accumulations
    double latched_at; // when it was last [s]
    int latches;       // how often in a row: each time twice as much is needed to free it
    bool shared;       // holds what others hold too: of several forces that do it one is chosen
    bool tight;        // it is held by forces that were looked for (switch_hold.c)
    double allowance;  // of an open stop or contact: how far below zero its gap may be [m or rad]
    double low, high; // bounds of the force in stick, at the last evaluation [N or Nm]; high alone:
                      // radius of a planar one, mu of a contact
    double held[3];   // the force in stick, or of a contact, at the last evaluation
    double base[3];   // the force that was found when modes were decided
    double spare_base[3]; // kept while another is tried
    double leeway;        // how far that was from its bounds [N or Nm]
    double share;         // of its bounds that it may use while shares are looked for; else 1
    double away[3];       // d0; of a contact in its tangent plane
    bool placed;          // stuck where there is a gap: it is to stay `place`
    double place[3];      // [m or rad]
    bool counted;         // stuck on coordinates: in the forest of ties
    double since;         // when the slip began, from rest [s]; -INFINITY: not from rest
    double along[3];      // d at the last evaluation; in one dimension the mode
    double slide;         // |r + e d0| there [m/s]
    double near;          // the cosine of the angle from the aim to r + e d0, there
    bool beyond;          // an evaluation since the last event was beyond a stop
    double slow;   // a slip below this rate is stiff: its direction is held fast [m/s]; 0: no
    double narrow; // below this rate the level rises steeply (Stribeck) [m/s]; 0: nowhere
    bool inside;   // it is below it
    double aim[3]; // a direction that d is near to
    double mu;     // of a contact that slides, there
    double felt;   // of a normal with friction in slip: W_NN - mu W_NT d by W_NN, there
    double burst;  // when its present burst of events began [s]
    int burst_count;
    bool slot; // a point of contact between shapes, or room for one
    int at;    // of these: in own->places
    hf_switch_point point;
} hf_element;

// A coordinate that sticks takes its motion from what it sticks to (switch_ties.c).
typedef struct hf_tie {
    int q, v;          // the coordinate
    int to_q, to_v;    // what it sticks to; -1: the world
    int element, axis; // what holds it, and the row of that
    bool turned;       // the coordinate is the element's `to`
} hf_tie;

struct hf_switch {
    hf_element *elements; // in the order of model->exact.forces
    hf_island *islands;   // those of model->exact, with elements in the place of forces
    int *by_force;        // force -> its first element, or -1
    int count;
    bool in_space; // some element is
    bool follows;  // some element is on a driven body that copies another: W is not symmetric
    bool anew;     // the integrator begins anew
    int stalled;   // island whose modes could not be decided, or -1
    double margin; // of rates [m/s or rad/s], and of gaps [m or rad]
    double shift;  // e above [m/s or rad/s]
    double window; // when the present count of events began [s]
    int window_count;
    double *rate;                                         // [n] a derivative, for root functions
    double *gap_scratch, *rate_scratch, *change;          // [rows of the model]
    double *accelerations;                                // [nv]
    hf_pose_rate *pose_rates;                             // [poses]
    double *w, *copy, *c, *low, *high, *f, *ahead, *work; // of the largest island
    double *spare_c;                                      // c, while others are tried
    double *hold;                                         // scratch of switch_hold.c
    bool tight;                                           // the last solution is one of its
    double lift;                                          // least push of contacts in it [N]
    hf_mixed_item *items;
    int *list, *first, *rows, *side; // elements listed, their first rows; unknowns
    int *held;                       // unknowns of a solution to begin with
    int listed;                      // how many
    hf_tie *ties;                    // in the order in which they are applied
    int tie_count;
    bool *tied; // [nv] in the forest
    // Points of contact between shapes. NULL: none
    hf_collider *collider;
    double headway; // since when pauses are counted [s]
    int pauses;
    double passed;            // since when events and steps without headway are counted [s]
    int passes;               // these
    int slots;                // elements that are or may be points, without their parts
    int slot_rows, placed;    // rows and points that were handed out
    hf_contact_place *places; // [slots]
    int *first_beside;        // [solids + 1] where the list of what is beside a solid begins
    int *beside;              // solids that never move against it, and are near
    hf_spot *looked;          // [poses] where bodies were when features were looked for
    double *reaches;          // [poses] of what is on them [m]
    double settled;           // gaps below this are rounding, and stay [m]
    double near_margin;       // up to which gaps features are listed [m]
    double deep;              // open ones in each other by more have passed by each other [m]
    hf_track *found;          // [slots] of one pair
    double turned_at;         // since when turns of points that stand are counted [s]
    int turns;
    hf_level *levels;  // [HF_CONTACT_PARTS * slots] of points with numbers of their own
    hf_element *spare; // [elements]
    int *spare_fallen; // [roots of elements]
    int solved_rows;   // of the problem of modes that was solved last
    bool redundant;    // its W is singular: forces are not unique
    bool even;         // of several solutions that of least size is taken: reactions load frictions
};

// Begins after something that the integrator did not see: modes are found anew.
HF_NODISCARD hf_status hf_switch_begin(hf_sim *sim, hf_error *error);
// Margins by the integrator's absolute tolerance.
void hf_switch_scale(hf_sim *sim);
// Puts what holds in its place in sim->x, after a commit. Returns by how much it was off.
double hf_switch_keep(hf_sim *sim);
// Elements of all forces that are exact under this method.
int hf_switch_count_elements(const hf_model *model);

static inline hf_switch *hf_switch_of(const hf_sim *sim)
{
    return hf_adaptive_of(sim)->exact;
}

// Elements of an island: a stretch of `elements`.
static inline hf_element *hf_switch_island(const hf_sim *sim, const hf_island *island)
{
    return hf_switch_of(sim)->elements + island->first_force;
}

// The limit that a stop is at, or was last [m or rad].
static inline double hf_element_limit(const hf_element *e)
{
    return e->wall < 0 ? e->stop->low : e->stop->high;
}

// Whether an element is held by forces that are solved for.
static inline bool hf_element_holds(const hf_element *e)
{
    return e->kind == HF_ELEMENT_CONTACT ? e->mode != HF_CONTACT_OPEN : e->mode == 0;
}

// By what the load of a latched element may be beyond what frees it, in units of the first time.
static inline double hf_element_latch(const hf_element *e)
{
    return e->latched ? ldexp(1.0, e->latches < 20 ? e->latches : 20) : 0.0;
}

// Whether it is a friction by itself.
static inline bool hf_element_is_friction(const hf_element *e)
{
    return e->kind == HF_ELEMENT_FRICTION || e->kind == HF_ELEMENT_PLANAR;
}

// N by the first force of a stop or contact.
static inline double hf_element_push(const hf_element *e)
{
    return e->kind == HF_ELEMENT_STOP ? (double)e->wall : -1.0;
}

// Whether a friction in slip goes with the force of what loads it, in its island.
static inline bool hf_element_is_carried(const hf_element *e, const hf_element *island)
{
    return e->load >= 0 && e->mode != 0 && hf_element_holds(&island[e->load]);
}

// Whether a part of a point has no friction: its surfaces have none.
static inline bool hf_element_is_idle(const hf_element *e)
{
    return e->slot && e->part != 0 && hf_level_is_zero(e->level);
}

// Whether nothing presses a loaded friction: its force is smooth, whatever its rate.
static inline bool hf_element_is_free(const hf_element *e, const hf_element *island)
{
    return hf_element_is_idle(e) ||
           (e->load >= 0 && !island[e->load].candidate && !hf_element_holds(&island[e->load]) &&
            e->level->viscous[HF_FORTH] == e->level->viscous[HF_BACK]);
}

// Of dim <= 3 numbers.
static inline double hf_length3(int dim, const double *x)
{
    double squares = 0.0;
    for (int k = 0; k < dim && k < 3; ++k) {
        squares += x[k] * x[k];
    }
    return sqrt(squares);
}

// A friction in a plane or of a contact slips along `to`, since a time.
static inline void hf_element_go(hf_element *e, const double *to, double since)
{
    int dim = e->kind == HF_ELEMENT_CONTACT ? 2 : e->dim;
    double size = hf_length3(dim, to);
    e->mode = 1;
    e->since = since;
    for (int k = 0; k < dim && k < 3; ++k) {
        e->away[k] = e->aim[k] = size > 0.0 ? to[k] / size : (k == 0 ? 1.0 : 0.0);
    }
}

// ------------------------------------------------------------------------------------------------
// Events (switch_roots.c, switch_events.c)

void hf_switch_roots(hf_sim *sim, double t, hf_side side, double *x, double *g);
// Looks where slips are on the steep part of their levels. Returns the longest step that sees it
// [s]; INFINITY: any.
double hf_switch_watch(hf_sim *sim);
// Stops and contacts that do not act now are open.
void hf_switch_gate(hf_sim *sim);
// Slips of points whose root functions are below zero where the integrator begins, and would never
// fall: those that have stopped are marked as fallen. False: none.
bool hf_switch_overdue(hf_sim *sim);
// Where an open stop or contact is beyond its limit, as another's impact may leave it, it is
// watched from where it is: a root function that begins below zero never falls.
void hf_switch_arm(hf_sim *sim);
// Between the force of what is stuck or held and its bound.
double hf_element_room(const hf_element *e);
// Margin for forces: what the integrator may err in them.
double hf_switch_force_margin(const hf_sim *sim, const hf_element *e);
// Frictions that stopped just where an input jumps are at rest, unless the jump moves what they rub
// on.
void hf_switch_stop_fallen(hf_sim *sim);
// What happens at events.
HF_NODISCARD hf_status hf_switch_meet(hf_sim *sim, hf_error *error);
// Which root functions of an element fell, and whether one did that is an event.
static inline const int *hf_switch_fallen(const hf_sim *sim, int element)
{
    return hf_adaptive_of(sim)->integrator.fallen + HF_ELEMENT_ROOTS * element;
}

static inline bool hf_switch_has_fallen(const int *fallen)
{
    return fallen[0] != 0 || fallen[1] != 0 || fallen[2] != 0 || fallen[3] != 0 ||
           fallen[HF_ROOT_INSIDE] != 0; // not FAST, NARROW
}

// What holds is to be decided again (switch_together.c).
void hf_switch_propose_held(hf_switch *own);
// Several frictions at their bounds together: true, their modes are decided.
bool hf_switch_meet_together(hf_sim *sim);
// Redundant forces that are shared out anew: true, all stay as they are.
bool hf_switch_share_out(hf_sim *sim);
// Reports to the caller which modes are new, and keeps them.
void hf_switch_tell(const hf_sim *sim, bool silent);

// ------------------------------------------------------------------------------------------------
// Rows (switch_rows.c, switch_settle.c)

// Gaps and rates of all elements in space at the state x, in sim->gap and sim->rate.
void hf_switch_look(hf_sim *sim, const double *x);
// Relative rate along row k of an element in the state x, which was looked at.
double hf_switch_rate(const hf_sim *sim, const hf_element *e, int k, const double *x);
// Makes the rates of a coordinate's element exactly zero.
void hf_switch_stop(const hf_sim *sim, const hf_element *e, double *x);
// Accelerations of all elements in space with v' in dx, in own->change. Leaves poses as they were.
void hf_switch_accelerate(hf_sim *sim, double t, hf_side side, const double *x, const double *dx);
// Relative acceleration along row k of an element, after that.
double hf_switch_acceleration(const hf_sim *sim, const hf_element *e, int k, double t, hf_side side,
                              const double *dx);
// Acceleration of a coordinate, which may be driven; v -1: the world.
double hf_coordinate_acceleration(const hf_sim *sim, int v, double t, hf_side side,
                                  const double *dx);
// Fills own->first for own->list; returns the number of rows.
int hf_switch_count_rows(hf_switch *own, const hf_element *island);
// W of the elements listed, all their rows, at the state x.
void hf_switch_fill_w(hf_sim *sim, const hf_island *island, const double *x);
// The largest answer of an element's tangents, or of all its rows where it is no contact [1/kg].
double hf_switch_answer(hf_sim *sim, const hf_element *e);
// M^-1 J' f of the forces own->f of the elements listed, opposing their rates, to sim->response.
// Adds to *input what driven bodies put in against them; NULL: not asked for. `keep`: the forces
// are there to stay, and so are those of loops that go with them.
void hf_switch_respond(hf_sim *sim, const hf_island *island, const double *x, double *input,
                       bool keep);
// Makes rates of all that hold in an island zero, gaps of its contacts zero, and gaps of what is
// stuck those that it stuck at, in sim->x: the nearest such state in the metric of the masses.
// Returns the largest rate or gap that there was.
double hf_switch_settle(hf_sim *sim, const hf_island *island);
// The same for rates alone, those of coordinates too, by impulses: momentum is kept.
void hf_switch_settle_rates(hf_sim *sim, const hf_island *island);
// Closes loops in sim->x, with what sticks held. The next commit says when that is not possible.
void hf_switch_close(hf_sim *sim);
// The same for gaps alone, with those of contacts that take part in an impact; these are done.
void hf_switch_settle_gaps(hf_sim *sim, const hf_island *island);
// Notes where things stick, when modes are new.
void hf_switch_mark(hf_sim *sim);
// Modes are about to change: nothing is known to be pinned any more.
void hf_switch_unpin(hf_sim *sim);
// Whether an island is pinned: nothing in it moves, to the bit.
bool hf_switch_is_pinned(const hf_sim *sim, const hf_island *island);
// Its part of velocities, or of their rates, is zero.
void hf_switch_rest(const hf_sim *sim, const hf_island *island, double *v);

// ------------------------------------------------------------------------------------------------
// Points of contact between shapes (switch_points.c, switch_features.c)

// Whether the machine has them.
static inline bool hf_switch_has_points(const hf_switch *own)
{
    return own->slots > 0;
}

// Collider and margins; before elements are filled.
HF_NODISCARD hf_status hf_points_create(hf_sim *sim, hf_error *error);
// Where all points are, by sim->poses; and one.
void hf_points_locate(hf_sim *sim);
void hf_points_locate_one(const hf_sim *sim, hf_element *e);
// Room without a point.
void hf_switch_clear_point(hf_element *e);
// Psi, Phi of f on its rows and d/dt (J v) at constant v of an element that is a point, where it
// was located last. The bias is added to own->change.
void hf_point_psi(const hf_sim *sim, const hf_element *e, const hf_motion *motion);
void hf_point_push(hf_sim *sim, const hf_element *e, const double *f);
void hf_point_bias(hf_sim *sim, const hf_element *e);
// Adds what all points exert (sim->force) to the wrenches.
void hf_points_push(hf_sim *sim);
// Numbers of a point's two surfaces, to the elements that it is: from `contact` on, `size` of them
// (switch_surfaces.c).
void hf_point_take_surface(const hf_sim *sim, hf_element *contact, int size);
// Speeds of its two surfaces by sim->poses; of one that no signal moves this constant.
void hf_point_speeds(const hf_sim *sim, const hf_switch_point *p, double constant, double *speeds);
// The velocity of its surfaces along its tangents, with solids at these spots [m/s]; zero: none.
void hf_point_belt(const hf_switch *own, const hf_switch_point *p, const hf_contact_place *place,
                   const hf_pose *on, const hf_pose *to, const double speeds[2], double belt[2]);
// Adds them to rates of the points of a force, where they were located last; -1: of all.
void hf_points_drive(const hf_sim *sim, int force, double *rate);
// Adds what surfaces accelerate by their signals; sim->poses move by accelerations.
void hf_points_drive_faster(const hf_sim *sim, double *change);
// What moving surfaces put in against own->f of the elements listed: forces [W], or impulses [J].
double hf_points_belt_power(const hf_sim *sim, const hf_island *island);
// Tangents of a point where its normal is known, of solids with these rotations.
void hf_point_tangents(const hf_switch_point *point, const hf_mat3 *on, const hf_mat3 *to,
                       hf_contact_place *place);
// The same for all points, after a restore.
void hf_points_take_surfaces(const hf_sim *sim);
// Caps that stand on points of their rims (switch_stand.c): turns the points where one has fallen
// because the pressure is between it and the next. True: features are to be listed anew.
bool hf_points_align(hf_sim *sim, const int *fallen);
// Solids list the points that stand where those of before did; a new one notes where.
void hf_points_stand(hf_switch *own);
void hf_point_note_stand(const hf_switch *own, hf_element *e);
// By how much it is outside of its features before it is none: of features that are one limit of
// the same contact one ends where the other begins, a little later.
double hf_point_room(const hf_switch *own, const hf_switch_point *point);

// Lists the features that are near at the present state, with what is known of those that were
// there; sim->poses must be of it. *changed: others than before; *left: one that was closed is none
// any more.
HF_NODISCARD hf_status hf_points_list(hf_sim *sim, bool *changed, bool *left, hf_error *error);
// Refuses shapes that are in each other.
HF_NODISCARD hf_status hf_points_check(hf_sim *sim, hf_error *error);

// ------------------------------------------------------------------------------------------------
// Ties (switch_ties.c)

// No ties: they are found anew.
void hf_switch_untie(hf_switch *own);
// Accelerations of what sticks on coordinates: those of what it sticks to.
void hf_switch_tie_rates(const hf_sim *sim, double t, hf_side side, double *dx);
// Positions and velocities in x, where driven motion is that of the time.
void hf_switch_tie(const hf_sim *sim, double *x);
// The same at time t, with driven motion.
void hf_switch_place_at(hf_sim *sim, double t, hf_side side, double *x);
// Notes where coordinates stick, when modes are new; applies the ties to sim->x.
void hf_switch_mark_ties(const hf_sim *sim);

// ------------------------------------------------------------------------------------------------
// Forces (switch_stick.c)

// The elements that hold, then the frictions in slip that these load. Their unknowns, by row, go to
// own->rows; returns how many. *plain: every row's force is an unknown of its own.
int hf_switch_list_held(const hf_sim *sim, const hf_island *island, bool *plain);
// Whether contacts and frictions on coordinates are among the elements listed.
bool hf_switch_lists_both(const hf_switch *own, const hf_element *elements);
// Stick: adds its forces to what an evaluation at (t, x) left out.
void hf_switch_stick(hf_sim *sim, double t, hf_side side, const double *x, double *dx);
// By how much a unit of the square of an element's force counts less than that of the others where
// forces are redundant: its level at rest.
double hf_element_level(const hf_element *e);
// By what a unit of normal force raises a level at rest.
double hf_switch_rise(const hf_level *level, int side, hf_regime regime);

// ------------------------------------------------------------------------------------------------
// Modes (switch_modes.c)

// A state to decide at: x at time t, with room for its derivative.
typedef struct hf_switch_place {
    double t;
    hf_side side;
    double *x, *dx;
} hf_switch_place;

// Modes of all candidates at a place; at the present state, RIGHT of its time, when it is NULL.
// Fails when the complementarity problem is not solved.
HF_NODISCARD hf_status hf_switch_decide(hf_sim *sim, const hf_switch_place *place, hf_error *error);
// Modes of everything, from the rates and the modes before.
HF_NODISCARD hf_status hf_switch_decide_all(hf_sim *sim, hf_error *error);
// The first half of that: who is a candidate.
void hf_switch_sort(hf_sim *sim, hf_element *e);
// How far a stop is from its nearer limit in the state x, which was looked at, and which that is.
double hf_switch_gap(const hf_sim *sim, const hf_element *e, const double *x, int *wall);
// Solves the problem of own->w, c and items for own->f and side, own->listed of them with so many
// rows (switch_solve.c). False: not solved.
bool hf_switch_solve(hf_switch *own, int rows);
// The same for elements at rest, where own->redundant is known: if they can rest, they do
// (switch_hold.c). Its scratch, own->hold, in doubles.
bool hf_switch_solve_rest(hf_switch *own, const hf_element *elements, int rows);
size_t hf_switch_hold_work(int rows);
// Where in own->list an island's element is, or -1.
int hf_switch_find(const hf_switch *own, int element);
// Frictions of an island that nothing presses are free.
void hf_switch_release(const hf_sim *sim, const hf_island *island);

// The item of an element whose mode is looked for. A load is found when all are listed.
hf_mixed_item hf_switch_rest_item(const hf_sim *sim, const hf_element *e);
// Lists the candidates of an island, and what they carry. Returns the number of rows.
int hf_switch_list_candidates(hf_sim *sim, const hf_island *island, const hf_switch_place *place,
                              int *candidates);

// ------------------------------------------------------------------------------------------------
// Redundant forces (switch_share.c)

// Forces below this part of the largest are zero; a force beyond a bound by this part is at it.
#define HF_SWITCH_NOTHING  1e-11
#define HF_SWITCH_AT_BOUND 1e-9

// How large the friction of a ball or cone can be, in the solution own->f.
double hf_switch_radius(const hf_switch *own, const hf_mixed_item *item);
double hf_switch_largest_force(const hf_switch *own, int rows);
// Whether own->w of so many rows is singular, to own->redundant.
void hf_switch_find_redundance(hf_switch *own, int rows);
// Whether an item's rows have no acceleration in the solution own->f, though its force may be at a
// bound: others hold the same.
bool hf_switch_item_rests(const hf_switch *own, const hf_mixed_item *item);
// Where some that stick are at their bounds: the forces own->f of the smallest share of all bounds
// that holds the same. `boxes`: those of frictions on coordinates too; `always`: whether or not
// they are at their bounds. False: they do not hold.
bool hf_switch_ease(hf_sim *sim, hf_element *elements, int rows, bool boxes, bool always);
// The same share with the loads that go with it, of an island that was eased: loads were those of
// the forces before. False: not solved.
bool hf_switch_ease_loads(hf_sim *sim, const hf_switch_place *place, const hf_island *island);
// Shares out anew what frictions hold of which one is at its bound, after an evaluation with forces
// in stick. True: there was such a one, and forces are to be evaluated again.
bool hf_switch_even_out(hf_sim *sim, const hf_switch_place *place);
// Redundant contacts of which some slide take the least forces of every moment from now on, where
// all of them push with these and those that stick are well within their cones; else they go on
// from the share that they had when this was asked first. After an evaluation with the present
// modes.
void hf_switch_slide_anew(hf_sim *sim, const hf_switch_place *place, bool first);

// ------------------------------------------------------------------------------------------------
// Impacts (switch_impact.c)

// A stop or contact that rebounds may be this part of the margin below zero before it counts as
// touching: its gap starts at zero, above which roots are looked for.
#define HF_SWITCH_REBOUND 1e-3

// Impacts at the present state: of all stops and contacts that are touched and approach, or are
// held. Changes velocities; modes of what it moved are new.
HF_NODISCARD hf_status hf_switch_strike(hf_sim *sim, hf_error *error);
// `parts` of the stops and contacts listed (switch_spread.c).
void hf_switch_spread(hf_sim *sim, hf_element *elements, int rows, double fastest);
// A normal feels along itself the friction in slip that it loads; less than this is left of the
// mover's answer where N would grow beyond all bounds (Painleve).
#define HF_LEAST_FELT 1e-3
// An impact without collision: contacts of an island without accelerations (Painleve) get impulses
// that stop the sliding or turn it around. felt: they still have some, with HF_LEAST_FELT.
HF_NODISCARD hf_status hf_switch_jam(hf_sim *sim, int island, bool felt, hf_error *error);

// Contacts that left within the margin and fall back to it rest: true, modes are to be decided
// anew.
bool hf_switch_end_hops(hf_sim *sim);

#endif

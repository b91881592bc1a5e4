// SPDX-License-Identifier: Apache-2.0
// Frictions whose level follows reactions (bearings, gears, loops): both are found by iteration.
#include "sim/loads.h"

#include <holdfast/laws/servo.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "loops/loops.h"
#include "sim/method_info.h"
#include "swarm/swarm.h"

// The iteration for the loads has converged when a round changes them by less than FOUND of the
// largest. Reactions of a step that is solved to a tolerance are no better than that tolerance, so
// later rounds accept more: FOUND_LATER from round LATER on, FOUND_LAST in the last one. A joint
// that jams changes its loads by their own size in every round and does not converge.
#define FOUND       1e-13
#define FOUND_LATER 1e-8
#define FOUND_LAST  1e-6
enum { LATER = 30, MOST_ROUNDS = 100 };
// In steps that are solved to a tolerance: a round whose change is more than GAIN of the last one's
// has reached that tolerance. The loads are then accepted when they change by less than TOLERANCES
// tolerances of the largest load of this step.
#define GAIN       0.5
#define TOLERANCES 10.0
// From this round on, one that stalls accepts FOUND_LAST.
enum { STALLED = 4 };
// Reactions jump between a step that just reaches an end stop and one that just does not. No loads
// are consistent within such a jump: the nearest are taken for this step, if they are off by at
// most this part.
#define FOUND_STEP 0.1

struct hf_loads {
    double *now, *next, *rest, *rest_before, *step; // [loads] L, G(L), G(L) - L
    double *inverse, *product;                      // [loads x loads] of the derivative of rest
    double low, high;                               // of one load: where rest is above, below zero
    hf_wrench *reactions;                           // [links of the largest tree]
    double *best;                                   // [loads] L of the least rest
    double least_rest;                              // as a part of its loads
    double part_before;                             // the rest of the last round, the same
    double largest;                                 // load of all rounds
    int round;
    bool settled; // the best are evaluated once more
    bool impact;  // loads are impulses
    bool rough;   // and known to less than rounding
    int jammed;   // load that was not found; -1: none
};

int hf_most_links(const hf_model *model)
{
    int most = 0;
    for (int i = 0; i < model->tree_count; ++i) {
        int count = model->trees[i].tree.link_count;
        most = count > most ? count : most;
    }
    return most;
}

void hf_loads_lay_out(hf_sim *sim, hf_carver *c)
{
    size_t n = (size_t)sim->model->load_count;
    struct hf_loads s = {.jammed = -1};
    sim->loads = hf_carve(c, 1, sizeof *sim->loads);
    double **lists[] = {&s.now, &s.next, &s.rest, &s.rest_before, &s.step, &s.product, &s.best};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) {
        *lists[i] = hf_carve(c, n, sizeof(double));
    }
    s.inverse = hf_carve_matrix(c, n, n, sizeof(double));
    s.reactions = hf_carve(c, (size_t)hf_most_links(sim->model), sizeof *s.reactions);
    if (c->base != NULL) {
        *sim->loads = s;
    }
}

double hf_load_of(const hf_sim *sim, int load)
{
    double value = sim->loads->now[load];
    return sim->model->loads[load].is_signed ? value : fabs(value);
}

void hf_loads_begin(hf_sim *sim)
{
    struct hf_loads *s = sim->loads;
    int n = sim->model->load_count;
    memset(s->now, 0, (size_t)n * sizeof *s->now);
    memset(s->inverse, 0, (size_t)n * (size_t)n * sizeof *s->inverse);
    for (int i = 0; i < n; ++i) {
        s->inverse[i * n + i] = -1.0; // the loads do not depend on themselves
    }
    s->low = -INFINITY;
    s->high = INFINITY;
    s->least_rest = s->part_before = INFINITY;
    s->largest = 0.0;
    s->round = 0;
    s->settled = s->impact = s->rough = false;
}

void hf_loads_begin_impact(hf_sim *sim)
{
    hf_loads_begin(sim);
    sim->loads->impact = true;
}

void hf_loads_are_rough(hf_sim *sim)
{
    sim->loads->rough = true;
}

// ------------------------------------------------------------------------------------------------
// Reactions

void hf_push_loops(hf_sim *sim, const double *lambda)
{
    const hf_model *model = sim->model;
    for (int i = 0; i < model->loop_count; ++i) {
        const hf_loop_place *loop = &model->loops[i];
        if (loop->term_count > 0) {
            continue;
        }
        hf_loop_rows rows;
        hf_loop_rows_at(&loop->joint, &sim->poses[loop->on.pose], &sim->poses[loop->to.pose],
                        &rows);
        hf_vec3 force = {0.0, 0.0, 0.0}, torque = {0.0, 0.0, 0.0};
        for (int k = 0; k < rows.count; ++k) {
            force = hf_v3_axpy(force, -lambda[loop->row + k], rows.force[k]);
            torque = hf_v3_axpy(torque, -lambda[loop->row + k], rows.torque[k]);
        }
        hf_wrench *on = &sim->wrenches[loop->on.pose], *to = &sim->wrenches[loop->to.pose];
        on->force = hf_v3_add(on->force, force);
        on->torque = hf_v3_add(on->torque, hf_v3_add(torque, hf_v3_cross(rows.on_arm, force)));
        to->force = hf_v3_sub(to->force, force);
        to->torque = hf_v3_sub(to->torque, hf_v3_add(torque, hf_v3_cross(rows.to_arm, force)));
    }
}

// Wrenches on all poses: of all forces, and of loops between frames.
static void fill_wrenches(hf_sim *sim, const double *x, void (*push)(hf_sim *sim))
{
    const hf_model *model = sim->model;
    memset(sim->wrenches, 0, (size_t)model->pose_count * sizeof *sim->wrenches);
    memset(sim->u, 0, (size_t)model->nv * sizeof *sim->u);
    hf_sim_push(sim, x);
    if (push != NULL) {
        push(sim);
    }
    hf_push_loops(sim, sim->loops == NULL ? NULL : sim->loops->lambda);
}

// By what a ratio's multiplier acts on a coordinate: P'(q - r).
static double term_slope(const hf_loop_sum_term *term, const double *x)
{
    double p[3];
    hf_loop_polynomial(term->p, x[term->q] - term->reference, p);
    return p[1];
}

static double loop_load(const hf_sim *sim, const hf_load_place *load, const double *x)
{
    const hf_loop_place *loop = &sim->model->loops[load->loop];
    const double *lambda = sim->loops->lambda + loop->row;
    if (loop->term_count > 0) {
        return load->link < 0 ? lambda[0]
                              : term_slope(&loop->terms[load->link], x) / load->factor * lambda[0];
    }
    hf_loop_rows rows;
    hf_loop_rows_at(&loop->joint, &sim->poses[loop->on.pose], &sim->poses[loop->to.pose], &rows);
    hf_vec3 force = {0.0, 0.0, 0.0};
    for (int k = 0; k < rows.count; ++k) {
        force = hf_v3_axpy(force, lambda[k], rows.force[k]);
    }
    return hf_v3_norm(force);
}

// All prescribed forces and controllers on the coordinate v.
static double actuator_load(const hf_sim *sim, int v)
{
    const hf_model *model = sim->model;
    double sum = 0.0;
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        hf_coupling_term terms[HF_COUPLING_MAX_TERMS];
        for (int row = 0; row < force->dim && hf_force_is_active(force) && force->ops->terms;
             ++row) {
            int count = force->ops->terms(force->item, row, terms);
            for (int k = 0; k < count; ++k) {
                sum -= terms[k].v == v ? terms[k].factor * sim->force[force->row + row] : 0.0;
            }
        }
    }
    return sum;
}

// Springs, stops and contacts on the coordinate v, and ratios: all but friction and actuators.
static double passive_load(const hf_sim *sim, int v, const double *x)
{
    const hf_model *model = sim->model;
    double sum = 0.0;
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        hf_coupling_term terms[HF_COUPLING_MAX_TERMS];
        bool counts = !hf_force_is_active(force) && force->info->kind != HF_KIND_FRICTION;
        for (int row = 0; row < force->dim && counts && force->ops->terms; ++row) {
            int count = force->ops->terms(force->item, row, terms);
            for (int k = 0; k < count; ++k) {
                sum -= terms[k].v == v ? terms[k].factor * sim->force[force->row + row] : 0.0;
            }
        }
    }
    for (int i = 0; i < model->loop_count; ++i) {
        const hf_loop_place *loop = &model->loops[i];
        for (int k = 0; k < loop->term_count; ++k) {
            const hf_loop_sum_term *term = &loop->terms[k];
            sum -= term->v == v ? term_slope(term, x) * sim->loops->lambda[loop->row] : 0.0;
        }
    }
    return sum;
}

// tau_f's load part of a servo (laws/servo.h): te is what holds the joint without acceleration.
static double servo_load(hf_sim *sim, const hf_load_place *load, const double *x)
{
    const hf_model *model = sim->model;
    const hf_tree_body *body = &model->trees[load->tree];
    struct hf_loads *s = sim->loads;
    bool impact = s->impact;
    hf_tree_reactions(&body->tree, x + body->q, impact ? sim->rest : x + model->nq + body->v,
                      sim->rest, sim->wrenches + body->pose,
                      impact ? (hf_vec3){0.0, 0.0, 0.0} : model->gravity,
                      sim->tree_work + body->work, s->reactions);
    const hf_wrench *held = &s->reactions[load->link];
    hf_vec3 axis = hf_m3_mulv(&sim->poses[load->pose].rotation, load->axis);
    double te =
        passive_load(sim, load->v, x) - hf_v3_dot(axis, load->slides ? held->force : held->torque);
    double tm = actuator_load(sim, load->v);
    const hf_servo_load *servo = &load->servo;
    hf_servo law = {
        .base = impact ? 0.0 : servo->base, .motor = servo->motor, .external = servo->external};
    // q is all that is at rest
    hf_servo square = {.motor_square = servo->motor_square,
                       .external_square = impact ? 0.0 : servo->external_square,
                       .stribeck_velocity = 1.0,
                       .shape = 1.0};
    return hf_servo_level(&law, tm, te, 0.0) + hf_servo_level(&square, tm, te, 0.0);
}

static double joint_load(const hf_sim *sim, const hf_load_place *load)
{
    const hf_wrench *carried = &sim->loads->reactions[load->link];
    hf_vec3 axis = hf_m3_mulv(&sim->poses[load->pose].rotation, load->axis);
    double along = hf_v3_dot(axis, carried->force), about = hf_v3_dot(axis, carried->torque);
    hf_vec3 across = hf_v3_axpy(carried->force, -along, axis);
    switch (load->type) {
    case HF_LOAD_TRANSMITTED:
        return load->slides ? along : about;
    case HF_LOAD_RADIAL:
        return hf_v3_norm(across);
    case HF_LOAD_AXIAL:
        return load->slides ? 0.0 : along;
    case HF_LOAD_MOMENT:
        return hf_v3_norm(load->slides ? carried->torque
                                       : hf_v3_axpy(carried->torque, -about, axis));
    default: // what drives a slide along its axis is not carried by it
        return hf_v3_norm(load->slides ? across : carried->force);
    }
}

// G(L)
static void find_loads(hf_sim *sim, const double *x, const double *dx, void (*push)(hf_sim *sim))
{
    const hf_model *model = sim->model;
    struct hf_loads *s = sim->loads;
    const double *dv = dx + model->nq, *v = s->impact ? sim->rest : x + model->nq;
    hf_vec3 gravity = s->impact ? (hf_vec3){0.0, 0.0, 0.0} : model->gravity;
    int tree = -1;
    bool pushed = false;
    // What loops and drives carry
    for (int i = 0; i < model->load_count; ++i) {
        const hf_load_place *load = &model->loads[i];
        if (load->type == HF_LOAD_LOOP) {
            s->next[i] = loop_load(sim, load, x);
            continue;
        }
        if (load->type == HF_LOAD_ACTUATOR) {
            s->next[i] = actuator_load(sim, load->v);
            continue;
        }
        // What joints carry: the wrenches of all forces first, then the reactions of each tree once
        if (!pushed) {
            fill_wrenches(sim, x, push);
            pushed = true;
        }
        if (load->type == HF_LOAD_SERVO) {
            s->next[i] = servo_load(sim, load, x);
            tree = -1; // its sweep was another
            continue;
        }
        const hf_tree_body *body = &model->trees[load->tree];
        if (load->tree != tree) {
            tree = load->tree;
            hf_tree_reactions(&body->tree, x + body->q, v + body->v, dv + body->v,
                              sim->wrenches + body->pose, gravity, sim->tree_work + body->work,
                              s->reactions);
        }
        s->next[i] = joint_load(sim, load);
    }
    if (pushed) { // evaluations without couplings in space take them to be zero
        memset(sim->wrenches, 0, (size_t)model->pose_count * sizeof *sim->wrenches);
    }
}

// ------------------------------------------------------------------------------------------------
// Broyden's method: B += (d - B y) d'B/(d'B y), d the last step, y what it changed of the rest

static void update_inverse(struct hf_loads *s, int n)
{
    double bottom = 0.0, *row = s->product;
    for (int i = 0; i < n; ++i) { // d'B
        row[i] = 0.0;
        for (int k = 0; k < n; ++k) {
            row[i] += s->step[k] * s->inverse[k * n + i];
        }
        bottom += row[i] * (s->rest[i] - s->rest_before[i]);
    }
    if (!(fabs(bottom) > 0.0)) {
        return;
    }
    for (int i = 0; i < n; ++i) {
        double change = s->step[i];
        for (int k = 0; k < n; ++k) {
            change -= s->inverse[i * n + k] * (s->rest[k] - s->rest_before[k]);
        }
        s->next[i] = change / bottom; // which is not needed any more
    }
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n; ++k) {
            s->inverse[i * n + k] += s->next[i] * row[k];
        }
    }
}

// The next loads. Of one, they stay between those where the rest is above and below zero.
static void go_on(struct hf_loads *s, int n)
{
    for (int i = 0; i < n; ++i) {
        s->step[i] = 0.0;
        for (int k = 0; k < n; ++k) {
            s->step[i] -= s->inverse[i * n + k] * s->rest[k];
        }
    }
    if (n == 1) {
        s->low = s->rest[0] > 0.0 ? fmax(s->low, s->now[0]) : s->low;
        s->high = s->rest[0] < 0.0 ? fmin(s->high, s->now[0]) : s->high;
        double ahead = s->now[0] + s->step[0];
        if (isfinite(s->low) && isfinite(s->high) && !(ahead > s->low && ahead < s->high)) {
            s->step[0] = 0.5 * (s->low + s->high) - s->now[0];
        }
    }
    for (int i = 0; i < n; ++i) {
        s->now[i] += s->step[i];
        s->rest_before[i] = s->rest[i];
    }
}

// Whether no more rounds help: there were many, or one load is known to rounding.
static bool is_last(const struct hf_loads *s, int n, double size)
{
    bool narrow = n == 1 && s->high - s->low <= 4.0 * DBL_EPSILON * size;
    return s->round + 1 >= MOST_ROUNDS || narrow;
}

// The rest of the last round, as a part of the largest load: within what is allowed it is found.
// True: the search has ended.
static bool judge(hf_sim *sim, int worst, double part, bool last)
{
    struct hf_loads *s = sim->loads;
    int n = sim->model->load_count;
    bool steps = !hf_method_info_get(sim->core->method.type)->is_adaptive;
    bool solved_to = hf_method_solves_contacts(sim->core->method.type);
    bool stalls = (solved_to || s->rough) && s->round > 0 && part > GAIN * s->part_before;
    double later = fmax(FOUND_LATER, solved_to ? TOLERANCES * sim->core->method.tolerance : 0.0);
    later = stalls && s->round >= STALLED ? fmax(later, FOUND_LAST) : later;
    double allowed = s->settled                    ? FOUND_STEP
                     : last                        ? FOUND_LAST
                     : s->round < LATER && !stalls ? FOUND
                                                   : later;
    s->part_before = part;
    if (!(part > allowed) || !isfinite(part)) { // what is not a number is reported elsewhere
        return true;
    }
    if (last && steps && !s->settled && s->least_rest <= FOUND_STEP) {
        memcpy(s->now, s->best, (size_t)n * sizeof *s->now);
        s->settled = true;
        return false;
    }
    s->jammed = last || s->settled ? worst : s->jammed;
    return last || s->settled;
}

bool hf_loads_next(hf_sim *sim, const double *x, const double *dx, void (*push)(hf_sim *sim))
{
    struct hf_loads *s = sim->loads;
    int n = sim->model->load_count, worst = 0;
    double size = 0.0, rest = 0.0;
    // How far the loads are from those of the motion
    find_loads(sim, x, dx, push);
    for (int i = 0; i < n; ++i) {
        s->rest[i] = s->next[i] - s->now[i];
        size = fmax(size, fmax(fabs(s->next[i]), fabs(s->now[i])));
        worst = fabs(s->rest[i]) > rest ? i : worst;
        rest = fmax(rest, fabs(s->rest[i]));
    }
    s->largest = fmax(s->largest, size);
    size = hf_method_solves_contacts(sim->core->method.type) ? s->largest : size;
    double part = rest > 0.0 ? rest / size : rest;
    if (part < s->least_rest) {
        s->least_rest = part;
        memcpy(s->best, s->now, (size_t)n * sizeof *s->best);
    }
    if (judge(sim, worst, part, is_last(s, n, size))) {
        return true;
    }
    // The next ones
    if (!s->settled) {
        if (s->round > 0) {
            update_inverse(s, n);
        }
        s->round += 1;
        go_on(s, n);
    }
    return false;
}

int hf_loads_take_jam(hf_sim *sim)
{
    int load = sim->loads == NULL ? -1 : sim->loads->jammed;
    if (load >= 0) {
        sim->loads->jammed = -1;
    }
    return load;
}

hf_status hf_loads_check(hf_sim *sim, double end, hf_error *error)
{
    int load = hf_loads_take_jam(sim);
    return load < 0 ? HF_OK : hf_loads_tell_jam(sim, load, end, error);
}

hf_status hf_loads_tell_jam(const hf_sim *sim, int load, double t, hf_error *error)
{
    const hf_force_place *force = &sim->model->forces[sim->model->loads[load].force];
    bool element = force->exact == HF_EXACT_NONE, contacts = false;
    for (int i = 0; i < sim->model->force_count; ++i) {
        contacts = contacts || sim->model->forces[i].ops->needs_collider ||
                   sim->model->forces[i].ops->contact;
    }
    // Methods of steps bring it to rest within one; the one that runs has just failed to
    hf_method_type now = sim->core->method.type;
    const char *others = now == HF_METHOD_TIMESTEP   ? "discrete, which brings"
                         : now == HF_METHOD_DISCRETE ? "timestep, which brings"
                                                     : "timestep or discrete, which bring";
    return hf_error_at(error, HF_ERROR_CONVERGENCE, hf_at_time(t, "force", force->name),
                       "its force and the reaction that loads it find no balance: it jams%s. Make "
                       "its coefficient smaller, or take %s%s it to rest within a step",
                       contacts ? ", or the reactions of its many contacts are not determined" : "",
                       element ? "law: coulomb and " : "", others);
}

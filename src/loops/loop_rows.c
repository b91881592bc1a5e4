// SPDX-License-Identifier: Apache-2.0
// The rows of one loop: between two frames (bodies/loop.h), or of a ratio,
//
//   phi   = sum P_i(q_i - r_i) - value            J_i = P_i'            [m or rad]
//   phi'' = sum P_i' v_i' + bias,                 bias = sum P_i'' v_i^2
//
// A spin w.a about an axis a fixed in its body has no coordinate: a ratio with one holds the rates,
// phi is 0, and as (w.a)' = w'.a + w.(w x a) = w'.a the bias is w'.a of what v' = 0 leaves.
#include <math.h>
#include <string.h>

#include "loops/loops.h"

// ------------------------------------------------------------------------------------------------
// Ratios

static double ratio_phi(const hf_loop_place *loop, const double *x)
{
    double sum = 0.0, p[3];
    for (int i = 0; i < loop->term_count && !loop->rates; ++i) {
        hf_loop_polynomial(loop->terms[i].p, x[loop->terms[i].q] - loop->terms[i].reference, p);
        sum += p[0];
    }
    return loop->rates ? 0.0 : sum - loop->value;
}

static hf_vec3 spin_axis(const hf_sim *sim, const hf_loop_sum_term *term)
{
    return hf_v3_scale(term->p[0], hf_m3_mulv(&sim->poses[term->pose].rotation, term->axis));
}

static void ratio_row(hf_sim *sim, const hf_loop_place *loop, const double *x, double *row)
{
    for (int i = 0; i < loop->term_count; ++i) {
        const hf_loop_sum_term *term = &loop->terms[i];
        double p[3];
        if (term->q >= 0) {
            hf_loop_polynomial(term->p, x[term->q] - term->reference, p);
            row[term->column] += p[1];
            continue;
        }
        const hf_cluster_mover *mover = &sim->model->cluster_movers[term->place];
        const hf_mover *u = &sim->model->movers[mover->mover];
        hf_vec3 torque = spin_axis(sim, term);
        u->ops->rows(
            u->body, hf_sim_io(sim, x, sim->rest),
            &(hf_body_push){.pose = term->pose, .torque = &torque, .count = 1, .sign = 1.0}, NULL,
            row + mover->column, 0, sim->loops->link_rows);
    }
}

static double ratio_bias(const hf_sim *sim, const hf_loop_place *loop, const double *x)
{
    double sum = 0.0, p[3];
    for (int i = 0; i < loop->term_count; ++i) {
        const hf_loop_sum_term *term = &loop->terms[i];
        if (term->q < 0) {
            sum += hf_v3_dot(spin_axis(sim, term), sim->loops->rates[term->pose].spin);
            continue;
        }
        double v = x[sim->model->nq + term->v];
        hf_loop_polynomial(term->p, x[term->q] - term->reference, p);
        sum += p[2] * v * v;
    }
    return sum;
}

// ------------------------------------------------------------------------------------------------
// All

void hf_loop_phi(const hf_sim *sim, const hf_loop_place *loop, const double *x, double *phi)
{
    if (loop->joint.type == HF_LOOP_RATIO) {
        phi[0] = ratio_phi(loop, x);
        return;
    }
    hf_loop_rows rows;
    hf_loop_rows_at(&loop->joint, &sim->poses[loop->on.pose], &sim->poses[loop->to.pose], &rows);
    memcpy(phi, rows.phi, (size_t)rows.count * sizeof *phi);
}

// What moves both ends of a loop opens it by nothing: the last link of one tree that does; 0: none.
static int meeting_of(const hf_sim *sim, const hf_loop_place *loop)
{
    if (loop->on.place < 0 || loop->on.place != loop->to.place) {
        return 0;
    }
    const hf_mover *u = &sim->model->movers[sim->model->cluster_movers[loop->on.place].mover];
    return u->ops->meet == NULL ? 0 : u->ops->meet(u->body, loop->on.pose, loop->to.pose);
}

static void put_end(hf_sim *sim, const hf_loop_end *end, int below, double sign,
                    const hf_loop_rows *rows, const double *q, double *jacobian, int columns)
{
    const hf_model *model = sim->model;
    const hf_body_io *io = hf_sim_io(sim, q, sim->rest);
    const hf_body_push push = {.pose = end->pose,
                               .below = below,
                               .arm = sign > 0.0 ? rows->on_arm : rows->to_arm,
                               .force = rows->force,
                               .torque = rows->torque,
                               .count = rows->count,
                               .sign = sign};
    if (end->place >= 0) {
        const hf_cluster_mover *mover = &model->cluster_movers[end->place];
        const hf_mover *u = &model->movers[mover->mover];
        u->ops->rows(u->body, io, &push, NULL, jacobian + mover->column, (size_t)columns,
                     sim->loops->link_rows);
    } else if (end->driver >= 0) {
        const hf_cluster_driver *driver = &model->cluster_drivers[end->driver];
        const hf_body_place *body = &model->bodies[driver->body];
        body->ops->rows(body->body, io, &push, NULL, jacobian + driver->column, (size_t)columns,
                        sim->loops->link_rows);
    }
}

void hf_loop_jacobian(hf_sim *sim, const hf_loop_place *loop, const double *x, double *jacobian,
                      int columns, double *phi)
{
    if (loop->joint.type == HF_LOOP_RATIO) {
        phi[0] = ratio_phi(loop, x);
        ratio_row(sim, loop, x, jacobian);
        return;
    }
    hf_loop_rows rows;
    hf_loop_rows_at(&loop->joint, &sim->poses[loop->on.pose], &sim->poses[loop->to.pose], &rows);
    int below = meeting_of(sim, loop);
    put_end(sim, &loop->on, below, 1.0, &rows, x, jacobian, columns);
    put_end(sim, &loop->to, below, -1.0, &rows, x, jacobian, columns);
    memcpy(phi, rows.phi, (size_t)rows.count * sizeof *rows.phi);
}

void hf_loop_bias(const hf_sim *sim, const hf_loop_place *loop, const double *x, double *bias)
{
    const hf_pose_rate *rates = sim->loops->rates;
    if (loop->joint.type == HF_LOOP_RATIO) {
        bias[0] = ratio_bias(sim, loop, x);
        return;
    }
    hf_loop_accelerations(&loop->joint, &sim->poses[loop->on.pose], &sim->poses[loop->to.pose],
                          &rates[loop->on.pose], &rates[loop->to.pose], bias);
}

int hf_loop_places(const hf_loop_place *loop, int places[HF_LOOP_MAX_TERMS])
{
    int count = 0;
    bool ratio = loop->joint.type == HF_LOOP_RATIO;
    for (int i = 0; i < (ratio ? loop->term_count : 2); ++i) {
        int place = ratio ? loop->terms[i].place : i == 0 ? loop->on.place : loop->to.place;
        bool seen = place < 0;
        for (int k = 0; k < count && !seen; ++k) {
            seen = places[k] == place;
        }
        if (!seen) {
            places[count++] = place;
        }
    }
    return count;
}

double hf_loop_reach(const hf_sim *sim, const hf_loop_place *loop, const double *x)
{
    double reach = 0.0, p[3];
    for (int i = 0; i < loop->term_count && !loop->rates; ++i) {
        hf_loop_polynomial(loop->terms[i].p, x[loop->terms[i].q] - loop->terms[i].reference, p);
        reach = fmax(reach, fmax(fabs(p[0]), fabs(p[1] * x[loop->terms[i].q])));
    }
    if (loop->joint.type != HF_LOOP_RATIO) {
        reach = fmax(reach, hf_v3_norm(sim->poses[loop->on.pose].position));
        reach = fmax(reach, hf_v3_norm(loop->joint.on_point));
        reach = fmax(reach, hf_v3_norm(loop->joint.to_point));
    }
    return fmax(reach, fabs(loop->value));
}

// Of a ratio: by how much of itself a factor changes in a second.
static double ratio_turning(const hf_sim *sim, const hf_loop_place *loop, const double *x)
{
    double squares = 0.0, sizes = 0.0, p[3];
    for (int i = 0; i < loop->term_count; ++i) {
        const hf_loop_sum_term *term = &loop->terms[i];
        if (term->q < 0) {
            hf_vec3 w = sim->poses[term->pose].spin;
            squares += term->p[0] * term->p[0] * hf_v3_dot(w, w);
            sizes += term->p[0] * term->p[0];
            continue;
        }
        double v = x[sim->model->nq + term->v];
        hf_loop_polynomial(term->p, x[term->q] - term->reference, p);
        squares += p[2] * v * p[2] * v;
        sizes += p[1] * p[1];
    }
    return sizes > 0.0 ? squares / sizes : 0.0;
}

double hf_loop_turning(const hf_sim *sim, const hf_loop_place *loop, const double *x)
{
    if (loop->joint.type == HF_LOOP_RATIO) {
        return ratio_turning(sim, loop, x);
    }
    const hf_pose *on = &sim->poses[loop->on.pose], *to = &sim->poses[loop->to.pose];
    double squares = hf_v3_dot(on->spin, on->spin) + hf_v3_dot(to->spin, to->spin);
    if (loop->joint.type == HF_LOOP_DISTANCE) {
        hf_vec3 a = hf_m3_mulv(&on->rotation, loop->joint.on_point);
        hf_vec3 b = hf_m3_mulv(&to->rotation, loop->joint.to_point);
        hf_vec3 u = hf_v3_sub(hf_v3_add(on->velocity, hf_v3_cross(on->spin, a)),
                              hf_v3_add(to->velocity, hf_v3_cross(to->spin, b)));
        squares += hf_v3_dot(u, u) / (loop->joint.length * loop->joint.length);
    }
    return squares;
}

// ------------------------------------------------------------------------------------------------
// What is there to see

void hf_loop_opening(hf_sim *sim, const hf_loop_place *loop, const double *x, double *error,
                     double *angle)
{
    double phi[HF_LOOP_MAX_ROWS];
    hf_cluster_pose(sim, &sim->model->clusters[loop->cluster], x);
    hf_loop_phi(sim, loop, x, phi);
    hf_loop_sizes(loop, phi, error, angle);
}

void hf_loop_sizes(const hf_loop_place *loop, const double *phi, double *error, double *angle)
{
    double squares[2] = {0.0, 0.0};
    for (int k = 0; k < loop->rows; ++k) {
        squares[loop->turns || hf_loop_row_turns(loop->joint.type, k)] += phi[k] * phi[k];
    }
    *error = sqrt(squares[0]);
    *angle = sqrt(squares[1]);
}

void hf_loop_force(hf_sim *sim, const hf_loop_place *loop, hf_vec3 *force, hf_vec3 *torque)
{
    hf_loop_rows rows;
    *force = *torque = hf_v3(0.0, 0.0, 0.0);
    bool stepped = hf_sim_in_steps(sim) && hf_method_solves_contacts(sim->core->method.type);
    const double *lambda = stepped ? sim->step_lambda : sim->loops->lambda;
    if (loop->joint.type == HF_LOOP_RATIO) {
        force->x = 0.0 - lambda[loop->row]; // no negative zero
        return;
    }
    hf_loop_rows_at(&loop->joint, &sim->poses[loop->on.pose], &sim->poses[loop->to.pose], &rows);
    for (int k = 0; k < rows.count; ++k) {
        double size = -lambda[loop->row + k];
        *force = hf_v3_axpy(*force, size, rows.force[k]);
        *torque = hf_v3_axpy(*torque, size, rows.torque[k]);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Restitution where an impact reaches bodies that rest on others (solvers/small/spread.h), of the
// stops and contacts listed, whose W is filled.
#include <math.h>
#include <string.h>

#include "methods/switch/switch.h"
#include "solvers/small/spread.h"

// The listed items as bodies: what they were pushed with, in own->f.
typedef struct pushed {
    hf_switch *own;
    const hf_model *model;
    const hf_element *elements; // of the island
    int rows;                   // of W
} pushed;

// Its speed is `sense` times its rate; a push p along it is the impulse -sense p of its row.
static double sense(const hf_element *e)
{
    return e->kind == HF_ELEMENT_STOP ? -(double)e->wall : 1.0;
}

static double moved(const void *bodies, int item)
{
    const pushed *p = bodies;
    const hf_switch *own = p->own;
    const double *line = own->w + (size_t)own->first[item] * (size_t)p->rows;
    double sum = 0.0;
    for (int i = 0; i < own->listed; ++i) {
        sum -= line[own->first[i]] * own->f[own->first[i]];
    }
    return sense(&p->elements[own->list[item]]) * sum;
}

static void push(void *bodies, int item, double impulse)
{
    const pushed *p = bodies;
    p->own->f[p->own->first[item]] -= sense(&p->elements[p->own->list[item]]) * impulse;
}

static double weight(const void *bodies, int item)
{
    const pushed *p = bodies;
    size_t row = (size_t)p->own->first[item];
    return p->own->w[row * (size_t)p->rows + row];
}

// What moves with a pose; -1: nothing.
static int mover_of_pose(const hf_model *model, int pose)
{
    for (int i = 0; i < model->body_count && pose >= 0; ++i) {
        if (model->bodies[i].pose == pose) {
            return model->bodies[i].mover;
        }
    }
    return -1;
}

// The two movers of an element, in rising order; -1: none.
static void movers_of(const hf_model *model, const hf_element *e, int movers[2])
{
    int all[HF_COUPLING_MAX_TERMS] = {-1, -1}, count = 2;
    if (e->slot) {
        all[0] = mover_of_pose(model, e->point.on_pose);
        all[1] = mover_of_pose(model, e->point.to_pose);
    } else {
        count = hf_force_movers(model, &model->forces[e->force], all);
    }
    int a = count > 0 ? all[0] : -1, b = count > 1 ? all[1] : -1;
    movers[0] = a < b ? a : b;
    movers[1] = a < b ? b : a;
}

static bool grounded(const void *bodies, int item)
{
    const pushed *p = bodies;
    int movers[2];
    movers_of(p->model, &p->elements[p->own->list[item]], movers);
    return movers[0] < 0;
}

// Which of the listed are between the same two bodies: the first of them.
static void pair_up(const pushed *p, int *pair)
{
    for (int i = 0; i < p->own->listed; ++i) {
        int mine[2], other[2];
        movers_of(p->model, &p->elements[p->own->list[i]], mine);
        pair[i] = i;
        for (int k = 0; k < i && pair[i] == i; ++k) {
            movers_of(p->model, &p->elements[p->own->list[k]], other);
            pair[i] = mine[0] == other[0] && mine[1] == other[1] ? k : i;
        }
    }
}

void hf_switch_spread(hf_sim *sim, hf_element *elements, int rows, double fastest)
{
    hf_switch *own = hf_switch_of(sim);
    pushed bodies = {.own = own, .model = sim->model, .elements = elements, .rows = rows};
    double reached = 0.0;
    // Tables that the solution fills only later
    hf_spread sp = {.count = own->listed,
                    .u = own->low,
                    .pair = own->side,
                    .set = own->rows,
                    .reached = &reached,
                    .goal = own->high,
                    .r = own->ahead,
                    .struck = own->held,
                    .fastest = fastest,
                    .bodies = &bodies,
                    .moved = moved,
                    .push = push,
                    .weight = weight,
                    .grounded = grounded};
    // Stops and contacts: one set
    for (int i = 0; i < own->listed; ++i) {
        hf_element *e = &elements[own->list[i]];
        e->parts = NAN;
        sp.u[i] = hf_element_is_friction(e) ? NAN : sense(e) * hf_switch_rate(sim, e, 0, sim->x);
        sp.set[i] = 0;
    }
    if (own->listed < 2 || own->listed > HF_SPREAD_MOST || !(fastest > 0.0)) {
        return;
    }
    pair_up(&bodies, sp.pair);
    memset(own->f, 0, (size_t)rows * sizeof *own->f);
    if (!hf_spread_blows(&sp)) {
        return;
    }
    for (int i = 0; i < own->listed; ++i) {
        if (hf_spread_changes(&sp, i)) {
            elements[own->list[i]].parts = hf_spread_parts(&sp, i);
        }
    }
}

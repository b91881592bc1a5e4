// SPDX-License-Identifier: Apache-2.0
// What holds is put back: on its place, and at rest.
#include <float.h>
#include <math.h>
#include <string.h>

#include "loops/loops.h"
#include "methods/switch/switch.h"
#include "solvers/small/least_norm.h"

// By how much more energy rows that are nearly dependent may take together than alone.
#define AMPLIFIED 1e6

void hf_switch_hold(hf_sim *sim)
{
    const hf_switch *own = hf_switch_of(sim);
    struct hf_loops_state *loops = sim->loops;
    for (int i = 0; own != NULL && i < own->count; ++i) {
        const hf_element *e = &own->elements[i];
        for (int k = 0; k < e->dim && e->mode == 0 && !e->in_space; ++k) {
            hf_coupling_term on = {e->on_q + k, e->on_v + k, 1.0};
            hf_coupling_term to = {e->to_q + k, e->to_v + k, e->on_driven ? 1.0 : -1.0};
            bool both = e->to_v >= 0 && !e->on_driven && !e->to_driven;
            hf_loop_hold *hold = &loops->holds[loops->hold_count++];
            hold->count = both ? 2 : 1;
            hold->terms[0] = e->on_driven ? to : on;
            hold->terms[1] = to;
        }
    }
}

// ------------------------------------------------------------------------------------------------
// What is held altogether

bool hf_switch_is_pinned(const hf_sim *sim, const hf_island *island)
{
    return hf_switch_island(sim, island)->pinned;
}

void hf_switch_unpin(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    for (int i = 0; i < sim->model->exact.count && hf_switch_has_points(own); ++i) {
        hf_switch_island(sim, &own->islands[i])->pinned = false;
    }
}

void hf_switch_rest(const hf_sim *sim, const hf_island *island, double *v)
{
    const hf_model *model = sim->model;
    for (int i = 0; i < island->mover_count; ++i) {
        const hf_mover *mover = &model->movers[model->exact.movers[island->first_mover + i]];
        memset(v + mover->v, 0, (size_t)mover->nv * sizeof *v);
    }
}

// Whether everything that moves in an island sticks to the world, with points between shapes.
static bool is_pinned(hf_sim *sim, const hf_island *island)
{
    const hf_model *model = sim->model;
    hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    bool plain = true, points = false, moved = false;
    int n = hf_switch_list_held(sim, island, &plain), rows = 0, nv = 0;
    // Only what sticks to what does not move
    for (int i = 0; i < own->listed; ++i) {
        const hf_element *e = &elements[own->list[i]];
        points = points || e->slot;
        moved = moved || (e->slot && e->part == 0 && e->point.driven);
    }
    if (!plain || !points || moved || model->drive_count > 0 || own->follows) {
        return false;
    }
    for (int i = 0; i < island->mover_count; ++i) {
        nv += model->movers[model->exact.movers[island->first_mover + i]].nv;
    }
    if (n < nv) {
        return false;
    }
    // As many independent rows as velocities
    hf_switch_fill_w(sim, island, sim->x);
    rows = hf_switch_count_rows(own, elements);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            own->copy[i * n + j] = own->w[own->rows[i] * rows + own->rows[j]];
        }
    }
    return hf_least_norm_factorize(n, own->copy, own->work) == nv;
}

// At rest, and on its places but for rounding.
static void pin_islands(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    for (int i = 0; i < sim->model->exact.count && hf_switch_has_points(own); ++i) {
        hf_element *first = hf_switch_island(sim, &own->islands[i]);
        first->pinned = is_pinned(sim, &own->islands[i]);
        if (first->pinned) {
            hf_switch_rest(sim, &own->islands[i], sim->x + sim->model->nq);
        }
    }
}

// What slips does so along its rate: settling after an impact changes it, and a direction that is
// watched from elsewhere would seem to have turned round.
static void aim_slip(const hf_sim *sim, hf_element *e)
{
    bool contact = e->kind == HF_ELEMENT_CONTACT;
    const double *rate = sim->rate + e->row + (contact ? 1 : 0);
    int dim = contact ? 2 : e->dim;
    double size = hf_length3(dim, rate);
    if ((!contact && e->kind != HF_ELEMENT_PLANAR) || e->mode != 1 || e->since > -INFINITY ||
        !(size > hf_switch_of(sim)->shift)) {
        return;
    }
    for (int k = 0; k < dim && k < 3; ++k) {
        e->aim[k] = rate[k] / size;
    }
}

void hf_switch_mark(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    hf_switch_mark_ties(sim);
    if (!own->in_space) {
        return;
    }
    pin_islands(sim);
    hf_switch_look(sim, sim->x);
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        if (!e->in_space) {
            continue;
        }
        aim_slip(sim, e);
        bool stuck = e->kind != HF_ELEMENT_CONTACT && e->mode == 0 && e->part == 0 &&
                     sim->model->forces[e->force].ops->has_gap;
        if (stuck && e->kind == HF_ELEMENT_STOP) {
            e->place[0] = hf_element_limit(e);
        } else if (stuck && !e->placed) {
            memcpy(e->place, sim->gap + e->row, (size_t)e->dim * sizeof *e->place);
        }
        e->placed = stuck;
    }
}

// How many of an element's rows are to stand still, or to have a gap.
static int still_rows(const hf_element *e, bool gaps)
{
    if (gaps) {
        bool closed = e->mode != HF_CONTACT_OPEN || e->touches;
        bool struck = e->kind == HF_ELEMENT_STOP && e->in_space && e->touches;
        return e->kind == HF_ELEMENT_CONTACT ? closed : e->placed || struck ? e->dim : 0;
    }
    if (e->kind == HF_ELEMENT_CONTACT) {
        return e->mode == HF_CONTACT_OPEN ? 0 : e->mode == 0 ? 3 : 1;
    }
    return e->mode == 0 ? e->dim : 0;
}

// W restricted to the rows in own->rows, n of them, times own->f = right: f of all rows. Its
// diagonal is larger by a part of it.
static void solve_rows(hf_switch *own, int n, int rows, const double *right, double larger)
{
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            double w = own->w[own->rows[i] * rows + own->rows[j]];
            own->copy[i * n + j] = i == j ? (1.0 + larger) * w : w;
        }
    }
    if (own->follows) {
        (void)hf_least_norm_general(n, own->copy, right, own->ahead, own->work);
    } else {
        (void)hf_least_norm_solve(n, own->copy, right, own->ahead, own->work);
    }
    memset(own->f, 0, (size_t)rows * sizeof *own->f);
    for (int i = 0; i < n; ++i) {
        own->f[own->rows[i]] = own->ahead[i];
    }
}

// Lists what has rows to stand still; these in own->rows. Returns how many; *space: in space.
static int list_still(hf_sim *sim, const hf_island *island, bool gaps, bool *space)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    int n = 0, row = 0;
    own->listed = 0;
    *space = false;
    for (int i = 0; i < island->force_count; ++i) {
        const hf_element *e = &elements[i];
        int still = still_rows(e, gaps);
        if (still == 0) {
            continue;
        }
        *space = *space || e->in_space;
        own->list[own->listed++] = i;
        for (int k = 0; k < still; ++k) {
            own->rows[n++] = row + k;
        }
        row += e->dim;
    }
    return n;
}

// Fills own->c with gaps, or with rates, of the rows that own->rows names; returns the largest.
static double gather(hf_sim *sim, const hf_island *island, bool gaps, int n)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    double largest = 0.0;
    for (int i = 0, at = 0; i < own->listed && at < n; ++i) {
        const hf_element *e = &elements[own->list[i]];
        for (; at < n && own->rows[at] < own->first[i] + e->dim; ++at) {
            int k = own->rows[at] - own->first[i];
            double place = e->kind == HF_ELEMENT_STOP ? hf_element_limit(e)
                           : e->placed                ? e->place[k]
                                                      : 0.0;
            own->c[at] = gaps ? sim->gap[e->row + k] - place : hf_switch_rate(sim, e, k, sim->x);
            largest = fmax(largest, fabs(own->c[at]));
        }
    }
    return largest;
}

// q moves as with velocities `by` for one second.
static void displace(hf_sim *sim, const double *by)
{
    const hf_model *model = sim->model;
    hf_switch *own = hf_switch_of(sim);
    memcpy(own->rate, sim->x, (size_t)model->nq * sizeof *sim->x);
    memcpy(own->rate + model->nq, by, (size_t)model->nv * sizeof *sim->x);
    hf_sim_q_rate(sim, own->rate, sim->slope);
    for (int i = 0; i < model->nq; ++i) {
        sim->x[i] += sim->slope[i];
    }
    hf_sim_normalize(sim, sim->x);
}

// Impulses own->f turn p (r + r')/2 into heat, of each rate r; r' = larger w p is left of it.
static void keep_heat(hf_sim *sim, const hf_island *island, int rows, double larger)
{
    const hf_model *model = sim->model;
    const hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    double *work = sim->x + model->n - model->nw;
    for (int i = 0; i < own->listed; ++i) {
        const hf_element *e = &elements[own->list[i]];
        for (int k = 0; k < e->dim; ++k) {
            int row = own->first[i] + k;
            double left = larger * own->w[row * rows + row] * own->f[row];
            work[e->force] += 0.5 * own->f[row] * (hf_switch_rate(sim, e, k, sim->x) + left);
        }
    }
}

// Whether rates that are but errors of the integrator would take speed from everything: a
// coordinate that turns round at its dead center, while a rope or a rail leads it, has a rate of
// zero in a machine that goes on. The energy that the impulses take, against what each row would
// take alone.
static bool takes_all(const hf_switch *own, int n, int rows)
{
    double together = 0.0, alone = 0.0;
    for (int i = 0; i < n; ++i) {
        double w = own->w[own->rows[i] * rows + own->rows[i]];
        together += own->c[i] * own->f[own->rows[i]];
        alone += w > 0.0 ? own->c[i] * own->c[i] / w : 0.0;
    }
    return together > AMPLIFIED * alone;
}

// Takes frictions of coordinates that are to stop out of own->rows and own->c; whether they do is
// found by accelerations. Returns how many rows are left.
static int leave_stopping(const hf_sim *sim, const hf_island *island, int n)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    int left = 0;
    for (int i = 0, at = 0; i < own->listed; ++i) {
        const hf_element *e = &elements[own->list[i]];
        bool stops = e->kind == HF_ELEMENT_FRICTION && e->candidate && !e->in_space;
        for (; at < n && own->rows[at] < own->first[i] + e->dim; ++at) {
            own->rows[left] = own->rows[at];
            own->c[left] = own->c[at];
            left += stops ? 0 : 1;
        }
    }
    return left;
}

// `all`: of coordinates too, which are otherwise kept in their places without impulses.
static double settle(hf_sim *sim, const hf_island *island, bool gaps, bool all)
{
    const hf_model *model = sim->model;
    hf_switch *own = hf_switch_of(sim);
    bool space = false;
    double first = 0.0, rounding = gaps ? own->settled : DBL_EPSILON * 0.5;
    for (int pass = 0; pass < 3; ++pass) {
        // What is still
        int n = list_still(sim, island, gaps, &space);
        if (n == 0 || (!space && !all)) {
            return first;
        }
        // What is left of their rates or gaps
        hf_switch_look(sim, sim->x);
        int rows = hf_switch_count_rows(own, hf_switch_island(sim, island));
        double largest = gather(sim, island, gaps, n);
        first = pass == 0 ? largest : first;
        if (!(largest > rounding)) {
            break;
        }
        // Taken away with the least motion; the heat of that is booked
        hf_switch_fill_w(sim, island, sim->x);
        solve_rows(own, n, rows, own->c, 0.0);
        if (!gaps && takes_all(own, n, rows)) {
            n = leave_stopping(sim, island, n);
            solve_rows(own, n, rows, own->c, 0.0);
        }
        double larger = 0.0;
        if (takes_all(own, n, rows)) { // normals that are nearly one, of points beside each other
            larger = 1.0 / AMPLIFIED;
            solve_rows(own, n, rows, own->c, larger);
        }
        hf_switch_respond(sim, island, sim->x, gaps ? NULL : &sim->x[model->n - 1], false);
        if (gaps) {
            displace(sim, sim->response);
            continue;
        }
        sim->x[model->n - 1] += hf_points_belt_power(sim, island);
        keep_heat(sim, island, rows, larger);
        for (int i = 0; i < model->nv; ++i) {
            sim->x[model->nq + i] += sim->response[i];
        }
    }
    return first;
}

void hf_switch_settle_gaps(hf_sim *sim, const hf_island *island)
{
    hf_element *elements = hf_switch_island(sim, island);
    (void)settle(sim, island, true, false);
    for (int i = 0; i < island->force_count; ++i) {
        elements[i].touches = false;
    }
    hf_switch_look(sim, sim->x);
}

void hf_switch_settle_rates(hf_sim *sim, const hf_island *island)
{
    (void)settle(sim, island, false, true);
}

double hf_switch_settle(hf_sim *sim, const hf_island *island)
{
    const hf_element *elements = hf_switch_island(sim, island);
    if (hf_switch_is_pinned(sim, island)) {
        return 0.0;
    }
    double gap = settle(sim, island, true, false), rate = settle(sim, island, false, false);
    for (int i = 0; i < island->force_count; ++i) {
        if (still_rows(&elements[i], false) > 0) {
            hf_switch_stop(sim, &elements[i], sim->x);
        }
    }
    hf_switch_look(sim, sim->x);
    return fmax(gap, rate);
}

void hf_switch_close(hf_sim *sim)
{
    if (sim->model->loop_count > 0) {
        (void)hf_loops_close(sim, sim->x, true);
        hf_switch_look(sim, sim->x);
    }
}

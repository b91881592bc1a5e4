// SPDX-License-Identifier: Apache-2.0
// Impacts: impulses of all stops and contacts that touch, at once.
//
// Newton's restitution along the normals, Coulomb's law in impulses across them, with the
// velocities after the impact:
//   r+ = r- - W p,   p_n <= 0,   r_n+ + e r_n- >= 0, one of them zero,   p_T as friction of level
//   mu |p_n| against r_T+
// Where the impact reaches bodies that rest on others, e r_n- is e times what they part with when
// blows spread from pair to pair (switch_spread.c).
// With friction that couples to the normals such a law may gain energy (Kane's pendulum). Then the
// restitution of this impact is lessened to where it gains none; at e = 0 it never does.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "methods/switch/switch.h"
#include "methods/switch/switch_loads.h"
#include "sim/loads.h"

// Rates after an impact below this part of the fastest before it are rounding, and what box_lcp.c
// adds to a diagonal (1e-13).
#define IMPACT_ROUNDING 1e-11
// An impact without collision begins as if contacts approached with this part of the fastest rate.
#define PUSH 1e-9
// It leaves rates of that size in all directions.
#define JAM_ROUNDING (100.0 * PUSH)
// One that begins while a normal still answers, with HF_LEAST_FELT of what it would alone, has so
// much more friction: none of the answer is left, and the impulse ends with the sliding.
#define JAM_FRICTION (1.0 + 2.0 * HF_LEAST_FELT)
// What is latched stays where it would rise by this many margins.
#define LATCHED_RISE 1e3
// Halvings of an interval of restitutions, and the part of the turned-over energy that is rounding.
enum { HALVINGS = 40 };
#define ENERGY_ROUNDING 1e-13

// ------------------------------------------------------------------------------------------------
// Who takes part

// Puts the gap of a struck stop exactly at its limit, so that it does not creep beyond. Those in
// space are put there all at once, by hf_switch_settle_gaps.
static void place_at_limit(const hf_sim *sim, const hf_element *e)
{
    const hf_switch *own = hf_switch_of(sim);
    double limit = hf_element_limit(e);
    // What sticks elsewhere stays, if the other can move
    bool on_free = !e->on_driven && !own->tied[e->on_v];
    bool to_free = e->to_q >= 0 && !e->to_driven && !own->tied[e->to_v];
    if (!e->on_driven && (on_free || !to_free)) {
        sim->x[e->on_q] = limit + (e->to_q < 0 ? 0.0 : sim->x[e->to_q]);
    } else if (to_free) {
        sim->x[e->to_q] = sim->x[e->on_q] - limit;
    }
}

// Whether a stop takes part in an impact: it is at a limit, and does not leave it.
static bool stop_touches(const hf_sim *sim, hf_element *e)
{
    int wall = 0;
    if (!(hf_switch_gap(sim, e, sim->x, &wall) <= hf_switch_of(sim)->margin)) {
        return false;
    }
    e->wall = wall;
    return wall * hf_switch_rate(sim, e, 0, sim->x) >= 0.0;
}

// Where a point leaves its features another takes over from it: both are at one place, and settling
// may put it back inside by its last digits. That it then approaches is no impact.
// A closed contact takes part whatever its rate: gaps that are put in their places turn its normal
// a little, and one that is left out stays closed, though the impact may make it leave.
static bool contact_touches(const hf_sim *sim, const hf_element *e)
{
    const hf_switch *own = hf_switch_of(sim);
    if (e->slot && e->point.used && e->point.left_at == sim->core->time) {
        return false;
    }
    bool closed = e->mode != HF_CONTACT_OPEN;
    return sim->gap[e->row] <= own->margin &&
           (closed || hf_switch_rate(sim, e, 0, sim->x) <= own->shift);
}

// Loops follow the stops that were put at their limits.
static void close_around(hf_sim *sim, const hf_island *island)
{
    hf_element *elements = hf_switch_island(sim, island);
    bool some = false;
    for (int i = 0; i < island->force_count; ++i) {
        some = some || elements[i].at_limit;
    }
    if (some) {
        hf_switch_close(sim);
    }
    for (int i = 0; i < island->force_count; ++i) {
        elements[i].at_limit = false;
    }
}

// How fast an element of an impact approaches; 0: it rests.
static double approach(const hf_sim *sim, const hf_element *e)
{
    double rate = hf_switch_rate(sim, e, 0, sim->x), shift = hf_switch_of(sim)->shift;
    if (e->kind == HF_ELEMENT_STOP) {
        return fmax(0.0, e->wall * rate);
    }
    return rate < -shift ? -rate : 0.0;
}

// Stops and contacts that touch. Returns the rows; *fastest: the largest rate of approach.
static int list_touching(hf_sim *sim, const hf_island *island, double *fastest)
{
    hf_switch *own = hf_switch_of(sim);
    hf_element *elements = hf_switch_island(sim, island);
    int rows = 0;
    own->listed = 0;
    *fastest = 0.0;
    for (int i = 0; i < island->force_count; ++i) {
        hf_element *e = &elements[i];
        bool stop = e->kind == HF_ELEMENT_STOP, contact = e->kind == HF_ELEMENT_CONTACT;
        // Only what touches
        if (!(stop && stop_touches(sim, e)) && !(contact && contact_touches(sim, e))) {
            continue;
        }
        // As an item of the impact: a one-sided impulse, or a cone
        hf_mixed_item item = {.row = rows, .dim = e->dim, .load = -1};
        if (stop) {
            if (!e->in_space) {
                place_at_limit(sim, e);
                e->at_limit = true;
            }
            item.low = e->wall < 0 ? -HF_STOP_NONE : 0.0;
            item.high = e->wall < 0 ? 0.0 : HF_STOP_NONE;
        } else {
            item.law = HF_MIXED_CONE;
            item.mu = hf_switch_rise(e->level, HF_FORTH, HF_REGIME_SLIP);
        }
        *fastest = fmax(*fastest, approach(sim, e));
        own->items[own->listed] = item;
        own->first[own->listed] = rows;
        own->list[own->listed++] = i;
        rows += e->dim;
    }
    return rows;
}

// Frictions that these load. Returns the rows of all.
static int list_loaded(hf_sim *sim, const hf_island *island, int rows)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    for (int i = 0; i < island->force_count; ++i) {
        const hf_element *e = &elements[i];
        int load = e->load < 0 ? -1 : hf_switch_find(own, e->load);
        if (load < 0) {
            continue;
        }
        double forth = hf_switch_rise(e->level, HF_FORTH, HF_REGIME_SLIP);
        own->items[own->listed] =
            (hf_mixed_item){.law = e->kind == HF_ELEMENT_PLANAR ? HF_MIXED_BALL : HF_MIXED_BOX,
                            .row = rows,
                            .dim = e->dim,
                            .low_rise = hf_switch_rise(e->level, HF_BACK, HF_REGIME_SLIP),
                            .high_rise = forth,
                            .rise = forth,
                            .load = load};
        own->first[own->listed] = rows;
        own->list[own->listed++] = i;
        rows += e->dim;
    }
    return rows;
}

// ------------------------------------------------------------------------------------------------
// Impulses

// own->c for a share of the restitution; push: every stop and contact approaches, however little.
static void fill_rates(hf_sim *sim, const hf_element *elements, double share, double push)
{
    hf_switch *own = hf_switch_of(sim);
    for (int i = 0; i < own->listed; ++i) {
        const hf_element *e = &elements[own->list[i]];
        for (int k = 0; k < e->dim; ++k) {
            own->c[own->first[i] + k] = hf_switch_rate(sim, e, k, sim->x);
        }
        bool spread = !isnan(e->parts);
        bool bounces = spread || e->kind == HF_ELEMENT_STOP || approach(sim, e) > 0.0;
        double restitution = bounces && !e->latched && !e->settles ? share * e->restitution : 0.0;
        if (spread) {
            own->c[own->first[i]] += hf_element_push(e) * restitution * e->parts;
        } else {
            own->c[own->first[i]] *= 1.0 + restitution;
        }
        own->c[own->first[i]] += e->kind == HF_ELEMENT_CONTACT || e->kind == HF_ELEMENT_STOP
                                     ? hf_element_push(e) * push
                                     : 0.0;
    }
}

// Energy that the impulses own->f take: p.(r- + r+)/2; relative to the size of its parts.
static double heat_of(hf_sim *sim, const hf_element *elements, int rows)
{
    hf_switch *own = hf_switch_of(sim);
    double heat = 0.0, size = 0.0;
    for (int i = 0; i < own->listed; ++i) {
        const hf_element *e = &elements[own->list[i]];
        for (int k = 0; k < e->dim; ++k) {
            int row = own->first[i] + k;
            double change = 0.0, rate = hf_switch_rate(sim, e, k, sim->x);
            for (int j = 0; j < rows; ++j) {
                change += own->w[row * rows + j] * own->f[j];
            }
            heat += own->f[row] * (rate - 0.5 * change);
            size += fabs(own->f[row]) * (fabs(rate) + 0.5 * fabs(change));
        }
    }
    return size > 0.0 ? heat / size : 0.0;
}

// Impulses with as much of the restitution as gains no energy.
static bool find_impulses(hf_sim *sim, const hf_element *elements, int rows, double push)
{
    hf_switch *own = hf_switch_of(sim);
    double good = 0.0, bad = 1.0;
    fill_rates(sim, elements, 1.0, push);
    if (hf_switch_solve(own, rows) && heat_of(sim, elements, rows) >= -ENERGY_ROUNDING) {
        return true;
    }
    for (int k = 0; k < HALVINGS; ++k) {
        double middle = 0.5 * (good + bad);
        fill_rates(sim, elements, middle, push);
        bool gains = !hf_switch_solve(own, rows) || heat_of(sim, elements, rows) < -ENERGY_ROUNDING;
        bad = gains ? middle : bad;
        good = gains ? good : middle;
    }
    fill_rates(sim, elements, good, push);
    return hf_switch_solve(own, rows);
}

// The mean of the rates before and after says nothing of one contact in a row of blows that spread:
// only their heat together is known. Each has its share by its impulse.
static void share_heat(const hf_switch *own, const hf_element *elements, double heat, double *work)
{
    double size = 0.0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < own->listed; ++i) {
            const hf_element *e = &elements[own->list[i]];
            double impulse = isnan(e->parts) ? 0.0 : fabs(own->f[own->first[i]]);
            if (pass == 0) {
                size += impulse;
            } else if (size > 0.0) {
                work[e->force] += impulse / size * heat;
            }
        }
    }
}

// Applies them; each turns p (r- + r+)/2 into heat.
static double apply_impulses(hf_sim *sim, const hf_island *island, double fastest)
{
    const hf_model *model = sim->model;
    hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    double *work = sim->x + model->nq + model->nv + model->ny, shared = 0.0;
    for (int half = 0; half < 2; ++half) {
        for (int i = 0; i < own->listed; ++i) {
            const hf_element *e = &elements[own->list[i]];
            for (int k = 0; k < e->dim; ++k) {
                double rate = hf_switch_rate(sim, e, k, sim->x);
                bool spread = k == 0 && !isnan(e->parts);
                fastest = fmax(fastest, fabs(rate));
                *(spread ? &shared : &work[e->force]) += 0.5 * own->f[own->first[i] + k] * rate;
            }
        }
        if (half == 0) {
            hf_switch_respond(sim, island, sim->x, &sim->x[model->n - 1], false);
            sim->x[model->n - 1] += hf_points_belt_power(sim, island);
            for (int i = 0; i < model->nv; ++i) {
                sim->x[model->nq + i] += sim->response[i];
            }
            hf_switch_look(sim, sim->x);
        }
    }
    share_heat(own, elements, shared, work);
    return fastest;
}

// ------------------------------------------------------------------------------------------------
// After an impact

static void rest(hf_sim *sim, hf_element *e, double rounding)
{
    double across[3] = {hf_switch_rate(sim, e, 1, sim->x), hf_switch_rate(sim, e, 2, sim->x), 0.0};
    bool still = hf_length3(2, across) <= fmax(rounding, hf_switch_of(sim)->shift);
    e->candidate = true;
    e->mode = 0;
    if (!still || hf_level_is_zero(e->level)) {
        hf_element_go(e, across, -INFINITY);
    }
}

static void sort_contact(hf_sim *sim, hf_element *e, double rounding)
{
    if (hf_switch_rate(sim, e, 0, sim->x) <= rounding) {
        rest(sim, e, rounding);
        return;
    }
    e->candidate = false;
    e->mode = HF_CONTACT_OPEN;
    e->allowance = HF_SWITCH_REBOUND * hf_switch_of(sim)->margin;
}

// Whether some stop or contact of an impact leaves.
static bool some_leaves(const hf_sim *sim, const hf_island *island)
{
    const hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    bool leaves = false;
    for (int i = 0; i < own->listed; ++i) {
        const hf_element *e = &elements[own->list[i]];
        leaves = leaves || (!hf_element_is_friction(e) && !hf_element_holds(e));
    }
    return leaves;
}

// Accelerations of the present modes, in sim->k; the evaluations are none of the integrator's.
static void accelerate_now(hf_sim *sim)
{
    double t = sim->core->time;
    long long before = sim->core->stats.evaluations;
    hf_sim_eval(sim, t, HF_SIDE_RIGHT, 0.0, sim->x, sim->k);
    hf_switch_stick(sim, t, HF_SIDE_RIGHT, sim->x, sim->k);
    hf_switch_accelerate(sim, t, HF_SIDE_RIGHT, sim->x, sim->k);
    sim->core->stats.observations += sim->core->stats.evaluations - before;
    sim->core->stats.evaluations = before;
    sim->fresh = false;
}

// Whether a stop or contact that leaves, with accelerations in sim->k, rises no more than this.
static bool falls_back(const hf_sim *sim, const hf_element *e, double rise)
{
    double t = sim->core->time, rate = hf_switch_rate(sim, e, 0, sim->x);
    double pull = hf_switch_acceleration(sim, e, 0, t, HF_SIDE_RIGHT, sim->k) *
                  (e->kind == HF_ELEMENT_STOP ? (double)e->wall : -1.0);
    return pull > 0.0 && rate * rate <= 2.0 * pull * rise;
}

// Stops and contacts that leave, but would not even rise above the margin: bounces accumulate, and
// they rest. What pulls them back are all forces, those of contacts that rest already among them.
// Among these are stops at rest that the impact of another one pulled open. True: a stop rests.
static bool end_bounces(hf_sim *sim, const hf_island *island, double rounding)
{
    hf_switch *own = hf_switch_of(sim);
    hf_element *elements = hf_switch_island(sim, island);
    int listed = own->listed;
    bool stops = false;
    // Accelerations after the impact
    memcpy(own->side, own->list, (size_t)listed * sizeof *own->side);
    accelerate_now(sim);
    // What would rise by less than the margin stays
    for (int i = 0; i < listed; ++i) {
        hf_element *e = &elements[own->side[i]];
        if (hf_element_is_friction(e) || hf_element_holds(e)) {
            continue;
        }
        bool stop = e->kind == HF_ELEMENT_STOP;
        // A latched one that another's impact throws off is no bounce of its own
        bool dies = falls_back(sim, e, (e->latched ? LATCHED_RISE : 1.0) * own->margin);
        if (!dies && !(e->latched && e->struck)) {
            continue;
        }
        sim->core->stats.chatter_events += e->latched || e->candidate ? 0 : 1;
        if (stop) {
            e->candidate = true;
            e->mode = 0;
            stops = true;
        } else {
            rest(sim, e, rounding);
        }
    }
    return stops;
}

// Locked brakes slip where their wheels land, and throw them off again until they lock: hops that
// die away, and end below the margin, where nothing sees them land. When a friction stops, contacts
// that left within the margin and would rise no more than it does not leave.
bool hf_switch_end_hops(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    bool ended = false;
    hf_switch_look(sim, sim->x);
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        bool near = e->kind == HF_ELEMENT_CONTACT && e->part == 0 && !e->off &&
                    (!e->slot || e->point.used) && e->mode == HF_CONTACT_OPEN &&
                    e->allowance > 0.0 && fabs(sim->gap[e->row]) <= own->margin;
        if (near && !ended) {
            accelerate_now(sim);
            hf_switch_look(sim, sim->x);
        }
        if (near && falls_back(sim, e, own->margin)) {
            rest(sim, e, 0.0);
            sim->core->stats.chatter_events += 1;
            ended = true;
        }
    }
    for (int i = 0; i < sim->model->exact.count && ended; ++i) {
        (void)hf_switch_settle(sim, &own->islands[i]);
    }
    return ended;
}

// Frictions of what a stop brings to rest: they had the rate of its rebound, and rest too.
static void stop_with_it(hf_sim *sim, const hf_island *island, double rounding)
{
    hf_element *elements = hf_switch_island(sim, island);
    hf_switch_look(sim, sim->x);
    for (int i = 0; i < island->force_count; ++i) {
        hf_element *e = &elements[i];
        if (e->kind == HF_ELEMENT_FRICTION && e->mode != 0 &&
            fabs(hf_switch_rate(sim, e, 0, sim->x)) <= rounding) {
            hf_switch_stop(sim, e, sim->x);
            hf_switch_sort(sim, e);
        }
    }
}

// Rates that an impact left within rounding of zero are zero; the others have their signs.
static void sort_after(hf_sim *sim, const hf_island *island, double rounding)
{
    hf_switch *own = hf_switch_of(sim);
    hf_element *elements = hf_switch_island(sim, island);
    // Each by its rate after the impact
    for (int i = 0; i < island->force_count; ++i) {
        hf_element *e = &elements[i];
        e->settles = false;
        if (e->kind == HF_ELEMENT_CONTACT) {
            if (hf_switch_find(own, i) >= 0) {
                sort_contact(sim, e, rounding);
            } else {
                e->candidate = hf_element_holds(e);
            }
            continue;
        }
        double size = 0.0;
        for (int k = 0; k < e->dim; ++k) {
            size = fmax(size, fabs(hf_switch_rate(sim, e, k, sim->x)));
        }
        if (size <= rounding) {
            hf_switch_stop(sim, e, sim->x);
        }
        hf_switch_sort(sim, e);
    }
    // What no longer holds is let go; bounces that have died away end
    hf_switch_release(sim, island);
    if (some_leaves(sim, island) && end_bounces(sim, island, rounding)) {
        hf_switch_settle_rates(sim, island);
        stop_with_it(sim, island, rounding);
    }
    for (int i = 0; i < island->force_count; ++i) { // what is pressed after all
        hf_element *e = &elements[i];
        if (e->load >= 0 && !e->candidate && elements[e->load].candidate) {
            hf_switch_sort(sim, e);
        }
    }
    (void)hf_switch_settle(sim, island);
}

// Frictions of an impact, this many times as large.
static void scale_frictions(hf_switch *own, double factor)
{
    for (int i = 0; i < own->listed; ++i) {
        hf_mixed_item *item = &own->items[i];
        item->mu *= factor;
        item->rise *= factor;
        item->low_rise *= factor;
        item->high_rise *= factor;
    }
}

// jam: an impact without collision, with so many times the friction; 0: of what approaches.
static hf_status strike_island(hf_sim *sim, const hf_island *island, double jam, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    hf_element *elements = hf_switch_island(sim, island);
    double fastest = 0.0;
    // What touches and approaches
    hf_switch_look(sim, sim->x);
    int rows = list_touching(sim, island, &fastest);
    bool jams = jam > 0.0;
    close_around(sim, island);
    if (rows == 0 || (!(fastest > 0.0) && !jams)) {
        return HF_OK;
    }
    for (int i = 0; i < own->listed; ++i) {
        hf_element *e = &elements[own->list[i]];
        e->struck = approach(sim, e) > 0.0;
        e->touches = true;
    }
    // In their places to the last digit; then with what they load
    hf_switch_settle_gaps(sim, island);
    rows = list_touching(sim, island, &fastest);
    close_around(sim, island);
    rows = list_loaded(sim, island, rows);
    if (jams) {
        scale_frictions(own, jam);
    }
    for (int i = 0; i < own->listed && jams; ++i) {
        const hf_element *e = &elements[own->list[i]];
        for (int k = 0; k < e->dim; ++k) {
            fastest = fmax(fastest, fabs(hf_switch_rate(sim, e, k, sim->x)));
        }
    }
    rows = hf_switch_list_borne(sim, island, rows);
    // Impulses, with loads that agree with them
    hf_switch_fill_w(sim, island, sim->x);
    hf_switch_spread(sim, elements, rows, jams ? 0.0 : fastest);
    bool solved = true;
    do {
        hf_switch_bear(sim, island);
        solved = find_impulses(sim, elements, rows, jams ? PUSH * fastest : 0.0);
    } while (solved && !hf_switch_is_borne(sim, island));
    HF_TRY(hf_loads_check(sim, sim->core->time, error));
    if (!solved) {
        return hf_error_at(error, HF_ERROR_CONVERGENCE,
                           hf_at_time(sim->core->time, NULL,
                                      sim->model->forces[elements[own->list[0]].force].name),
                           "the impact at '%s' and %d others could not be solved",
                           sim->model->forces[elements[own->list[0]].force].name, own->listed - 1);
    }
    // Velocities after it, and modes that follow from them
    fastest = apply_impulses(sim, island, fastest);
    sort_after(sim, island, (jams ? JAM_ROUNDING : IMPACT_ROUNDING) * fastest);
    return HF_OK;
}

hf_status hf_switch_strike(hf_sim *sim, hf_error *error)
{
    for (int i = 0; i < sim->model->exact.count; ++i) {
        HF_TRY(strike_island(sim, &hf_switch_of(sim)->islands[i], 0.0, error));
    }
    return HF_OK;
}

hf_status hf_switch_jam(hf_sim *sim, int island, bool felt, hf_error *error)
{
    return strike_island(sim, &hf_switch_of(sim)->islands[island], felt ? JAM_FRICTION : 1.0,
                         error);
}

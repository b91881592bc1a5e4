// SPDX-License-Identifier: Apache-2.0
// Redundant forces: what several frictions, stops and contacts hold together.
//
// Which of them hold, and whether anything moves, is one answer; how they share is not. Shares are
// chosen so that nothing is called slipping that does not move: break-away is where no shares
// within all bounds are left. In stick they go with the levels (switch_stick.c), which for
// frictions on one coordinate reaches all bounds at once, at the sum of the static levels. Where
// that is beyond a bound in another arrangement, the least part of all bounds that holds the same
// is looked for: all are then as far from their bounds as can be.
#include <math.h>
#include <string.h>

#include "methods/switch/switch.h"
#include "methods/switch/switch_loads.h"
#include "solvers/small/least_norm.h"

// A friction that sticks within this part of its bound may be one that others could help.
#define AT_REST 1e-6
// Halvings of the share: next to a contact's bound, where each is a problem of cones; of frictions
// whose levels are known.
enum { EASINGS = 28, LEVEL_EASINGS = 24 };
// Where contacts hold what frictions on coordinates hold too, how well the share is found: as a
// part of the room that it leaves.
#define ROUGHLY 0.1
// How often a share is made larger before it is all.
enum { LOADED_EASINGS = 6 };
// Redundant forces are shared out anew when one is within this many margins of its bound.
#define NEAR 4.0
// A contact that sticks beside others that slide is well within its cone by this part of it.
#define WELL_WITHIN 0.01

double hf_switch_radius(const hf_switch *own, const hf_mixed_item *item)
{
    if (item->law == HF_MIXED_CONE) {
        return -item->mu * own->f[item->row];
    }
    double load = item->load < 0 ? 0.0 : fabs(own->f[own->items[item->load].row]);
    return item->radius + item->rise * load;
}

double hf_switch_largest_force(const hf_switch *own, int rows)
{
    double scale = 0.0;
    for (int i = 0; i < rows; ++i) {
        scale = fmax(scale, fabs(own->f[i]));
    }
    return scale;
}

void hf_switch_find_redundance(hf_switch *own, int rows)
{
    own->solved_rows = rows;
    own->redundant = false;
    if (!own->follows) { // where W is symmetric
        memcpy(own->copy, own->w, (size_t)rows * (size_t)rows * sizeof *own->copy);
        own->redundant = hf_least_norm_factorize(rows, own->copy, own->work) < rows;
    }
}

bool hf_switch_item_rests(const hf_switch *own, const hf_mixed_item *item)
{
    int n = own->solved_rows;
    bool rests = own->redundant;
    for (int row = item->row; row < item->row + item->dim && rests; ++row) {
        const double *line = own->w + row * n;
        double a = own->c[row], size = fabs(a);
        for (int j = 0; j < n; ++j) {
            a -= line[j] * own->f[j];
            size += fabs(line[j] * own->f[j]);
        }
        rests = fabs(a) <= HF_SWITCH_AT_BOUND * size;
    }
    return rests;
}

// ------------------------------------------------------------------------------------------------
// As far from all bounds as can be

// Whether an item's friction sticks, and how near to its bound: its part of the radius.
static bool sticks(const hf_switch *own, const hf_mixed_item *item, double scale, double *part)
{
    bool cone = item->law == HF_MIXED_CONE;
    if (item->law == HF_MIXED_BOX) {
        double load = item->load < 0 ? 0.0 : fabs(own->f[own->items[item->load].row]);
        double f = own->f[item->row];
        double bound =
            f > 0.0 ? item->high + item->high_rise * load : -item->low + item->low_rise * load;
        *part = f != 0.0 ? fabs(f) / bound : 0.0;
        return hf_switch_item_rests(own, item);
    }
    if (!cone && item->law != HF_MIXED_BALL) {
        return false;
    }
    double radius = hf_switch_radius(own, item);
    double size = hf_length3(cone ? 2 : item->dim, own->ahead + item->row + (cone ? 1 : 0));
    *part = radius > 0.0 ? size / radius : 1.0;
    return radius > HF_SWITCH_NOTHING * scale &&
           (size <= radius * (1.0 + HF_SWITCH_AT_BOUND) + HF_SWITCH_NOTHING * scale ||
            hf_switch_item_rests(own, item));
}

// Bounds of the frictions that are marked in own->rows: a share of what they can hold.
static void set_bounds(hf_sim *sim, const hf_element *elements, double share)
{
    hf_switch *own = hf_switch_of(sim);
    for (int i = 0; i < own->listed; ++i) {
        hf_mixed_item *item = &own->items[i];
        hf_mixed_item full = hf_switch_rest_item(sim, &elements[own->list[i]]);
        if (own->rows[i] != 0) {
            item->mu = share * full.mu;
            item->radius = share * full.radius;
            item->rise = share * full.rise;
            item->low = share * full.low;
            item->high = share * full.high;
            item->low_rise = share * full.low_rise;
            item->high_rise = share * full.high_rise;
        }
    }
}

// The mean push of the contacts at rest.
static double mean_push(const hf_switch *own)
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < own->listed; ++i) {
        bool cone = own->items[i].law == HF_MIXED_CONE;
        sum += cone ? fmax(0.0, -own->f[own->items[i].row]) : 0.0;
        count += cone ? 1 : 0;
    }
    return count > 0 ? sum / count : 0.0;
}

// Solves with a share of what the frictions marked can hold. True: they stick nevertheless. Forces
// that are looked for push with the rest of `mean` at least: bounds of pushes are bounds too.
static bool hold_with(hf_sim *sim, const hf_element *elements, int rows, double share, double mean)
{
    hf_switch *own = hf_switch_of(sim);
    double part = 0.0;
    set_bounds(sim, elements, share);
    own->lift = (1.0 - share) * mean;
    bool held = hf_switch_solve_rest(own, elements, rows);
    own->lift = 0.0;
    double scale = hf_switch_largest_force(own, rows);
    for (int i = 0; i < own->listed && held; ++i) {
        held = own->rows[i] == 0 || sticks(own, &own->items[i], scale, &part);
    }
    return held;
}

bool hf_switch_ease(hf_sim *sim, hf_element *elements, int rows, bool boxes, bool always)
{
    hf_switch *own = hf_switch_of(sim);
    double scale = hf_switch_largest_force(own, rows), most = 0.0;
    int cones = 0;
    // Which are held, and how near the nearest is to its bound
    for (int i = 0; i < own->listed; ++i) {
        double part = 0.0;
        const hf_element *e = &elements[own->list[i]];
        bool box = own->items[i].law == HF_MIXED_BOX;
        bool taken = box ? boxes && e->kind == HF_ELEMENT_FRICTION : true;
        bool held =
            taken && e->candidate && !e->forced && sticks(own, &own->items[i], scale, &part);
        own->rows[i] = held ? 1 : 0;
        most = held ? fmax(most, part) : most;
        cones += own->items[i].law == HF_MIXED_CONE ? 1 : 0;
    }
    if (!always && most < 1.0 - AT_REST) {
        return true;
    }
    // The smallest share of their bounds that still holds all, by halving
    double high = 1.0, low = 0.0, mean = mean_push(own);
    bool tight = own->tight, roughly = !always && boxes;
    int most_halvings = cones > 0 ? EASINGS : LEVEL_EASINGS;
    for (int k = 0; k < most_halvings && !(roughly && high - low <= ROUGHLY * (1.0 - high)); ++k) {
        double middle = 0.5 * (low + high);
        bool held = hold_with(sim, elements, rows, middle, mean);
        tight = tight || own->tight;
        high = held ? middle : high;
        low = held ? low : middle;
    }
    // Where forces were looked for, half way to that: the least of them are even ones there
    bool held = hold_with(sim, elements, rows, tight ? 0.5 * (1.0 + high) : high, mean);
    set_bounds(sim, elements, 1.0);
    for (int i = 0; i < own->listed && held && own->even; ++i) {
        elements[own->list[i]].share = own->rows[i] != 0 ? high : 1.0;
    }
    return held;
}

// Solves with loads of the present shares. True: those that have one hold.
static bool hold_loaded(hf_sim *sim, const hf_switch_place *place, const hf_island *island)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_element *elements = hf_switch_island(sim, island);
    hf_error unseen; // of a jam, which other shares may not have
    bool held = hf_switch_find_loads(sim, place, &unseen) == HF_OK;
    hf_sim_eval(sim, place->t, place->side, 0.0, place->x, place->dx);
    hf_switch_accelerate(sim, place->t, place->side, place->x, place->dx);
    int candidates = 0, rows = hf_switch_list_candidates(sim, island, place, &candidates);
    hf_switch_fill_w(sim, island, place->x);
    held = hf_switch_solve(own, rows) && held;
    hf_switch_find_redundance(own, rows);
    double scale = hf_switch_largest_force(own, rows), part = 0.0;
    for (int i = 0; i < own->listed && held; ++i) {
        held = elements[own->list[i]].share == 1.0 || sticks(own, &own->items[i], scale, &part);
    }
    return held;
}

bool hf_switch_ease_loads(hf_sim *sim, const hf_switch_place *place, const hf_island *island)
{
    hf_switch *own = hf_switch_of(sim);
    hf_element *elements = hf_switch_island(sim, island);
    double share = 1.0;
    for (int i = 0; i < island->force_count; ++i) {
        share = fmin(share, elements[i].share);
    }
    if (share == 1.0) {
        return true;
    }
    // That share, or a larger one where the loads that it brings hold less
    bool held = hold_loaded(sim, place, island);
    for (int k = 0; k < LOADED_EASINGS && !held; ++k) {
        double next = k + 1 < LOADED_EASINGS ? 0.5 * (1.0 + share) : 1.0;
        for (int i = 0; i < island->force_count; ++i) {
            elements[i].share = elements[i].share == share ? next : elements[i].share;
        }
        share = next;
        held = hold_loaded(sim, place, island);
    }
    // Modes are taken by the whole bounds
    for (int i = 0; i < island->force_count; ++i) {
        elements[i].share = 1.0;
    }
    for (int i = 0; i < own->listed; ++i) {
        hf_mixed_item *item = &own->items[i];
        hf_mixed_item full = hf_switch_rest_item(sim, &elements[own->list[i]]);
        full.row = item->row;
        full.load = item->load;
        *item = elements[own->list[i]].candidate ? full : *item;
    }
    return held;
}

// ------------------------------------------------------------------------------------------------
// In stick

// Whether a friction that shares with others is at its bound, or so near that it will be.
static bool is_short(const hf_sim *sim, const hf_element *e)
{
    return e->shared && hf_element_is_friction(e) && e->mode == 0 && !e->latched &&
           hf_element_room(e) < NEAR * hf_switch_force_margin(sim, e);
}

// Shares of one island's frictions that are as far from their bounds as can be, from now on.
static void even_out_island(hf_sim *sim, const hf_switch_place *place, const hf_island *island)
{
    hf_switch *own = hf_switch_of(sim);
    hf_element *elements = hf_switch_island(sim, island);
    int candidates = 0;
    for (int i = 0; i < island->force_count; ++i) {
        elements[i].candidate = hf_element_holds(&elements[i]);
    }
    hf_sim_eval(sim, place->t, place->side, 0.0, place->x, place->dx);
    hf_switch_accelerate(sim, place->t, place->side, place->x, place->dx);
    int rows = hf_switch_list_candidates(sim, island, place, &candidates);
    hf_switch_fill_w(sim, island, place->x);
    bool solved = hf_switch_solve(own, rows);
    hf_switch_find_redundance(own, rows);
    bool eased = solved && hf_switch_ease(sim, elements, rows, true, true);
    for (int i = 0; i < own->listed; ++i) {
        hf_element *e = &elements[own->list[i]];
        if (eased) {
            memcpy(e->base, own->f + own->items[i].row, (size_t)e->dim * sizeof *e->base);
        }
    }
    for (int i = 0; i < island->force_count; ++i) {
        elements[i].candidate = false;
    }
}

bool hf_switch_even_out(hf_sim *sim, const hf_switch_place *place)
{
    hf_switch *own = hf_switch_of(sim);
    bool evened = false;
    for (int i = 0; i < sim->model->exact.count; ++i) {
        const hf_island *island = &own->islands[i];
        const hf_element *elements = hf_switch_island(sim, island);
        bool asked = false, contact = false;
        for (int k = 0; k < island->force_count; ++k) {
            asked = asked || is_short(sim, &elements[k]);
            contact = contact ||
                      (elements[k].kind == HF_ELEMENT_CONTACT && hf_element_holds(&elements[k]));
        }
        if (asked && !contact && !own->follows) {
            even_out_island(sim, place, island);
            evened = true;
        }
    }
    return evened;
}

// ------------------------------------------------------------------------------------------------
// In slip

// Whether what holds in an island are contacts, of which some slide, and more than it needs.
static bool slides_redundantly(const hf_element *elements, const hf_island *island)
{
    bool contacts = true, slide = false, shared = false;
    for (int i = 0; i < island->force_count; ++i) {
        const hf_element *e = &elements[i];
        if (hf_element_holds(e)) {
            contacts = contacts && e->kind == HF_ELEMENT_CONTACT;
            slide = slide || e->mode == 1;
            shared = shared || e->shared;
        }
    }
    return contacts && slide && shared;
}

// Whether all contacts of an island push, and those that stick are within their cones, at the last
// evaluation.
static bool all_push(const hf_sim *sim, const hf_element *elements, const hf_island *island)
{
    bool push = true;
    for (int i = 0; i < island->force_count && push; ++i) {
        const hf_element *e = &elements[i];
        double margin = NEAR * hf_switch_force_margin(sim, e);
        double within = WELL_WITHIN * -e->high * e->held[0];
        push = !hf_element_holds(e) ||
               (-e->held[0] > margin && (e->mode != 0 || hf_element_room(e) > within));
    }
    return push;
}

// While redundant contacts slide, their friction goes with the load that each has, and the share of
// the moment at which modes were decided is none that they keep: the least forces are taken at
// every moment (base 0), as long as all push with them where this begins.
void hf_switch_slide_anew(hf_sim *sim, const hf_switch_place *place, bool first)
{
    hf_switch *own = hf_switch_of(sim);
    for (int i = 0; i < own->count && first && !own->even; ++i) {
        hf_element *e = &own->elements[i];
        memcpy(e->spare_base, e->base, sizeof e->base);
    }
    for (int i = 0; i < sim->model->exact.count && !own->even; ++i) {
        const hf_island *island = &own->islands[i];
        hf_element *elements = hf_switch_island(sim, island);
        if (!slides_redundantly(elements, island)) {
            continue;
        }
        // With no forces to begin with, or those of before
        for (int k = 0; k < island->force_count; ++k) {
            memset(elements[k].base, 0, sizeof elements[k].base);
        }
        hf_sim_eval(sim, place->t, place->side, 0.0, place->x, place->dx);
        hf_switch_stick(sim, place->t, place->side, place->x, place->dx);
        if (all_push(sim, elements, island)) {
            continue;
        }
        for (int k = 0; k < island->force_count; ++k) {
            memcpy(elements[k].base, elements[k].spare_base, sizeof elements[k].base);
        }
        hf_sim_eval(sim, place->t, place->side, 0.0, place->x, place->dx);
        hf_switch_stick(sim, place->t, place->side, place->x, place->dx);
    }
}

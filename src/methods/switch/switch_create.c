// SPDX-License-Identifier: Apache-2.0
// HF_METHOD_SWITCH: creation.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/carve.h"
#include "base/error.h"
#include "compile/slots.h"
#include "methods/adaptive/law_switches.h"
#include "methods/switch/switch.h"
#include "solvers/small/box_lcp.h"
#include "solvers/small/least_norm.h"

// A margin of this many absolute tolerances for rates: [Farhat2010] (9), above what the integrator
// errs.
#define RATE_MARGIN 10.0
// Of points between shapes, whose places are differences of large numbers, gaps below this part of
// the absolute tolerance are rounding.
#define SETTLED 1e-3
// The shift of slips in a plane: one absolute tolerance, and at least this [m/s or rad/s].
#define LEAST_SHIFT 1e-13

// ------------------------------------------------------------------------------------------------
// What it takes

// Whether a force's level is in proportion to one that is solved for.
static bool is_loaded(const hf_model *model, const hf_force_place *force)
{
    if (force->exact != HF_EXACT_FRICTION || force->normal_force < 0) {
        return false;
    }
    hf_law_exact exact = model->forces[force->normal_force].exact;
    return (exact == HF_EXACT_STOP || exact == HF_EXACT_CONTACT) &&
           ((const hf_coulomb_def *)force->def)->level.per_normal;
}

// Whether a body copies another's motion.
static bool follows(const hf_model *model, hf_body body)
{
    const hf_body_place *place = body.id == 0 ? NULL : &model->bodies[body.id - 1];
    int drive = place != NULL && place->nv > 0 ? model->drive_at[place->v] : -1;
    return drive >= 0 && model->drives[drive].follow_q >= 0;
}

static bool is_on_follower(const hf_model *model, const hf_force_place *force)
{
    hf_frame ends[HF_COUPLING_MAX_TERMS];
    int count = force->ops->ends(&force->coupling_def, ends);
    bool some = false;
    for (int i = 0; i < force->coupling_def.member_count; ++i) {
        some = some || follows(model, force->coupling_def.members[i]);
    }
    for (int i = 0; i < count; ++i) {
        some = some || follows(model, ends[i].body);
    }
    return some;
}

static hf_element make_element(const hf_model *model, int index)
{
    const hf_force_place *force = &model->forces[index];
    hf_coupling_term terms[HF_COUPLING_MAX_TERMS];
    bool slot = hf_force_slots(model, force) > 0;
    int count = slot ? 0 : hf_force_difference(force, 0, terms);
    // Open or sliding until modes are decided
    hf_element e = {.force = index,
                    .row = force->row,
                    .dim = force->dim,
                    .in_space = count == 0,
                    .slot = slot,
                    .on_v = -1,
                    .to_v = -1,
                    .load = -1,
                    .felt = 1.0,
                    .share = 1.0,
                    .burst = -INFINITY,
                    .latched_at = -INFINITY};
    // Coordinates that it ties
    if (!e.in_space) {
        bool pair = count == 2;
        e.on_q = terms[0].q;
        e.on_v = terms[0].v;
        e.on_driven = model->drive_at[e.on_v] >= 0;
        e.to_q = pair ? terms[1].q : -1;
        e.to_v = pair ? terms[1].v : -1;
        e.to_driven = pair && model->drive_at[e.to_v] >= 0;
    }
    // By kind of law
    if (force->exact == HF_EXACT_STOP) {
        e.kind = HF_ELEMENT_STOP;
        e.stop = force->def;
        e.restitution = e.stop->restitution;
    } else if (force->exact == HF_EXACT_CONTACT) {
        const hf_rigid_contact_def *def = force->def;
        e.kind = HF_ELEMENT_CONTACT;
        e.dim = 3;
        e.level = &def->friction;
        e.restitution = def->restitution;
        e.mode = HF_CONTACT_OPEN;
    } else {
        e.kind = force->dim == 1 ? HF_ELEMENT_FRICTION : HF_ELEMENT_PLANAR;
        e.level = &((const hf_coulomb_def *)force->def)->level;
    }
    return e;
}

// The level of a part of a contact: its friction of spin (1) or of rolling (2); NULL: there is
// none. Where surfaces have their own, each point gets it from them.
static const hf_level *part_level(const hf_model *model, const hf_force_place *force, int part)
{
    const hf_rigid_contact_def *def = force->def;
    bool own = hf_force_slots(model, force) > 0 && model->surfaces_turn;
    bool turns = force->dim >= 6 || (force->dim == 0 && force->coupling_def.turning);
    if (force->exact != HF_EXACT_CONTACT || !(turns || own)) {
        return NULL;
    }
    const hf_level *level = part == 1 ? &def->spin_friction : &def->rolling_friction;
    return hf_level_is_zero(level) && !own ? NULL : level;
}

// Friction of spin or rolling, which the contact before it loads.
static hf_element make_part(const hf_element *contact, int part, const hf_level *level)
{
    hf_element e = *contact;
    e.kind = part == 1 ? HF_ELEMENT_FRICTION : HF_ELEMENT_PLANAR;
    e.part = part;
    e.row = contact->row + (part == 1 ? 3 : 4);
    e.dim = part;
    e.level = level;
    e.restitution = 0.0;
    e.mode = 1;
    return e;
}

// Elements of an exact force.
static int count_elements(const hf_model *model, const hf_force_place *force)
{
    int slots = hf_force_slots(model, force);
    return (slots > 0 ? slots : 1) *
           (1 + (part_level(model, force, 1) != NULL) + (part_level(model, force, 2) != NULL));
}

// A contact and its parts, or one of its points.
static void add_element(const hf_model *model, hf_switch *own, int force, int *count)
{
    int first = *count;
    own->elements[(*count)++] = make_element(model, force);
    for (int part = 1; part <= 2; ++part) {
        const hf_level *level = part_level(model, &model->forces[force], part);
        if (level != NULL) {
            own->elements[(*count)++] = make_part(&own->elements[first], part, level);
        }
    }
}

static void add_elements(const hf_model *model, hf_switch *own, int force, int *count)
{
    const hf_force_place *place = &model->forces[force];
    int first = *count, slots = hf_force_slots(model, place);
    own->by_force[force] = first;
    for (int i = 0; i < (slots > 0 ? slots : 1); ++i) {
        int at = *count;
        add_element(model, own, force, count);
        for (int k = at; k < *count && slots > 0; ++k) { // rows behind those of the forces
            own->elements[k].row += model->row_count + own->slot_rows - place->row;
            own->elements[k].at = own->placed;
            hf_switch_clear_point(&own->elements[k]);
        }
        own->slot_rows += slots > 0 ? hf_force_slot_rows(model, place) : 0;
        own->placed += slots > 0 ? 1 : 0;
    }
    own->in_space = own->in_space || own->elements[first].in_space;
    own->follows = own->follows || is_on_follower(model, place);
}

static void fill_elements(const hf_sim *sim, hf_switch *own)
{
    const hf_model *model = sim->model;
    for (int i = 0; i < model->force_count; ++i) {
        own->by_force[i] = -1;
    }
    int count = 0;
    for (int i = 0; i < model->exact.count; ++i) {
        hf_island island = model->exact.islands[i];
        int first = count;
        for (int k = 0; k < island.force_count; ++k) {
            add_elements(model, own, model->exact.forces[island.first_force + k], &count);
        }
        island.first_force = first;
        island.force_count = count - first;
        own->islands[i] = island;
    }
}

// Which stop or contact loads a friction: islands are joined over loads.
static void find_loads(const hf_sim *sim, hf_switch *own)
{
    const hf_model *model = sim->model;
    for (int i = 0; i < model->exact.count; ++i) {
        const hf_island *island = &own->islands[i];
        for (int k = 0; k < island->force_count; ++k) {
            hf_element *e = &own->elements[island->first_force + k];
            const hf_force_place *force = &model->forces[e->force];
            e->island = island->first_force;
            if (e->part == 0 && !is_loaded(model, force)) {
                continue;
            }
            int load = e->slot        ? k + island->first_force - 1
                       : e->part == 0 ? own->by_force[force->normal_force]
                                      : own->by_force[e->force];
            while (e->slot && own->elements[load].part != 0) { // its own contact
                --load;
            }
            e->load = load - island->first_force;
            HF_ASSERT(e->load >= 0 && e->load < island->force_count);
        }
    }
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void lay_out(const hf_model *model, hf_switch *own, hf_integrator *integrator, hf_carver *c)
{
    size_t n = (size_t)model->n, count = (size_t)own->count, rows = (size_t)model->exact.largest;
    size_t all = (size_t)model->row_count + (size_t)hf_model_slot_rows(model);
    size_t slots = (size_t)own->slots, poses = slots > 0 ? (size_t)model->pose_count : 0;
    size_t work =
        larger(larger(hf_box_lcp_work((int)rows), hf_mixed_work((int)rows)),
               larger(hf_least_norm_work((int)rows), hf_least_norm_general_work((int)rows)));
    // Elements and islands
    own->elements = hf_carve(c, count, sizeof *own->elements);
    own->islands = hf_carve(c, (size_t)model->exact.count, sizeof *own->islands);
    own->items = hf_carve(c, rows, sizeof *own->items);
    own->pose_rates = hf_carve(c, (size_t)model->pose_count, sizeof *own->pose_rates);
    own->rate = hf_carve(c, n, sizeof(double));
    own->accelerations = hf_carve(c, (size_t)model->nv, sizeof(double));
    double **by_row[] = {&own->gap_scratch, &own->rate_scratch, &own->change};
    for (size_t i = 0; i < sizeof by_row / sizeof *by_row; ++i) {
        *by_row[i] = hf_carve(c, all, sizeof(double));
    }
    // The largest island's matrix and vectors
    own->w = hf_carve_matrix(c, rows, rows, sizeof(double));
    own->copy = hf_carve_matrix(c, rows, rows, sizeof(double));
    double **vectors[] = {&own->c, &own->spare_c, &own->low, &own->high, &own->f, &own->ahead};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i) {
        *vectors[i] = hf_carve(c, rows, sizeof(double));
    }
    own->work = hf_carve(c, work, sizeof(double));
    own->hold = hf_carve(c, hf_switch_hold_work((int)rows), sizeof(double));
    own->by_force = hf_carve(c, (size_t)model->force_count, sizeof(int));
    int **integers[] = {&own->list, &own->first, &own->rows, &own->side, &own->held};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; ++i) {
        *integers[i] = hf_carve(c, rows, sizeof(int));
    }
    // Points between shapes
    own->places = hf_carve(c, slots, sizeof *own->places);
    own->found = hf_carve(c, slots, sizeof *own->found);
    own->levels = hf_carve(c, HF_CONTACT_PARTS * slots, sizeof *own->levels);
    own->looked = hf_carve(c, poses, sizeof *own->looked);
    own->reaches = hf_carve(c, poses, sizeof *own->reaches);
    own->spare = hf_carve(c, slots > 0 ? count : 0, sizeof *own->spare);
    own->spare_fallen =
        hf_carve(c, slots > 0 ? HF_ELEMENT_ROOTS * count : 0, sizeof *own->spare_fallen);
    // Ties of stuck coordinates, and the roots
    own->ties = hf_carve(c, all, sizeof *own->ties);
    own->tied = hf_carve(c, (size_t)model->nv, sizeof *own->tied);
    size_t roots = HF_ELEMENT_ROOTS * count + (size_t)hf_law_root_count(model) + HF_SWITCH_ROOTS;
    integrator->fallen = hf_carve(c, roots, sizeof(int));
    integrator->root_values = hf_carve_matrix(c, HF_ROOT_VALUES, roots, sizeof(double));
    integrator->needed = hf_carve(c, n, sizeof(bool));
}

int hf_switch_count_elements(const hf_model *model)
{
    int count = 0;
    for (int i = 0; i < model->exact.count; ++i) {
        const hf_island *island = &model->exact.islands[i];
        for (int k = 0; k < island->force_count; ++k) {
            int force = model->exact.forces[island->first_force + k];
            count += count_elements(model, &model->forces[force]);
        }
    }
    return count;
}

void hf_switch_scale(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    hf_integrator *integrator = &hf_adaptive_of(sim)->integrator;
    hf_integrator_set_atol(integrator);
    double atol = integrator->atol;
    own->shift = fmax(atol, LEAST_SHIFT);
    own->margin = RATE_MARGIN * own->shift; // a slip that is below a third of the shift has stopped
    own->settled = hf_switch_has_points(own) ? SETTLED * atol : 0.5 * DBL_EPSILON;
}

hf_status hf_switch_create(hf_sim *sim, hf_error *error)
{
    const hf_model *model = sim->model;
    hf_adaptive *adaptive = hf_adaptive_of(sim);
    hf_switch counted = {0};
    hf_carver counting = {0}, real = {0};
    // Counted, then handed out
    counted.count = hf_switch_count_elements(model);
    for (int i = 0; i < model->force_count; ++i) {
        counted.slots += hf_force_slots(model, &model->forces[i]);
    }
    (void)hf_carve(&counting, 1, sizeof(hf_switch));
    lay_out(model, &counted, &adaptive->integrator, &counting);
    char *block =
        counting.overflow ? NULL : sim->allocator.allocate(sim->allocator.context, counting.used);
    if (block == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a sim");
    }
    memset(block, 0, counting.used);
    real.base = block;
    hf_switch *own = hf_carve(&real, 1, sizeof *own);
    *own = counted;
    lay_out(model, own, &adaptive->integrator, &real);
    // What the integrator asks of it
    adaptive->exact = own;
    adaptive->integrator.root_count += HF_ELEMENT_ROOTS * own->count + HF_SWITCH_ROOTS;
    adaptive->integrator.late_roots = HF_SWITCH_ROOTS;
    adaptive->integrator.roots = hf_switch_roots;
    adaptive->integrator.finish = hf_switch_stick;
    adaptive->integrator.place = hf_switch_place_at;
    sim->exact_contacts = true;
    // Margins, elements and their loads
    hf_switch_scale(sim);
    own->stalled = -1;
    fill_elements(sim, own);
    for (int i = 0; i < own->count; ++i) {
        adaptive->integrator.wants_stiff = adaptive->integrator.wants_stiff ||
                                           own->elements[i].kind == HF_ELEMENT_PLANAR ||
                                           own->elements[i].kind == HF_ELEMENT_CONTACT;
        own->even =
            own->even || (sim->loads != NULL && own->elements[i].kind == HF_ELEMENT_CONTACT);
    }
    find_loads(sim, own);
    return hf_switch_has_points(own) ? hf_points_create(sim, error) : HF_OK;
}

void hf_switch_destroy(hf_sim *sim)
{
    if (hf_switch_of(sim) != NULL) {
        hf_collider_destroy(hf_switch_of(sim)->collider);
        if (hf_switch_of(sim)->first_beside != NULL) {
            sim->allocator.release(sim->allocator.context, hf_switch_of(sim)->first_beside);
        }
        sim->allocator.release(sim->allocator.context, hf_switch_of(sim));
    }
}

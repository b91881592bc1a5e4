// SPDX-License-Identifier: Apache-2.0
// HF_METHOD_SWITCH: creation, the pieces between events.
#include "adaptive/switch.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "solvers/box_lcp.h"
#include "solvers/least_norm.h"

// A margin of this many absolute tolerances for rates: 002 (9), above what the integrator errs.
#define RATE_MARGIN 10.0
// The shift of slips in a plane: one absolute tolerance, and at least this [m/s or rad/s].
#define LEAST_SHIFT 1e-13
// What holds in space may drift by this part of the margin before the integrator begins anew.
#define DRIFT 1.0
// A slip in a plane that friction would stop within this time is stiff [s].
#define SLOW_TIME 1e-3

// ------------------------------------------------------------------------------------------------
// Creation

static int driven_at(const hf_model *model, int v)
{
    for (int i = 0; v >= 0 && i < model->driven_count; ++i) {
        const hf_driven *d = &model->drivens[i];
        if (v >= d->v && v < d->v + d->dim) {
            return i;
        }
    }
    return -1;
}

static hf_status check_normal(const hf_model *model, const hf_force_place *force, hf_error *error)
{
    const hf_force_place *normal =
        force->normal_force < 0 ? NULL : &model->forces[force->normal_force];
    if (normal != NULL && normal->law == HF_LAW_COULOMB) {
        return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                            "force '%s': its normal force is that of friction '%s', which in stick "
                            "is found at the same time as it; method switch does that for the "
                            "force of a stop or contact, discrete for every friction",
                            force->name, normal->name);
    }
    return HF_OK;
}

// Whether a force's level is in proportion to one that is solved for.
static bool is_loaded(const hf_model *model, const hf_force_place *force)
{
    if (force->law != HF_LAW_COULOMB || force->normal_force < 0) {
        return false;
    }
    hf_law_type law = model->forces[force->normal_force].law;
    return (law == HF_LAW_STOP || law == HF_LAW_RIGID_CONTACT) &&
           ((const hf_coulomb_def *)force->def)->level.per_normal;
}

// A body that copies another's motion accelerates as that one does, which is found last.
static bool follows(const hf_model *model, hf_body body)
{
    const hf_body_place *place = body.id == 0 ? NULL : &model->bodies[body.id - 1];
    return place != NULL && place->type == HF_BODY_DRIVEN &&
           model->drivens[place->index].follow_q >= 0;
}

static hf_status check_force(const hf_model *model, const hf_force_place *force, hf_error *error)
{
    hf_unit units[2];
    const hf_coupling_def *coupling = &force->coupling_def;
    bool coordinate = coupling->type == HF_COUPLING_COORDINATE;
    if (follows(model, coordinate ? coupling->on_coordinate.body : coupling->on_frame.body) ||
        follows(model, coordinate ? coupling->to_coordinate.body : coupling->to_frame.body)) {
        return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                            "force '%s': it acts on a driven body that follows a coordinate, which "
                            "method switch does not take; discrete does",
                            force->name);
    }
    bool contact = force->law == HF_LAW_RIGID_CONTACT;
    if (contact && force->dim != 3) {
        return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                            "force '%s': method switch takes law 'rigid-contact' %s; rk4 and "
                            "adaptive do",
                            force->name,
                            force->dim == 0 ? "between two bodies, not among many"
                                            : "without friction of spin and rolling");
    }
    if (force->law == HF_LAW_STOP &&
        (force->coupling != HF_COUPLING_COORDINATE || force->dim != 1)) {
        return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                            "force '%s': method switch takes law 'stop' on one coordinate or on "
                            "the difference of two",
                            force->name);
    }
    HF_TRY(check_normal(model, force, error));
    return hf_force_units(model, force, units) > 0
               ? HF_OK
               : hf_error_set(error, HF_ERROR_INPUT,
                              "force '%s': it is between bodies that are driven and holds nothing",
                              force->name);
}

static hf_element make_element(const hf_model *model, int index)
{
    const hf_force_place *force = &model->forces[index];
    hf_element e = {.force = index,
                    .row = force->row,
                    .dim = force->dim,
                    .in_space = force->coupling != HF_COUPLING_COORDINATE,
                    .on_v = -1,
                    .to_v = -1,
                    .on_driven = -1,
                    .to_driven = -1,
                    .load = -1,
                    .felt = 1.0,
                    .burst = -INFINITY};
    if (!e.in_space) {
        const hf_coordinate_coupling *c = &model->couplings.coordinates[force->coupling_index];
        e.on_v = c->on_v;
        e.to_v = c->to_q < 0 ? -1 : c->to_v;
        e.on_driven = driven_at(model, c->on_v);
        e.to_driven = c->to_q < 0 ? -1 : driven_at(model, c->to_v);
        e.on_q = c->on_q;
        e.to_q = c->to_q;
    }
    if (force->law == HF_LAW_STOP) {
        e.kind = HF_ELEMENT_STOP;
        e.stop = force->def;
        e.restitution = e.stop->restitution;
    } else if (force->law == HF_LAW_RIGID_CONTACT) {
        const hf_rigid_contact_def *def = force->def;
        e.kind = HF_ELEMENT_CONTACT;
        e.level = &def->friction;
        e.restitution = def->restitution;
        e.mode = HF_CONTACT_OPEN;
    } else {
        e.kind = force->dim == 1 ? HF_ELEMENT_FRICTION : HF_ELEMENT_PLANAR;
        e.level = &((const hf_coulomb_def *)force->def)->level;
    }
    return e;
}

static bool is_exact(const hf_force_place *force)
{
    return force->law == HF_LAW_COULOMB || force->law == HF_LAW_STOP ||
           force->law == HF_LAW_RIGID_CONTACT;
}

static hf_status fill_elements(hf_sim *sim, hf_switch *own, hf_error *error)
{
    const hf_model *model = sim->model;
    for (int i = 0; i < model->force_count; ++i) {
        own->by_force[i] = -1;
        if (is_exact(&model->forces[i])) {
            HF_TRY(check_force(model, &model->forces[i], error));
        }
    }
    for (int i = 0; i < own->count; ++i) {
        own->by_force[model->exact.forces[i]] = i;
        own->elements[i] = make_element(model, model->exact.forces[i]);
        own->in_space = own->in_space || own->elements[i].in_space;
    }
    return HF_OK;
}

// Whether a friction acts along the very coordinate of the stop that loads it: at rest the stop's
// force could be any, as the friction holds against it.
static bool is_along(const hf_element *e, const hf_element *load)
{
    int k = load->on_v - e->on_v;
    return !e->in_space && load->kind == HF_ELEMENT_STOP && k >= 0 && k < e->dim &&
           load->to_v == (e->to_v < 0 ? -1 : e->to_v + k);
}

// Which stop or contact loads a friction: islands are joined over loads.
static hf_status find_loads(hf_sim *sim, hf_switch *own, hf_error *error)
{
    const hf_model *model = sim->model;
    for (int i = 0; i < model->exact.count; ++i) {
        const hf_island *island = &model->exact.islands[i];
        for (int k = 0; k < island->force_count; ++k) {
            hf_element *e = &own->elements[island->first_force + k];
            const hf_force_place *force = &model->forces[e->force];
            e->island = island->first_force;
            if (!is_loaded(model, force)) {
                continue;
            }
            int load = own->by_force[force->normal_force];
            e->load = load - island->first_force;
            HF_ASSERT(e->load >= 0 && e->load < island->force_count);
            if (is_along(e, &own->elements[load])) {
                return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                                    "force '%s': it acts along the coordinate of the stop that "
                                    "loads it, '%s': at rest nothing says which of them holds; "
                                    "put it on the other coordinates",
                                    force->name, model->forces[force->normal_force].name);
            }
        }
    }
    return HF_OK;
}

// Memory: one block, carved twice, first to count.
typedef struct carver {
    char *base; // NULL: only counting
    size_t used;
    bool overflow;
} carver;

static void *carve(carver *c, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX / 4 - c->used) / size) {
        c->overflow = true;
        return NULL;
    }
    char *at = c->base == NULL ? NULL : c->base + c->used;
    c->used += (count * size + sizeof(double) - 1) / sizeof(double) * sizeof(double);
    return at;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void lay_out(const hf_model *model, hf_switch *own, hf_integrator *integrator, carver *c)
{
    size_t n = (size_t)model->n, count = (size_t)own->count, rows = (size_t)model->exact.largest;
    size_t all = (size_t)model->row_count;
    size_t work =
        larger(larger(hf_box_lcp_work((int)rows), hf_mixed_work((int)rows)),
               larger(hf_least_norm_work((int)rows), hf_least_norm_general_work((int)rows)));
    own->elements = carve(c, count, sizeof *own->elements);
    own->items = carve(c, rows, sizeof *own->items);
    own->pose_rates = carve(c, (size_t)model->pose_count, sizeof *own->pose_rates);
    own->rate = carve(c, n, sizeof(double));
    own->accelerations = carve(c, (size_t)model->nv, sizeof(double));
    double **by_row[] = {&own->gap_scratch, &own->rate_scratch, &own->change};
    for (size_t i = 0; i < sizeof by_row / sizeof *by_row; ++i) {
        *by_row[i] = carve(c, all, sizeof(double));
    }
    own->w = carve(c, rows * rows, sizeof(double));
    own->copy = carve(c, rows * rows, sizeof(double));
    double **vectors[] = {&own->c, &own->low, &own->high, &own->f, &own->ahead};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i) {
        *vectors[i] = carve(c, rows, sizeof(double));
    }
    own->work = carve(c, work, sizeof(double));
    own->by_force = carve(c, (size_t)model->force_count, sizeof(int));
    int **integers[] = {&own->list, &own->first, &own->rows, &own->side};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; ++i) {
        *integers[i] = carve(c, rows, sizeof(int));
    }
    integrator->fallen = carve(c, HF_ELEMENT_ROOTS * count, sizeof(int));
    integrator->needed = carve(c, n, sizeof(bool));
}

hf_status hf_switch_create(hf_sim *sim, hf_error *error)
{
    const hf_model *model = sim->model;
    hf_adaptive *adaptive = hf_adaptive_of(sim);
    hf_switch counted = {0};
    carver counting = {0}, real = {0};
    for (int i = 0; i < model->exact.count; ++i) {
        counted.count += model->exact.islands[i].force_count;
    }
    (void)carve(&counting, 1, sizeof(hf_switch));
    lay_out(model, &counted, &adaptive->integrator, &counting);
    char *block =
        counting.overflow ? NULL : sim->allocator.allocate(sim->allocator.context, counting.used);
    if (block == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a sim");
    }
    memset(block, 0, counting.used);
    real.base = block;
    hf_switch *own = carve(&real, 1, sizeof *own);
    *own = counted;
    lay_out(model, own, &adaptive->integrator, &real);
    adaptive->exact = own;
    adaptive->integrator.root_count = HF_ELEMENT_ROOTS * own->count;
    adaptive->integrator.roots = hf_switch_roots;
    adaptive->integrator.finish = hf_switch_stick;
    sim->exact_contacts = true;
    own->margin = RATE_MARGIN * sim->core->method.atol;
    own->shift = fmax(sim->core->method.atol, LEAST_SHIFT);
    own->stalled = -1;
    HF_TRY(fill_elements(sim, own, error));
    for (int i = 0; i < own->count; ++i) {
        adaptive->integrator.wants_stiff = adaptive->integrator.wants_stiff ||
                                           own->elements[i].kind == HF_ELEMENT_PLANAR ||
                                           own->elements[i].kind == HF_ELEMENT_CONTACT;
    }
    return find_loads(sim, own, error);
}

void hf_switch_destroy(hf_sim *sim)
{
    if (hf_switch_of(sim) != NULL) {
        sim->allocator.release(sim->allocator.context, hf_switch_of(sim));
    }
}

// ------------------------------------------------------------------------------------------------
// The present state

void hf_switch_refresh(hf_sim *sim)
{
    hf_error unseen; // the next step fails in the same way, and says so
    if (!hf_adaptive_goes_on(sim) && hf_switch_decide_all(sim, &unseen) < 0) {
        sim->core->running = false;
    }
    hf_sim_eval(sim, sim->core->time, HF_SIDE_RIGHT, 0.0, sim->x, sim->k);
    hf_switch_stick(sim, sim->core->time, HF_SIDE_RIGHT, sim->x, sim->k);
}

// Makes what holds in space hold exactly. The integrator goes on with its own state, unless that
// has drifted too far.
static void keep_constraints(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    double drift = 0.0;
    for (int i = 0; own->in_space && i < sim->model->exact.count; ++i) {
        drift = fmax(drift, hf_switch_settle(sim, &sim->model->exact.islands[i]));
    }
    if (drift > 0.0) {
        hf_switch_close(sim);
        own->anew = own->anew || drift > DRIFT * own->margin;
        sim->fresh = false;
        hf_adaptive_settle(sim);
    }
}

// ------------------------------------------------------------------------------------------------
// Beginning and going on

static hf_status check_gap(const hf_sim *sim, const hf_element *e, hf_error *error)
{
    int wall = 0;
    double room = e->kind == HF_ELEMENT_STOP      ? hf_switch_gap(e, sim->x, &wall)
                  : e->kind == HF_ELEMENT_CONTACT ? sim->gap[e->row]
                                                  : 0.0;
    if (room >= -hf_switch_of(sim)->margin) {
        return HF_OK;
    }
    const char *name = sim->model->forces[e->force].name;
    return e->kind == HF_ELEMENT_STOP
               ? hf_error_set(error, HF_ERROR_RANGE,
                              "t = %.9g s: the gap of stop '%s' is %g beyond its limit",
                              sim->core->time, name, -room)
               : hf_error_set(error, HF_ERROR_RANGE,
                              "t = %.9g s: the bodies of contact '%s' are %g m in each other; "
                              "method switch wants them apart or touching",
                              sim->core->time, name, -room);
}

// Velocities of an island's units are what its stiffness is in.
static void need_island(hf_sim *sim, int first_force)
{
    const hf_model *model = sim->model;
    bool *needed = hf_adaptive_of(sim)->integrator.needed + model->nq;
    for (int i = 0; i < model->exact.count; ++i) {
        const hf_island *island = &model->exact.islands[i];
        for (int k = 0; island->first_force == first_force && k < island->unit_count; ++k) {
            hf_unit unit = model->exact.units[island->first_unit + k];
            bool mass = unit.type == HF_BODY_MASS, rigid = unit.type == HF_BODY_RIGID;
            int v = mass    ? model->masses[unit.index].v
                    : rigid ? model->rigids[unit.index].v
                            : model->trees[unit.index].v;
            int nv = mass    ? model->masses[unit.index].dim
                     : rigid ? 6
                             : model->trees[unit.index].tree.nv;
            memset(needed + v, true, (size_t)nv * sizeof *needed);
        }
    }
}

// Whether some slip in a plane is slow: friction stops it within SLOW_TIME. Its direction is then
// held fast, which is stiff.
static bool is_stiff(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    bool stiff = false;
    memset(hf_adaptive_of(sim)->integrator.needed, false, (size_t)sim->model->n * sizeof(bool));
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        const hf_force_place *force = &sim->model->forces[e->force];
        bool contact = e->kind == HF_ELEMENT_CONTACT;
        e->slow = 0.0;
        if ((!contact && e->kind != HF_ELEMENT_PLANAR) || e->mode != 1) {
            continue;
        }
        double level = contact ? -e->mu * e->held[0] : hf_length3(e->dim, sim->force + e->row);
        double answer = 0.0, slide = e->slide;
        for (int k = contact ? 1 : 0; k < e->dim; ++k) {
            answer = fmax(answer, hf_force_inverse_mass(sim, force, k));
        }
        double slow = SLOW_TIME * level * answer;
        e->slow = slide < slow ? slow : 0.0;
        stiff = stiff || e->slow > 0.0;
        if (e->slow > 0.0) {
            need_island(sim, e->island);
        }
        sim->fresh = false;
        hf_sim_refresh(sim, 0.0);
    }
    return stiff;
}

// Begins after something that the integrator did not see.
static hf_status begin(hf_sim *sim, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    bool first = sim->core->step_index == 0 && sim->core->time == 0.0, known = sim->core->running;
    hf_sim_refresh(sim, 0.0); // driven motion
    for (int i = 0; i < own->count && !known; ++i) {
        own->elements[i].told = (int)sim->mode_before[own->elements[i].force];
        own->elements[i].burst = -INFINITY;
        own->elements[i].placed = false;
        own->window = sim->core->time;
        own->window_count = 0;
    }
    hf_switch_look(sim, sim->x);
    for (int i = 0; i < own->count; ++i) {
        const hf_element *e = &own->elements[i];
        if (e->mode == 0) {
            hf_switch_stop(sim, e, sim->x);
        }
        if (!known) {
            HF_TRY(check_gap(sim, e, error));
        }
    }
    for (int i = 0; i < sim->model->exact.count && own->in_space; ++i) {
        (void)hf_switch_settle(sim, &sim->model->exact.islands[i]);
    }
    hf_switch_close(sim);
    HF_TRY(hf_switch_strike(sim, error));
    if (hf_switch_decide_all(sim, error) < 0) {
        if (own->stalled < 0) {
            return error->status;
        }
        HF_TRY(hf_switch_jam(sim, own->stalled, error));
        HF_TRY(hf_switch_decide(sim, NULL, error));
    }
    hf_switch_mark(sim);
    hf_adaptive_settle(sim);
    own->anew = true;
    hf_switch_tell(sim, first);
    return HF_OK;
}

hf_status hf_switch_advance(hf_sim *sim, double end, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    if (!hf_adaptive_goes_on(sim)) {
        HF_TRY(begin(sim, error));
    }
    while (sim->core->time < end) {
        hf_sim_begin(sim, 0.0);
        if (own->anew) {
            hf_adaptive_of(sim)->integrator.stiff = is_stiff(sim);
            HF_TRY(hf_integrator_restart(&hf_adaptive_of(sim)->integrator, error));
            own->anew = false;
        }
        hf_reach reach = hf_adaptive_reach(sim, end, error);
        if (reach == HF_REACH_FAILED) {
            return error->status;
        }
        if (reach == HF_REACH_ROOT) {
            HF_TRY(hf_switch_meet(sim, error));
        } else if (reach == HF_REACH_PAUSE) { // a slip that goes on slowly
            own->anew = is_stiff(sim);
        } else {
            keep_constraints(sim);
        }
    }
    return HF_OK;
}

// SPDX-License-Identifier: Apache-2.0
// Parameters of a live sim: a model of its own, compiled from the changed description, takes the
// place of the present one. State, time and statistics stay.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "loops/loops.h"
#include "sim/method_info.h"
#include "sim/sim_layout.h"
#include "sim/touches.h"
#include "swarm/swarm.h"

// The same machine with other numbers.
static hf_model *compile_changed(const hf_sim *sim, const hf_model *base, const char *const *names,
                                 const double *values, int count, hf_error *error)
{
    hf_spec *spec = hf_spec_copy(base->spec);
    hf_model *model = NULL;
    if (spec == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    hf_status status = HF_OK;
    for (int i = 0; i < count && status == HF_OK; ++i) {
        status = hf_spec_set_parameter(spec, names[i], values[i], error);
    }
    if (status == HF_OK) {
        model = hf_model_compile(spec, error);
    }
    hf_spec_destroy(spec);
    if (model != NULL && hf_method_admit(model, &sim->method_given, error) < 0) {
        hf_model_destroy(model);
        return NULL;
    }
    return model;
}

// Whether forces are evaluated in the same order: by what their laws are, which a number may change
// (a level that is no longer constant leaves its batch).
static bool same_order(const hf_model *a, const hf_model *b)
{
    bool same = true;
    for (int i = 0; i < a->force_count && same; ++i) {
        same = a->forces[i].id == b->forces[i].id && a->forces[i].y == b->forces[i].y &&
               a->forces[i].row == b->forces[i].row;
    }
    return same;
}

static hf_status check_layout(const hf_sim *sim, const hf_model *model, hf_error *error)
{
    hf_sim plan = {.model = model,
                   .plugged = sim->plugged,
                   .controllers = sim->controllers,
                   .controller_count = sim->controller_count};
    hf_carver counter = {.used = sizeof plan};
    hf_sim_lay_out(&plan, &counter);
    bool carries = model->clock_count > 0 || model->swarm_count > 0 ||
                   model->couplings.reference_count > 0 || sim->kept_size > 0;
    if (counter.used != sim->size || plan.saved_size != sim->saved_size ||
        (carries && !same_order(sim->model, model))) {
        return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                            "the machine has another layout with these numbers: compile it anew, "
                            "and create another sim");
    }
    return HF_OK;
}

// Per-force numbers of the saved state go where the new model has the force.
// `before` has room for the saved state.
static void move_forces(hf_sim *sim, const hf_model *old, const hf_model *model, char *before)
{
    if (same_order(old, model)) {
        return;
    }
    memcpy(before, sim->core, sim->saved_size);
#define BEFORE(array) ((const void *)(before + ((char *)(array) - (char *)sim->core)))
    const double *x = BEFORE(sim->x), *modes = BEFORE(sim->mode_before);
    const double *rows = BEFORE(sim->step_force);
    const hf_force_tally *tallies = BEFORE(sim->tallies);
#undef BEFORE
    int y0 = model->nq + model->nv, w0 = y0 + model->ny;
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *to = &model->forces[i];
        int k = old->force_order[to->id];
        const hf_force_place *from = &old->forces[k];
        memcpy(sim->x + y0 + to->y, x + y0 + from->y, (size_t)to->y_count * sizeof *x);
        memcpy(sim->step_force + to->row, rows + from->row, (size_t)to->dim * sizeof *rows);
        sim->x[w0 + i] = x[w0 + k];
        sim->mode_before[i] = modes[k];
        sim->tallies[i] = tallies[k];
    }
}

// Takes a model; where links are was kept for the coordinates alone (tree_places.c), and is not so
// in another one.
static void take_model(hf_sim *sim, const hf_model *model)
{
    sim->model = model;
    memset(sim->io.places, 0, model->tree_places * sizeof *sim->io.places);
}

// The method's own part for the new model; on an error the old one is still there.
static hf_status plug_anew(hf_sim *sim, const hf_model *model, hf_error *error)
{
    const hf_model *old = sim->model;
    void *old_work = sim->work, *new_work;
    take_model(sim, model);
    if (sim->plugged == NULL) {
        return HF_OK;
    }
    sim->work = NULL;
    hf_status status = sim->plugged->create(sim, error);
    new_work = sim->work;
    if (status < 0) {
        sim->plugged->destroy(sim);
        take_model(sim, old);
        sim->work = old_work;
        return status;
    }
    sim->model = old;
    sim->work = old_work;
    sim->plugged->destroy(sim);
    take_model(sim, model);
    sim->work = new_work;
    return HF_OK;
}

// Contacts of shapes as forces, with the surfaces of the new model. The sim keeps its own until
// both are exchanged.
static hf_status make_shapes(hf_sim *sim, const hf_model *model, struct hf_shape_forces **made,
                             hf_error *error)
{
    const hf_model *old = sim->model;
    struct hf_shape_forces *kept = sim->shapes;
    take_model(sim, model);
    sim->shapes = NULL;
    hf_status status = hf_shape_forces_create(sim, error);
    if (status < 0) {
        hf_shape_forces_destroy(sim);
    }
    *made = sim->shapes;
    sim->shapes = kept;
    take_model(sim, old);
    return status;
}

static void destroy_shapes(hf_sim *sim, struct hf_shape_forces *shapes)
{
    struct hf_shape_forces *kept = sim->shapes;
    sim->shapes = shapes;
    hf_shape_forces_destroy(sim);
    sim->shapes = kept;
}

// The method's own part and contacts of shapes. Both look at where the machine begins, with the
// first values of its inputs: those of the program, which `saved` has, are put back. On an error
// the old ones are still there.
static hf_status rebuild(hf_sim *sim, const hf_model *model, const char *saved, hf_error *error)
{
    struct hf_shape_forces *made = NULL;
    hf_status status = make_shapes(sim, model, &made, error);
    if (status == HF_OK) {
        status = plug_anew(sim, model, error);
        destroy_shapes(sim, status < 0 ? made : sim->shapes);
        sim->shapes = status < 0 ? sim->shapes : made;
    }
    memcpy(sim->inputs, saved + ((char *)sim->inputs - (char *)sim->core),
           (size_t)model->signal_count * sizeof *sim->inputs);
    sim->fresh = false;
    return status;
}

static bool has_instance(const hf_signal_def *def)
{
    return def->type == HF_SIGNAL_FUNCTION || def->type == HF_SIGNAL_CHANNELS;
}

// Whether a function signal of both models is the same one, so that the sim's instance of it stays.
// A file that was read again has expressions and tables of its own.
static bool same_function(const hf_signal_def *a, const hf_signal_def *b)
{
    return a->context == b->context && a->open == b->open && a->close == b->close;
}

// Ends the instances of `model` that the other model does not share.
static void close_instances(const hf_model *model, const hf_model *other, void *const *instances)
{
    for (int i = 0; i < model->signal_count; ++i) {
        const hf_signal_def *def = &model->signals[i].def;
        if (has_instance(def) && !same_function(def, &other->signals[i].def) && def->open != NULL &&
            def->close != NULL && instances[i] != NULL) {
            def->close(instances[i]);
        }
    }
}

// Function signals of the new model: those of the sim, or opened.
static hf_status open_instances(const hf_sim *sim, const hf_model *model, void **instances,
                                hf_error *error)
{
    hf_status status = HF_OK;
    for (int i = 0; i < model->signal_count; ++i) {
        const hf_signal_def *def = &model->signals[i].def;
        instances[i] = NULL;
        if (!has_instance(def) || status < 0) {
            continue;
        }
        bool same = same_function(def, &sim->model->signals[i].def);
        instances[i] = same                ? sim->instances[i]
                       : def->open == NULL ? def->context
                                           : def->open(def->context);
        if (!same && def->open != NULL && instances[i] == NULL) {
            status = hf_error_at(error, HF_ERROR_MEMORY, hf_at("signal", def->name),
                                 "it could not be opened");
        }
    }
    if (status < 0) {
        close_instances(model, sim->model, instances);
    }
    return status;
}

// Puts these instances in the place of the sim's, and gives those back in their place.
static void swap_instances(hf_sim *sim, void **instances)
{
    for (int i = 0; i < sim->model->signal_count; ++i) {
        void *before = sim->instances[i];
        sim->instances[i] = instances[i];
        instances[i] = before;
    }
}

// What the sim keeps from its model for speed.
static void look_again(hf_sim *sim)
{
    const hf_model *model = sim->model;
    sim->io.gravity = model->gravity;
    hf_sim_list_relaxing(sim);
    hf_swarms_restart(sim);
    hf_shape_forces_release(sim);
    sim->poses[0] = (hf_pose){.rotation = hf_m3_identity()};
    hf_bodies_still(model->sets, model->set_count, sim->poses);
    for (int k = 0; k < model->cluster_count; ++k) {
        sim->loops->clusters[k].ready = false;
    }
    for (int i = 0; i < model->clock_count; ++i) {
        sim->samplers[i].period = model->clocks[i].period;
    }
    for (int i = 0; i < model->signal_count; ++i) {
        if (model->signals[i].def.type != HF_SIGNAL_INPUT) {
            sim->inputs[model->signals[i].slot] = model->signals[i].def.value;
        }
    }
    sim->core->hash = hf_sim_hash(sim);
    sim->core->running = false;
    sim->fresh = false;
    sim->signals_valid = false;
}

static double mechanical(hf_sim *sim, double *potential)
{
    hf_energy energy = hf_sim_energy(sim);
    *potential = energy.potential;
    return energy.kinetic + energy.potential + energy.stored;
}

// A model that is compiled for the sim takes the place of the present one, or is destroyed.
static hf_status replace(hf_sim *sim, hf_model *model, hf_error *error)
{
    double before_potential, after_potential, before = mechanical(sim, &before_potential);
    const hf_model *old = sim->model;
    hf_model *old_own = sim->own;
    hf_method_def method = sim->core->method;
    char *room = malloc(sim->saved_size);
    void **instances = calloc((size_t)model->signal_count + 1, sizeof *instances);
    hf_status status = room == NULL || instances == NULL
                           ? hf_error_set(error, HF_ERROR_MEMORY, "out of memory")
                           : check_layout(sim, model, error);
    // Function signals and the method's own part; on an error the old ones stay
    status = status < 0 ? status : open_instances(sim, model, instances, error);
    if (status == HF_OK) {
        swap_instances(sim, instances);
        memcpy(room, sim->core, sim->saved_size);
        status = rebuild(sim, model, room, error);
        if (status < 0) {
            swap_instances(sim, instances);
            close_instances(model, old, instances);
        }
    }
    if (status < 0) {
        sim->core->method = method;
        free(room);
        free(instances);
        hf_model_destroy(model);
        return status;
    }
    move_forces(sim, old, model, room);
    close_instances(old, model, instances);
    free(room);
    free(instances);
    // It takes the place of the present one
    hf_touches_destroy(sim);
    status = hf_touches_create(sim, error);
    sim->own = model;
    look_again(sim);
    sim->core->method = method;
    hf_model_destroy(old_own);
    sim->core->opened = model->loop_count > 0;
    sim->core->touched = true;
    sim->core->start_energy += mechanical(sim, &after_potential) - before;
    sim->core->start_potential += after_potential - before_potential;
    return status;
}

static hf_status change(hf_sim *sim, const hf_model *base, const char *const *names,
                        const double *values, int count, hf_error *error)
{
    HF_ASSERT(!sim->in_update);
    hf_model *model = compile_changed(sim, base, names, values, count, error);
    if (model == NULL) {
        return error == NULL ? HF_ERROR_INPUT : error->status;
    }
    return replace(sim, model, error);
}

hf_status hf_sim_set_parameters(hf_sim *sim, const char *const *names, const double *values,
                                int count, hf_error *error)
{
    return change(sim, sim->model, names, values, count, error);
}

// Whether ids of one model mean the same in the other.
static bool same_machine(const hf_model *a, const hf_model *b)
{
    hf_model_info one = hf_model_get_info(a), other = hf_model_get_info(b);
    bool same = one.bodies == other.bodies && one.forces == other.forces &&
                one.signals == other.signals && one.coordinates == other.coordinates &&
                one.velocities == other.velocities && one.law_states == other.law_states &&
                one.loops == other.loops;
    for (int i = 1; same && i <= one.bodies; ++i) {
        hf_body_info x = hf_model_body_info(a, (hf_body){i}),
                     y = hf_model_body_info(b, (hf_body){i});
        same = x.type == y.type && strcmp(x.name, y.name) == 0;
    }
    for (int i = 1; same && i <= one.forces; ++i) {
        hf_force_info x = hf_model_force_info(a, (hf_force){i});
        hf_force_info y = hf_model_force_info(b, (hf_force){i});
        same = x.dim == y.dim && strcmp(x.name, y.name) == 0 && strcmp(x.law, y.law) == 0;
    }
    for (int i = 1; same && i <= one.signals; ++i) {
        hf_signal_info x = hf_model_signal_info(a, (hf_signal){i});
        hf_signal_info y = hf_model_signal_info(b, (hf_signal){i});
        same = x.type == y.type && strcmp(x.name, y.name) == 0;
    }
    return same;
}

hf_status hf_sim_set_model(hf_sim *sim, const hf_model *model, const char *const *names,
                           const double *values, int count, hf_error *error)
{
    if (!same_machine(sim->model, model)) {
        return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                            "the model has other bodies, forces or signals than the sim: create "
                            "another sim");
    }
    return change(sim, model, names, values, count, error);
}

hf_status hf_sim_set_parameter(hf_sim *sim, const char *name, double value, hf_error *error)
{
    return hf_sim_set_parameters(sim, &name, &value, 1, error);
}

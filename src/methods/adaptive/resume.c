// SPDX-License-Identifier: Apache-2.0
// Saves and restores runs of the adaptive methods, so that they go on to the bit.
#include "methods/adaptive/resume.h"

#include <string.h>

#include "base/error.h"
#include "compile/slots.h"
#include "methods/adaptive/adaptive.h"
#include "methods/adaptive/law_switches.h"
#include "methods/switch/switch.h"
#include "swarm/swarm.h"

// ------------------------------------------------------------------------------------------------
// Layout

static size_t pair_room(const hf_model *model)
{
    size_t room = 0;
    for (int k = 0; k < model->swarm_count; ++k) {
        room += (size_t)model->swarms[k].capacity;
    }
    return room;
}

static hf_resume lay_out(const hf_model *model, hf_carver *c)
{
    size_t n = (size_t)model->n, forces = (size_t)model->force_count;
    size_t elements = (size_t)hf_switch_count_elements(model);
    size_t laws = (size_t)model->switch_count;
    size_t roots = HF_ELEMENT_ROOTS * elements + (size_t)hf_law_root_count(model) + HF_SWITCH_ROOTS;
    size_t looked = hf_model_slot_rows(model) > 0 ? (size_t)model->pose_count : 0;
    hf_resume r;
    r.head = hf_carve(c, 1, sizeof *r.head);
    r.x = hf_carve(c, n, sizeof *r.x);
    r.modes = hf_carve(c, forces, sizeof *r.modes);
    r.references = hf_carve(c, (size_t)model->couplings.reference_count, sizeof *r.references);
    r.pairs = hf_carve(c, pair_room(model), sizeof *r.pairs);
    r.needed = hf_carve(c, n, sizeof *r.needed);
    r.law_modes = hf_carve(c, laws, sizeof *r.law_modes);
    r.elements = hf_carve(c, elements, sizeof *r.elements);
    r.notes = hf_carve(c, HF_NOTES, sizeof *r.notes);
    r.known = hf_carve(c, n, sizeof *r.known);
    r.inputs = hf_carve(c, (size_t)model->signal_count, sizeof *r.inputs);
    r.known_modes = hf_carve(c, forces, sizeof *r.known_modes);
    r.root_values = hf_carve(c, roots, sizeof *r.root_values);
    r.fallen = hf_carve(c, roots, sizeof *r.fallen);
    r.elements_now = hf_carve(c, elements, sizeof *r.elements_now);
    r.looked = hf_carve(c, looked, sizeof *r.looked);
    return r;
}

size_t hf_resume_size(const hf_model *model)
{
    hf_carver counter = {0};
    (void)lay_out(model, &counter);
    return counter.used;
}

static hf_resume resume_of(const hf_sim *sim)
{
    return lay_out(sim->model, &(hf_carver){.base = sim->kept});
}

// ------------------------------------------------------------------------------------------------
// While the run goes on

// Elements without what belongs to this process alone.
static void write_elements(const hf_switch *own, hf_element *to)
{
    for (int i = 0; own != NULL && i < own->count; ++i) {
        to[i] = own->elements[i];
        to[i].level = NULL;
        to[i].stop = NULL;
    }
}

static void read_elements(hf_sim *sim, const hf_element *from)
{
    hf_switch *own = hf_switch_of(sim);
    for (int i = 0; own != NULL && i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        const hf_level *level = e->level;
        const hf_stop_def *stop = e->stop;
        *e = from[i];
        e->level = level;
        e->stop = stop;
    }
    if (own != NULL) {
        hf_switch_untie(own);
        hf_switch_scale(sim);
        hf_points_take_surfaces(sim);
    }
}

// What all pairs remember, in their order.
static void copy_pairs(const hf_sim *sim, hf_pair_memory *kept, bool back)
{
    for (int k = 0; k < sim->model->swarm_count; ++k) {
        hf_swarm_state *s = &sim->swarms[k];
        for (int i = 0; i < *s->count; ++i, ++kept) {
            if (back) {
                s->memories[i] = *kept;
            } else {
                *kept = s->memories[i];
            }
        }
    }
}

static void copy_law_modes(const hf_sim *sim, const double *from, double *to)
{
    if (sim->law_modes != NULL) {
        memcpy(to, from, (size_t)sim->model->switch_count * sizeof *to);
    }
}

void hf_resume_begin(hf_sim *sim)
{
    const hf_model *model = sim->model;
    const hf_integrator *integrator = &hf_adaptive_of(sim)->integrator;
    hf_resume r = resume_of(sim);
    r.head->start = integrator->start;
    r.head->first_step = integrator->first_step;
    r.head->longest = integrator->longest;
    r.head->log_step = integrator->log_step;
    r.head->pause_every = integrator->pause_every;
    r.head->stiff = integrator->stiff;
    r.head->note_count = 0;
    memcpy(r.x, sim->x, (size_t)model->n * sizeof *r.x);
    memcpy(r.modes, sim->mode_before, (size_t)model->force_count * sizeof *r.modes);
    memcpy(r.references, sim->references,
           (size_t)model->couplings.reference_count * sizeof *r.references);
    copy_pairs(sim, r.pairs, false);
    copy_law_modes(sim, sim->law_modes, r.law_modes);
    if (integrator->needed != NULL) {
        memcpy(r.needed, integrator->needed, (size_t)model->n * sizeof *r.needed);
    }
    write_elements(hf_switch_of(sim), r.elements);
}

static void note(hf_sim *sim, hf_note what)
{
    hf_resume r = resume_of(sim);
    hf_integrator *integrator = &hf_adaptive_of(sim)->integrator;
    what.steps = integrator->steps;
    what.time = sim->core->time;
    if (r.head->note_count < HF_NOTES) {
        r.notes[r.head->note_count++] = what;
    }
    integrator->full = r.head->note_count == HF_NOTES;
}

void hf_resume_note_turn(hf_sim *sim, int element)
{
    hf_note what = {.element = element};
    memcpy(what.aim, hf_switch_of(sim)->elements[element].aim, sizeof what.aim);
    note(sim, what);
}

// Directions of spheres that touch are carried from one recorded state to the next.
void hf_resume_note_state(hf_sim *sim)
{
    if (sim->model->couplings.reference_count > 0 || sim->model->swarm_count > 0) {
        note(sim, (hf_note){.element = -1});
    }
}

void hf_resume_note_horizon(hf_sim *sim)
{
    note(sim, (hf_note){.element = -2, .aim = {hf_adaptive_of(sim)->integrator.horizon}});
}

// ------------------------------------------------------------------------------------------------
// Save

void hf_resume_keep(const hf_sim *sim)
{
    const hf_model *model = sim->model;
    const hf_adaptive *own = hf_adaptive_of(sim);
    const hf_integrator *integrator = &own->integrator;
    hf_resume r = resume_of(sim);
    hf_resume_head *head = r.head;
    // How far the integrator is
    head->steps = integrator->steps;
    head->from = integrator->from;
    head->until = integrator->until;
    head->front = integrator->front;
    head->horizon = integrator->horizon;
    head->searched = integrator->searched;
    head->stride = integrator->stride;
    head->root_at = integrator->root_at;
    head->look_again = integrator->look_again;
    head->paused_at = integrator->paused_at;
    head->spent = integrator->spent;
    head->pairs_changed = sim->pairs_changed;
    for (int i = 0; i < 3; ++i) {
        head->seen[i] = integrator->seen[i];
    }
    // What was known when it looked last
    memcpy(r.known, own->known, (size_t)model->n * sizeof *r.known);
    memcpy(r.inputs, own->inputs, (size_t)model->signal_count * sizeof *r.inputs);
    memcpy(r.known_modes, own->known_modes, (size_t)model->force_count * sizeof *r.known_modes);
    // Roots, and of switch its windows and elements
    if (integrator->root_count > 0) {
        size_t roots = (size_t)integrator->root_count;
        memcpy(r.root_values, integrator->root_values, roots * sizeof *r.root_values);
        memcpy(r.fallen, integrator->fallen, roots * sizeof *r.fallen);
    }
    if (own->exact != NULL) {
        head->window = own->exact->window;
        head->window_count = own->exact->window_count;
        head->stalled = own->exact->stalled;
        head->anew = own->exact->anew;
        write_elements(own->exact, r.elements_now);
        if (hf_switch_has_points(own->exact)) {
            memcpy(r.looked, own->exact->looked, (size_t)model->pose_count * sizeof *r.looked);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Restore

// A state that was recorded, and what it carried with it.
static hf_status repeat_state(hf_sim *sim, double t, hf_error *error)
{
    if (hf_integrator_show(&hf_adaptive_of(sim)->integrator, t) < 0) {
        return hf_error_set(error, HF_ERROR_STATE, "a saved run could not be repeated");
    }
    HF_TRY(hf_sim_commit(sim, t - sim->core->time, t, error));
    if (hf_adaptive_of(sim)->exact != NULL) {
        (void)hf_switch_keep(sim);
    }
    hf_sim_carry(sim);
    hf_sim_eval(sim, t, HF_SIDE_RIGHT, 0.0, sim->x, sim->k);
    hf_swarms_note(sim);
    sim->fresh = false;
    return HF_OK;
}

// The internal steps since the beginning, and what happened between them.
static hf_status repeat_steps(hf_sim *sim, const hf_resume *r, hf_error *error)
{
    hf_integrator *integrator = &hf_adaptive_of(sim)->integrator;
    // From the same beginning
    int flag = hf_integrator_repeat(integrator, r->head->start, r->x, r->head->first_step),
        done = 0;
    for (long long step = 0; step <= r->head->steps && flag >= 0; ++step) {
        if (step > 0) {
            double end = integrator->front + 1.0;
            integrator->behind = integrator->front;
            flag = integrator->package->step(integrator, end, &integrator->front);
            integrator->steps += 1;
        }
        // What happened after this step: another horizon, a recorded state, another aim
        for (; flag >= 0 && done < r->head->note_count && r->notes[done].steps == step; ++done) {
            const hf_note *what = &r->notes[done];
            if (what->element == -2) {
                integrator->horizon = what->aim[0];
                flag = hf_integrator_limit(integrator);
            } else if (what->element < 0) {
                HF_TRY(repeat_state(sim, what->time, error));
            } else {
                memcpy(hf_switch_of(sim)->elements[what->element].aim, what->aim, sizeof what->aim);
            }
        }
    }
    // It must end where it was
    if (flag < 0 || integrator->front != r->head->front) {
        return hf_error_set(error, HF_ERROR_STATE,
                            "a saved run could not be repeated from %g s to %g s: it was saved by "
                            "another program or on another machine",
                            r->head->start, r->head->front);
    }
    return HF_OK;
}

// The present state of the integrator and the method.
static void take_present(hf_sim *sim, const hf_resume *r)
{
    const hf_model *model = sim->model;
    hf_adaptive *own = hf_adaptive_of(sim);
    hf_integrator *integrator = &own->integrator;
    const hf_resume_head *head = r->head;
    // How far the integrator is
    integrator->from = head->from;
    integrator->until = head->until;
    integrator->front = head->front;
    integrator->horizon = head->horizon;
    integrator->pause_every = head->pause_every;
    integrator->searched = head->searched;
    integrator->stride = head->stride;
    integrator->root_at = head->root_at;
    integrator->look_again = head->look_again;
    integrator->steps = (long)head->steps;
    integrator->paused_at = (long)head->paused_at;
    integrator->spent = (long)head->spent;
    for (int i = 0; i < 3; ++i) {
        integrator->seen[i] = (long)head->seen[i];
    }
    // What was known when it looked last
    memcpy(own->known, r->known, (size_t)model->n * sizeof *r->known);
    memcpy(own->inputs, r->inputs, (size_t)model->signal_count * sizeof *r->inputs);
    memcpy(own->known_modes, r->known_modes, (size_t)model->force_count * sizeof *r->known_modes);
    sim->pairs_changed = head->pairs_changed;
    // Roots, and of switch its windows and elements
    if (integrator->root_count > 0) {
        size_t roots = (size_t)integrator->root_count;
        memcpy(integrator->root_values, r->root_values, roots * sizeof *r->root_values);
        memcpy(integrator->fallen, r->fallen, roots * sizeof *r->fallen);
    }
    if (own->exact != NULL) {
        own->exact->window = head->window;
        own->exact->window_count = head->window_count;
        own->exact->stalled = head->stalled;
        own->exact->anew = head->anew;
        read_elements(sim, r->elements_now);
        if (hf_switch_has_points(own->exact)) {
            memcpy(own->exact->looked, r->looked, (size_t)model->pose_count * sizeof *r->looked);
        }
    }
}

hf_status hf_resume_go_on(hf_sim *sim, hf_error *error)
{
    const hf_model *model = sim->model;
    hf_adaptive *own = hf_adaptive_of(sim);
    hf_integrator *integrator = &own->integrator;
    hf_resume r = resume_of(sim);
    hf_status status = HF_OK;
    bool begun = sim->core->running && !(own->exact != NULL && r.head->anew);
    if (begun) {
        // As it was when the integrator began last
        integrator->from = r.head->from;
        integrator->until = r.head->until;
        integrator->longest = r.head->longest;
        integrator->log_step = r.head->log_step;
        integrator->stiff = r.head->stiff;
        if (integrator->needed != NULL) {
            memcpy(integrator->needed, r.needed, (size_t)model->n * sizeof *r.needed);
        }
        memcpy(sim->mode_before, r.modes, (size_t)model->force_count * sizeof *r.modes);
        memcpy(sim->references, r.references,
               (size_t)model->couplings.reference_count * sizeof *r.references);
        copy_pairs(sim, r.pairs, true);
        copy_law_modes(sim, r.law_modes, sim->law_modes);
        // The same steps from there
        memcpy(sim->x, r.x, (size_t)model->n * sizeof *r.x);
        sim->core->time = r.head->start;
        sim->core->uncarried = 0.0;
        hf_shape_forces_repeat(sim);
        read_elements(sim, r.elements);
        status = repeat_steps(sim, &r, error);
    }
    // and what was known besides
    take_present(sim, &r);
    return status;
}

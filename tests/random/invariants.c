// SPDX-License-Identifier: Apache-2.0
// What must hold at every sample: what rests is not said to slip, forces on it balance.
#include "invariants.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Samples in a row that a contradiction lasts before it is one.
enum { IN_A_ROW = 3 };
// Largest sum of forces at rest by the sum of their sizes: forces of the instant, and those of a
// step, in which inputs go on; and by how much inputs may change from sample to sample.
static const double INSTANT = 0.01, STEP = 0.06, CHANGE = 0.02;

// The number of the body that follows a key in a line; -1: none, or not one of a single coordinate.
static int body_after(const char *line, const char *end, const char *key)
{
    const char *at = strstr(line, key);
    if (at == NULL || at > end || at[strlen(key)] != 'b') {
        return -1;
    }
    char *rest;
    long number = strtol(at + strlen(key) + 1, &rest, 10);
    return *rest == '.' || number < 0 || number >= HF_WATCHED ? -1 : (int)number;
}

static hf_channel channel_of(const hf_model *model, const char *name, const char *quantity)
{
    char full[64];
    (void)snprintf(full, sizeof full, "%s.%s", name, quantity);
    return hf_model_find_channel(model, full);
}

// Whether a ratio names a body: between the braces of its line.
static bool is_joined(const char *text, int body)
{
    char name[24];
    (void)snprintf(name, sizeof name, "b%d: ", body);
    for (const char *at = strstr(text, "ratio: {"); at != NULL; at = strstr(at + 1, "ratio: {")) {
        const char *found = strstr(at, name), *end = strchr(at, '}');
        if (found != NULL && end != NULL && found < end) {
            return true;
        }
    }
    return false;
}

// Bodies that move by themselves, or that a ratio joins, do not balance alone.
static void leave_out(hf_watch *w, const char *text)
{
    for (int i = 0; i < HF_WATCHED; ++i) {
        char driven[40];
        (void)snprintf(driven, sizeof driven, "\n  b%d: {type: driven", i);
        if (strstr(text, driven) != NULL || is_joined(text, i)) {
            w->velocities[i] = (hf_channel){0};
        }
    }
}

void hf_watch_begin(hf_watch *w, const char *text, const hf_sim *sim, double slow)
{
    const hf_model *model = hf_sim_model(sim);
    bool exact = hf_sim_method(sim).type == HF_METHOD_SWITCH;
    // Over a step what sticks to a belt lags behind its acceleration. Under switch what sticks
    // takes its motion from what it sticks to, where both have one coordinate: to rounding
    *w = (hf_watch){.fast = (exact ? 1e-3 : 0.03) / slow, .exact = exact, .rounding = 1e-12 / slow};
    // Bodies of one coordinate
    for (int i = 0; i < HF_WATCHED; ++i) {
        char name[16];
        (void)snprintf(name, sizeof name, "b%d", i);
        w->velocities[i] = channel_of(model, name, "velocity");
    }
    leave_out(w, text);
    // Forces, line by line
    for (const char *at = strstr(text, "\n  - {name: f"); at != NULL && w->force_count < HF_WATCHED;
         at = strstr(at + 1, "\n  - {name: f")) {
        const char *line = at + 1, *end = strchr(line, '\n');
        hf_watched_force *f = &w->forces[w->force_count++];
        f->on = body_after(line, end, " on: ");
        f->to = body_after(line, end, " to: ");
        const char *law = strstr(line, "type: friction");
        const char *coulomb = strstr(line, "law: coulomb");
        f->friction = law != NULL && law < end && coulomb != NULL && coulomb < end;
        (void)snprintf(f->name, sizeof f->name, "f%d", atoi(line + strlen("  - {name: f")));
        f->force = channel_of(model, f->name, "force");
        f->rate = channel_of(model, f->name, "rate");
        f->mode = channel_of(model, f->name, "mode");
    }
}

static void complain(hf_watch *w, const hf_sim *sim, const char *name, const char *what,
                     double value)
{
    if (w->broken[0] == '\0') {
        (void)snprintf(w->broken, sizeof w->broken, "t = %g s: %s %s (%g)", hf_sim_time(sim), name,
                       what, value);
    }
}

static void check_mode(hf_watch *w, hf_sim *sim, hf_watched_force *f)
{
    if (!f->friction || f->rate.id == 0 || f->mode.id == 0) {
        return;
    }
    double rate = hf_sim_value(sim, f->rate), mode = hf_sim_value(sim, f->mode);
    double fast = w->exact && f->on >= 0 ? w->rounding : w->fast;
    f->slips = (mode == 1.0 || mode == -1.0) && rate == 0.0 ? f->slips + 1 : 0;
    f->sticks = mode == 0.0 && fabs(rate) > fast ? f->sticks + 1 : 0;
    if (f->slips >= IN_A_ROW) {
        complain(w, sim, f->name, "slips at rest", mode);
    }
    if (f->sticks >= IN_A_ROW) {
        complain(w, sim, f->name, "sticks and moves", rate);
    }
}

static void add_to(hf_watch *w, int body, double force, double *sum)
{
    if (body >= 0 && w->velocities[body].id != 0) {
        sum[body] += force;
        w->size[body] += fabs(force);
    }
}

// The sum of the forces on each body that rests; judged when it rested a sample longer.
static void check_balance(hf_watch *w, hf_sim *sim)
{
    double sum[HF_WATCHED] = {0}, changed[HF_WATCHED] = {0};
    bool gates = false; // something went on or off within the step
    // What the last sample left, if the body rested until now
    for (int i = 0; i < HF_WATCHED; ++i) {
        bool rests = w->velocities[i].id != 0 && hf_sim_value(sim, w->velocities[i]) == 0.0;
        w->still[i] = rests ? w->still[i] + 1 : 0;
        double share = w->exact ? INSTANT : STEP;
        if (w->still[i] > IN_A_ROW && fabs(w->off[i]) > share * w->size[i] + 1e-6) {
            char name[16];
            (void)snprintf(name, sizeof name, "b%d", i);
            complain(w, sim, name, "rests and its forces do not balance", w->off[i]);
        }
        w->size[i] = 0.0;
    }
    // The sums of now; of inputs that jump none
    for (int i = 0; i < w->force_count; ++i) {
        hf_watched_force *f = &w->forces[i];
        double force = f->force.id == 0 ? 0.0 : hf_sim_value(sim, f->force);
        add_to(w, f->on, force, sum);
        add_to(w, f->to, -force, sum);
        double change = f->friction ? 0.0 : fabs(force - f->before);
        bool off = f->mode.id != 0 && hf_sim_value(sim, f->mode) == 2.0;
        gates = gates || off != f->off;
        f->off = off;
        for (int k = 0; k < 2; ++k) {
            int body = k == 0 ? f->on : f->to;
            if (body >= 0) {
                changed[body] = fmax(changed[body], change);
            }
        }
        f->before = force;
    }
    for (int i = 0; i < HF_WATCHED; ++i) {
        w->off[i] = gates || changed[i] > CHANGE * w->size[i] ? 0.0 : sum[i];
    }
}

void hf_watch_look(hf_watch *w, hf_sim *sim)
{
    for (int i = 0; i < w->force_count; ++i) {
        check_mode(w, sim, &w->forces[i]);
    }
    check_balance(w, sim);
}

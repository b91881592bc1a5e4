// SPDX-License-Identifier: Apache-2.0
// hf_spec: bodies, trees and forces. What the kinds of bodies are is in src/bodies.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "math/dense.h"
#include "math/vec.h"
#include "spec/spec_data.h"

// Appends a body under its full name.
static hf_body add_body(hf_spec *spec, hf_body_type type, void *def, const char *name,
                        hf_error *error)
{
    void *grown =
        hf_grow(spec->bodies, spec->body_count, &spec->body_capacity, sizeof *spec->bodies);
    if (grown == NULL) {
        hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return (hf_body){0};
    }
    spec->bodies = grown;
    const char *kept = hf_spec_take_name(spec, name, HF_NAME_BODY, spec->body_count, error);
    if (kept == NULL) {
        return (hf_body){0};
    }
    *(const char **)def = kept; // its first member
    hf_spec_body body = {
        .type = type, .tree = -1, .name = kept, .draw = hf_draw_default(), .def = def};
    if (hf_body_ops_of(type)->unplaced) {
        body.draw.type = HF_DRAW_NONE;
    }
    spec->bodies[spec->body_count] = body;
    spec->body_count += 1;
    return (hf_body){(int)spec->body_count};
}

hf_body hf_spec_put_body(hf_spec *spec, hf_body_type type, const void *def, const char *name,
                         hf_error *error)
{
    const hf_body_ops *ops = hf_body_ops_of(type);
    if (ops->check(spec, def, name == NULL ? "" : name, error) < 0) {
        return (hf_body){0};
    }
    void *kept = hf_arena_copy(&spec->arena, def, 1, ops->def_size);
    if (kept == NULL || (ops->keep != NULL && !ops->keep(&spec->arena, kept))) {
        hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return (hf_body){0};
    }
    return add_body(spec, type, kept, name, error);
}

// ------------------------------------------------------------------------------------------------
// Trees

hf_tree hf_spec_add_tree(hf_spec *spec, const char *name, hf_error *error)
{
    void *grown = hf_grow(spec->trees, spec->tree_count, &spec->tree_capacity, sizeof *spec->trees);
    if (grown == NULL) {
        hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return (hf_tree){0};
    }
    spec->trees = grown;
    const char *kept = hf_spec_take_name(spec, name, HF_NAME_TREE, spec->tree_count, error);
    if (kept == NULL) {
        return (hf_tree){0};
    }
    spec->trees[spec->tree_count] = (hf_spec_tree){.name = kept};
    spec->tree_count += 1;
    return (hf_tree){(int)spec->tree_count};
}

hf_body hf_spec_add_joint(hf_spec *spec, hf_tree tree, const hf_joint_def *def, hf_error *error)
{
    // Its tree, name and parent
    const char *name = def->name == NULL ? "" : def->name;
    if (tree.id < 1 || (size_t)tree.id > spec->tree_count) {
        hf_error_at(error, HF_ERROR_INPUT, hf_at("joint", name), "no such tree");
        return (hf_body){0};
    }
    if (name[0] == '\0' || strchr(name, '.') != NULL) {
        hf_error_at(error, HF_ERROR_NAME, hf_at("joint", name), "a name without dots is needed");
        return (hf_body){0};
    }
    bool known = def->parent.id >= 0 && (size_t)def->parent.id <= spec->body_count;
    if (!known || (def->parent.id != 0 && spec->bodies[def->parent.id - 1].tree != tree.id - 1)) {
        hf_error_at(error, HF_ERROR_INPUT, hf_at("joint", name), "its parent is not in its tree");
        return (hf_body){0};
    }
    // Its own numbers
    if (hf_link_ops.check(spec, def, name, error) < 0) { // under the joint's own name
        return (hf_body){0};
    }
    // As TREE.NAME
    char full[512];
    int length = snprintf(full, sizeof full, "%s.%s", spec->trees[tree.id - 1].name, name);
    if (length < 0 || (size_t)length >= sizeof full) {
        hf_error_at(error, HF_ERROR_NAME, hf_at("joint", name), "the name is too long");
        return (hf_body){0};
    }
    hf_body link = hf_spec_put_body(spec, HF_BODY_LINK, def, full, error);
    if (link.id != 0) {
        spec->bodies[link.id - 1].tree = tree.id - 1;
        spec->trees[tree.id - 1].link_count += 1;
    }
    return link;
}

// ------------------------------------------------------------------------------------------------
// Forces

hf_coupling_def hf_coupling_def_default(hf_coupling_type type)
{
    return (hf_coupling_def){
        .type = type, .dim = 1, .on_frame = {.turn = {.w = 1.0}}, .to_frame = {.turn = {.w = 1.0}}};
}

hf_force_def hf_force_def_default(void)
{
    return (hf_force_def){.coupling = hf_coupling_def_default(HF_COUPLING_COORDINATE),
                          .law = HF_LAW_SPRING};
}

// A spring without stiffness: rates are all that it sees.
static bool is_damper(const hf_force_def *def)
{
    const hf_spring_def *spring = def->def;
    return def->law == HF_LAW_SPRING && spring->stiffness == 0.0 && spring->cubic == 0.0;
}

// A law goes on couplings of its dimension; contact laws on planes, joint laws on frames.
static hf_status check_law(const hf_force_def *def, const hf_law_info *info, const char *name,
                           hf_error *error)
{
    int dim = hf_coupling_dim(&def->coupling);
    // Law and coupling must be of one kind and dimension
    bool contact_law = info->kind == HF_KIND_CONTACT;
    const hf_coupling_ops *ops = hf_coupling_ops_of(&def->coupling);
    bool touches = ops->contact;
    bool spins = contact_law && dim == 6 && info->max_dim < 6;
    if (contact_law != touches || spins ||
        (!contact_law && (dim < info->min_dim || dim > info->max_dim))) {
        return hf_error_at(error, HF_ERROR_UNSUPPORTED, hf_at_law(name, info->name, "law"),
                           "law '%s' does not go on a %s coupling of dimension %d", info->name,
                           ops->name, dim);
    }
    if (ops->keeps_pairs && info->exact != HF_EXACT_CONTACT) {
        return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                            "force '%s': law '%s' does not go on a swarm: its pairs have the law "
                            "rigid-contact",
                            name, info->name);
    }
    if (info->needs_gap && !ops->has_gap && !is_damper(def)) {
        return hf_error_at(error, HF_ERROR_UNSUPPORTED, hf_at_law(name, info->name, "law"),
                           "law '%s' needs a displacement, and a %s coupling has none%s",
                           info->name, ops->name,
                           def->law == HF_LAW_SPRING ? "; with stiffness 0 it is a damper" : "");
    }
    return HF_OK;
}

// Turns of spins that a law needs a displacement of: rigid bodies count them.
static hf_status check_turns(const hf_spec *spec, const hf_force_def *def, const char *name,
                             hf_error *error)
{
    for (int i = 0; i < def->coupling.term_count; ++i) {
        const hf_ratio_term *term = &def->coupling.terms[i];
        hf_body body = term->coordinate.body;
        if (term->coordinate.axis >= HF_SPIN_X &&
            hf_body_ops_of(hf_spec_body_type(spec, body))->count_turns == NULL) {
            return hf_error_at(error, HF_ERROR_UNSUPPORTED, hf_at_member("force", name, "ratio"),
                               "its law needs to know how far '%s' has turned, which rigid bodies "
                               "count and links do not: name the joint, or take a law of rates",
                               hf_spec_body_name(spec, body));
        }
    }
    return HF_OK;
}

static void count_turns(hf_spec *spec, const hf_coupling_def *coupling)
{
    for (int i = 0; i < coupling->term_count; ++i) {
        hf_spec_body *body = &spec->bodies[coupling->terms[i].coordinate.body.id - 1];
        const hf_body_ops *ops = hf_body_ops_of(body->type);
        if (coupling->terms[i].coordinate.axis >= HF_SPIN_X && ops->count_turns != NULL) {
            ops->count_turns(body->def);
        }
    }
}

static hf_status check_numbers(const hf_force_def *def, const hf_law_info *info, const char *name,
                               hf_error *error)
{
    int dim = hf_coupling_dim(&def->coupling);
    bool touches = hf_coupling_ops_of(&def->coupling)->contact;
    // The law's own check
    hf_fault fault = {0};
    bool turning = touches && def->coupling.turning;
    if (info->check(def->def, turning ? 6 : dim, &fault) < 0) {
        return hf_error_at(
            error, HF_ERROR_RANGE,
            hf_at_law(name, info->name, fault.within != NULL ? fault.within : fault.member),
            "law '%s': %s%s%s %s, got %g", info->name, fault.within == NULL ? "" : fault.within,
            fault.within == NULL ? "" : ": ", fault.member == NULL ? "definition" : fault.member,
            fault.expected == NULL ? "is not valid" : fault.expected, fault.value);
    }
    return HF_OK;
}

static hf_status check_force(const hf_spec *spec, const hf_force_def *def, const char *name,
                             hf_error *error)
{
    // Where it acts
    HF_TRY(hf_check_coupling(spec, &def->coupling, name, error));
    if (def->law == HF_LAW_FORCE) {
        for (int i = 0; i < hf_coupling_dim(&def->coupling); ++i) {
            HF_TRY(hf_check_value(spec, def->values[i], "force", name, "value", error));
        }
        return HF_OK;
    }
    // Its law, and what drives that
    const hf_law_info *info = hf_spec_law(spec, def->law);
    if (info == NULL || def->def == NULL) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at("force", name), "%s",
                           info == NULL ? "unknown law" : "the law's definition is missing");
    }
    HF_TRY(check_law(def, info, name, error));
    if (def->coupling.type == HF_COUPLING_TURNS && info->needs_gap && !is_damper(def)) {
        HF_TRY(check_turns(spec, def, name, error));
    }
    HF_TRY(check_numbers(def, info, name, error));
    for (int i = 0; i < info->input_count; ++i) {
        HF_TRY(hf_check_value(spec, def->values[i], "force", name, info->inputs[i].name, error));
    }
    // What presses on it
    if (def->normal.force.id < 0 || (size_t)def->normal.force.id > spec->force_count) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at_member("force", name, "normal"),
                           "normal: no such force");
    }
    HF_TRY(hf_check_load(spec, &def->normal, name, error));
    HF_TRY(hf_check_value(spec, def->normal.value, "force", name, "normal", error));
    if (def->normal.value.signal.id == 0 && !(def->normal.value.constant >= 0.0)) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("force", name, "normal"),
                           "normal must not be negative, got %g N", def->normal.value.constant);
    }
    return HF_OK;
}

hf_force hf_spec_add_force(hf_spec *spec, const hf_force_def *def, hf_error *error)
{
    const hf_force none = {0};
    if (check_force(spec, def, def->name == NULL ? "" : def->name, error) < 0) {
        return none;
    }
    // Room and a copy of the law's numbers
    void *grown =
        hf_grow(spec->forces, spec->force_count, &spec->force_capacity, sizeof *spec->forces);
    const hf_law_info *info = hf_spec_law(spec, def->law);
    void *copy = info == NULL ? NULL : hf_law_def_copy(&spec->arena, info, def->def);
    if (grown != NULL) {
        spec->forces = grown;
    }
    if (grown == NULL || (info != NULL && copy == NULL)) {
        hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return none;
    }
    // A name that is free; then all of it is kept
    const char *kept = hf_spec_take_name(spec, def->name, HF_NAME_FORCE, spec->force_count, error);
    if (kept == NULL) {
        return none;
    }
    spec->forces[spec->force_count] = *def;
    spec->forces[spec->force_count].name = kept;
    spec->forces[spec->force_count].def = copy;
    spec->forces[spec->force_count].file =
        def->file == NULL ? NULL : hf_arena_string(&spec->arena, def->file);
    hf_coupling_def *coupling = &spec->forces[spec->force_count].coupling;
    if (!hf_coupling_keep(&spec->arena, coupling)) {
        hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return none;
    }
    if (coupling->type == HF_COUPLING_TURNS) {
        count_turns(spec, coupling);
    }
    spec->force_count += 1;
    return (hf_force){(int)spec->force_count};
}

hf_status hf_spec_set_law(hf_spec *spec, hf_force force, hf_law_type law, const void *def,
                          hf_error *error)
{
    HF_ASSERT(force.id >= 1 && (size_t)force.id <= spec->force_count);
    hf_force_def *kept = &spec->forces[force.id - 1], changed = *kept;
    changed.law = law;
    changed.def = def;
    HF_TRY(check_force(spec, &changed, kept->name, error));
    const hf_law_info *info = hf_spec_law(spec, law);
    changed.def = info == NULL ? NULL : hf_law_def_copy(&spec->arena, info, def);
    if (info != NULL && changed.def == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    *kept = changed;
    return HF_OK;
}

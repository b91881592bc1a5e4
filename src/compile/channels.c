// SPDX-License-Identifier: Apache-2.0
// Channels: their numbers, names and units.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compile/channels_asked.h"

enum { ENERGY_COUNT = 7 };

static const char *const QUANTITIES[] = {
    [HF_QUANTITY_POSITION] = "position",
    [HF_QUANTITY_VELOCITY] = "velocity",
    [HF_QUANTITY_ORIENTATION] = "orientation",
    [HF_QUANTITY_ANGULAR_VELOCITY] = "angular_velocity",
    [HF_QUANTITY_FORCE] = "force",
    [HF_QUANTITY_GAP] = "gap",
    [HF_QUANTITY_RATE] = "rate",
    [HF_QUANTITY_MODE] = "mode",
    [HF_QUANTITY_NORMAL] = "normal",
    [HF_QUANTITY_STATE] = "state",
    [HF_QUANTITY_DISSIPATED] = "dissipated",
    [HF_QUANTITY_STORED] = "stored",
    [HF_QUANTITY_VALUE] = "value",
    [HF_QUANTITY_POWER] = "power",
    [HF_QUANTITY_LOOP_ERROR] = "error",
    [HF_QUANTITY_LOOP_ANGLE_ERROR] = "angle_error",
    [HF_QUANTITY_LOOP_FORCE] = "force",
    [HF_QUANTITY_LOOP_TORQUE] = "torque",
    [HF_QUANTITY_ENERGY] = "",
    [HF_QUANTITY_SOLVER] = "",
    [HF_QUANTITY_SHOWN] = "",
    [HF_QUANTITY_INPUT] = "input",
};
static const char *const XYZ[] = {"x", "y", "z"};
static const char *const WXYZ[] = {"w", "x", "y", "z"};
static const char *const PLANAR[] = {"x", "y", "angle"};
static const char *const ENERGIES[ENERGY_COUNT] = {"kinetic",    "potential", "stored",  "input",
                                                   "dissipated", "total",     "residual"};

// The last step's contacts; then, under methods with an integrator, what it has done so far.
enum { CONTACT_SOLVER_COUNT = 3, SOLVER_COUNT = 9 };
static const char *const SOLVER[SOLVER_COUNT] = {"residual",    "iterations", "contacts",
                                                 "steps",       "rejected",   "unsolved",
                                                 "evaluations", "restarts",   "events"};

static int solver_count(const hf_model *model)
{
    return hf_method_is_adaptive(model->method.type) ? SOLVER_COUNT : CONTACT_SOLVER_COUNT;
}

// ------------------------------------------------------------------------------------------------
// Numbering

typedef struct channel_list {
    hf_channel_place *items; // NULL: only counting
    int count;
} channel_list;

static void add(channel_list *list, hf_quantity quantity, int component, int axes)
{
    for (int k = 0; k < axes; ++k) {
        if (list->items != NULL) {
            list->items[list->count] =
                (hf_channel_place){.quantity = quantity, .component = component, .axis = k};
        }
        list->count += 1;
    }
}

static void add_body(channel_list *list, const hf_body_place *place, int body)
{
    bool turns = place->nq != place->nv; // it has a quaternion
    add(list, HF_QUANTITY_POSITION, body, turns ? place->nq - 4 : place->nq);
    if (turns) {
        add(list, HF_QUANTITY_ORIENTATION, body, 4);
    }
    add(list, HF_QUANTITY_VELOCITY, body, turns ? place->nv - 3 : place->nv);
    if (turns) {
        add(list, HF_QUANTITY_ANGULAR_VELOCITY, body, 3);
    }
}

static void add_force(channel_list *list, const hf_force_place *force, int index)
{
    bool plane = force->ops->contact;
    add(list, HF_QUANTITY_FORCE, index, force->dim);
    if (force->ops->has_gap) {
        add(list, HF_QUANTITY_GAP, index, plane && force->dim > 0 ? 1 : force->dim);
    }
    add(list, HF_QUANTITY_RATE, index, force->dim);
    add(list, HF_QUANTITY_POWER, index, force->dim > 0 ? 1 : 0);
    if (force->info == NULL) {
        return;
    }
    add(list, HF_QUANTITY_SHOWN, index, force->info->channel_count);
    if (force->info->active) {
        add(list, HF_QUANTITY_INPUT, index, 1);
        return;
    }
    if (force->info->friction) {
        add(list, HF_QUANTITY_MODE, index, 1);
    }
    if (plane) {
        add(list, HF_QUANTITY_NORMAL, index, 1);
    }
    // states of contacts that are found move from pair to pair
    add(list, HF_QUANTITY_STATE, index, force->ops->finds_contacts ? 0 : force->y_count);
    add(list, HF_QUANTITY_DISSIPATED, index, 1);
    add(list, HF_QUANTITY_STORED, index, 1);
}

static void add_loop(channel_list *list, const hf_loop_place *loop, int index)
{
    bool turns = hf_loop_row_turns(loop->joint.type, loop->rows - 1);
    if (loop->joint.type == HF_LOOP_RATIO) {
        add(list, loop->turns ? HF_QUANTITY_LOOP_ANGLE_ERROR : HF_QUANTITY_LOOP_ERROR, index, 1);
        add(list, HF_QUANTITY_LOOP_FORCE, index, 1);
        return;
    }
    add(list, HF_QUANTITY_LOOP_ERROR, index, 1);
    add(list, HF_QUANTITY_LOOP_ANGLE_ERROR, index, turns ? 1 : 0);
    add(list, HF_QUANTITY_LOOP_FORCE, index, 3);
    add(list, HF_QUANTITY_LOOP_TORQUE, index, turns ? 3 : 0);
}

// Walks all components; the second time it also notes where each one's channels begin.
static void walk(hf_model *model, channel_list *list)
{
    hf_body_place *bodies = (hf_body_place *)model->bodies;
    hf_force_place *forces = (hf_force_place *)model->forces;
    hf_model_signal *signals = (hf_model_signal *)model->signals;
    // Components, each with its channels side by side
    for (int i = 0; i < model->body_count; ++i) {
        bodies[i].first_channel = list->count;
        add_body(list, &bodies[i], i);
        bodies[i].channel_count = list->count - bodies[i].first_channel;
    }
    for (int i = 0; i < model->force_count; ++i) {
        int index = model->force_order[i];
        forces[index].first_channel = list->count;
        add_force(list, &forces[index], index);
        forces[index].channel_count = list->count - forces[index].first_channel;
    }
    for (int i = 0; i < model->loop_count; ++i) {
        hf_loop_place *loop = (hf_loop_place *)&model->loops[model->loop_order[i]];
        loop->first_channel = list->count;
        add_loop(list, loop, model->loop_order[i]);
        loop->channel_count = list->count - loop->first_channel;
    }
    for (int i = 0; i < model->signal_count; ++i) {
        signals[i].first_channel = list->count;
        add(list, HF_QUANTITY_VALUE, i, 1);
    }
    // Then what was asked for, and what belongs to the machine as a whole
    for (int i = 0; i < model->asked_count; ++i) {
        hf_asked *asked = (hf_asked *)&model->asked[i];
        asked->first_channel = list->count;
        asked->channel_count = hf_asked_axes(model, asked);
        add(list, HF_QUANTITY_ASKED, i, asked->channel_count);
    }
    add(list, HF_QUANTITY_SOLVER, 0, solver_count(model));
    add(list, HF_QUANTITY_ENERGY, 0, ENERGY_COUNT);
}

// By default: positions and velocities of bodies, forces and modes of friction.
static bool recorded_by_default(const hf_model *model, const hf_channel_place *channel)
{
    switch (channel->quantity) {
    case HF_QUANTITY_POSITION:
    case HF_QUANTITY_VELOCITY:
    case HF_QUANTITY_ORIENTATION:
    case HF_QUANTITY_ANGULAR_VELOCITY:
    case HF_QUANTITY_MODE:
        return true;
    case HF_QUANTITY_FORCE: {
        const hf_force_place *force = &model->forces[channel->component];
        return force->info != NULL && force->info->friction;
    }
    default:
        return false;
    }
}

static hf_status out_of_memory(hf_error *error)
{
    return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
}

static hf_status record_defaults(hf_model *model, hf_error *error)
{
    int *records = hf_arena_alloc(&model->arena, (size_t)model->channel_count, sizeof *records);
    if (records == NULL) {
        return out_of_memory(error);
    }
    for (int i = 0; i < model->channel_count; ++i) {
        if (recorded_by_default(model, &model->channels[i])) {
            records[model->record_count++] = i + 1;
        }
    }
    model->records = records;
    return HF_OK;
}

// Whether it counts an integrator's work, which this model's method does not have.
static bool needs_integrator(const hf_model *model, const char *name)
{
    bool found = false;
    for (int i = solver_count(model); i < SOLVER_COUNT && strncmp(name, "solver.", 7) == 0; ++i) {
        found = found || strcmp(name + 7, SOLVER[i]) == 0;
    }
    return found;
}

static hf_status unknown_channel(const hf_model *model, const char *name, hf_error *error)
{
    if (needs_integrator(model, name)) {
        char methods[120];
        hf_method_list(hf_methods_that(hf_method_is_adaptive), " and ", methods, sizeof methods);
        return hf_error_at(error, HF_ERROR_NAME,
                           (hf_error_place){.component = name, .member = "record"},
                           "record: '%s' counts what an integrator does: only under the methods %s",
                           name, methods);
    }
    if (strpbrk(name, "*?") != NULL) {
        return hf_error_at(
            error, HF_ERROR_NAME, (hf_error_place){.component = name, .member = "record"},
            "record: no channel fits '%.120s'; `holdfast channels MODEL` lists them", name);
    }
    char nearest[300];
    hf_model_nearest_channel(model, name, nearest, sizeof nearest);
    bool near = nearest[0] != '\0';
    return hf_error_at(error, HF_ERROR_NAME,
                       (hf_error_place){.component = name, .member = "record"},
                       "record: unknown channel '%.120s'%s%.120s%s", name,
                       near ? "; did you mean '" : "", nearest, near ? "'?" : "");
}

static hf_status record_named(hf_model *model, const hf_spec *spec, hf_error *error)
{
    size_t total = 0;
    for (size_t i = 0; i < spec->record_count; ++i) {
        int count = hf_model_expand_channels(model, spec->records[i], NULL, 0);
        if (count == 0) {
            return unknown_channel(model, spec->records[i], error);
        }
        total += (size_t)count;
    }
    hf_channel *channels = hf_arena_alloc(&model->arena, total, sizeof *channels);
    int *records = hf_arena_alloc(&model->arena, total, sizeof *records);
    bool *taken = hf_arena_alloc(&model->arena, (size_t)model->channel_count + 1, sizeof *taken);
    if (channels == NULL || records == NULL || taken == NULL) {
        return out_of_memory(error);
    }
    for (size_t i = 0; i < spec->record_count; ++i) {
        int count = hf_model_expand_channels(model, spec->records[i], channels, (int)total);
        for (int k = 0; k < count; ++k) {
            if (!taken[channels[k].id]) {
                records[model->record_count++] = channels[k].id;
                taken[channels[k].id] = true;
            }
        }
    }
    model->records = records;
    return HF_OK;
}

hf_status hf_compile_channels(hf_model *model, const hf_spec *spec, hf_error *error)
{
    channel_list list = {0};
    HF_TRY(hf_asked_list(model, spec, error));
    walk(model, &list);
    list.items = hf_arena_alloc(&model->arena, (size_t)list.count, sizeof *list.items);
    if (list.items == NULL) {
        return out_of_memory(error);
    }
    model->channel_count = list.count;
    list.count = 0;
    walk(model, &list);
    model->channels = list.items;
    return spec->record_count == 0 ? record_defaults(model, error)
                                   : record_named(model, spec, error);
}

// ------------------------------------------------------------------------------------------------
// Names

static const hf_channel_place *channel_of(const hf_model *model, hf_channel channel)
{
    HF_ASSERT(channel.id >= 1 && channel.id <= model->channel_count);
    return &model->channels[channel.id - 1];
}

static const char *body_axis(const hf_body_place *place, const hf_channel_place *channel)
{
    if (channel->quantity == HF_QUANTITY_ORIENTATION) {
        return WXYZ[channel->axis];
    }
    bool shift = place->ops->in_axes && channel->axis < place->dim;
    if (place->ops->axis != NULL && !shift) {
        return place->ops->axis(place->body, channel->axis);
    }
    if (place->ops->jointed && place->joint != HF_JOINT_FREE &&
        place->joint != HF_JOINT_SPHERICAL) {
        return place->joint == HF_JOINT_PLANAR ? PLANAR[channel->axis] : "";
    }
    if (place->ops->in_axes) {
        return place->dim == 1 ? "" : XYZ[place->axes[channel->axis]];
    }
    return XYZ[channel->axis];
}

static const char *force_axis(const hf_model *model, const hf_channel_place *channel)
{
    const hf_force_place *force = &model->forces[channel->component];
    hf_coupling_quantity quantity = channel->quantity == HF_QUANTITY_GAP    ? HF_ROW_GAP
                                    : channel->quantity == HF_QUANTITY_RATE ? HF_ROW_RATE
                                                                            : HF_ROW_FORCE;
    return force->ops->row_name == NULL
               ? ""
               : force->ops->row_name(&force->coupling_def, model->sites, quantity, channel->axis);
}

// The part after the component's name, such as "velocity.x".
static void suffix_of(const hf_model *model, const hf_channel_place *channel, char *text,
                      size_t size)
{
    const char *axis = "";
    char number[16];
    switch (channel->quantity) {
    case HF_QUANTITY_POSITION:
    case HF_QUANTITY_VELOCITY:
    case HF_QUANTITY_ORIENTATION:
    case HF_QUANTITY_ANGULAR_VELOCITY:
        axis = body_axis(&model->bodies[channel->component], channel);
        break;
    case HF_QUANTITY_FORCE:
    case HF_QUANTITY_GAP:
    case HF_QUANTITY_RATE:
        axis = force_axis(model, channel);
        break;
    case HF_QUANTITY_LOOP_FORCE:
    case HF_QUANTITY_LOOP_TORQUE:
        axis = model->loops[channel->component].term_count > 0 ? "" : XYZ[channel->axis];
        break;
    case HF_QUANTITY_STATE:
        (void)snprintf(number, sizeof number, "%d", channel->axis);
        axis = number;
        break;
    case HF_QUANTITY_ASKED: {
        const hf_asked *asked = &model->asked[channel->component];
        const hf_channel_place rate = {.quantity = HF_QUANTITY_VELOCITY, .axis = channel->axis};
        bool coordinates = asked->kind == HF_ASKED_ACCELERATION;
        axis = coordinates ? body_axis(&model->bodies[asked->body - 1], &rate)
                           : hf_asked_axis(asked, channel->axis);
        (void)snprintf(text, size, "%s", axis);
        return;
    }
    case HF_QUANTITY_ENERGY:
        (void)snprintf(text, size, "%s", ENERGIES[channel->axis]);
        return;
    case HF_QUANTITY_SOLVER:
        (void)snprintf(text, size, "%s", SOLVER[channel->axis]);
        return;
    case HF_QUANTITY_SHOWN: {
        const hf_law_info *law = model->forces[channel->component].info;
        (void)snprintf(text, size, "%s", law->channels[channel->axis].name);
        return;
    }
    default:
        break;
    }
    (void)snprintf(text, size, "%s%s%s", QUANTITIES[channel->quantity], axis[0] == '\0' ? "" : ".",
                   axis);
}

static const char *component_of(const hf_model *model, const hf_channel_place *channel)
{
    switch (channel->quantity) {
    case HF_QUANTITY_POSITION:
    case HF_QUANTITY_VELOCITY:
    case HF_QUANTITY_ORIENTATION:
    case HF_QUANTITY_ANGULAR_VELOCITY:
        return model->body_names[channel->component];
    case HF_QUANTITY_ASKED:
        return model->asked[channel->component].name;
    case HF_QUANTITY_VALUE:
        return model->signals[channel->component].def.name;
    case HF_QUANTITY_ENERGY:
        return "energy";
    case HF_QUANTITY_SOLVER:
        return "solver";
    case HF_QUANTITY_LOOP_ERROR:
    case HF_QUANTITY_LOOP_ANGLE_ERROR:
    case HF_QUANTITY_LOOP_FORCE:
    case HF_QUANTITY_LOOP_TORQUE:
        return model->loops[channel->component].name;
    default:
        return model->forces[channel->component].name;
    }
}

int hf_model_channel_count(const hf_model *model)
{
    return model->channel_count;
}

void hf_model_channel_name(const hf_model *model, hf_channel channel, char *name, size_t size)
{
    const hf_channel_place *place = channel_of(model, channel);
    char suffix[64];
    suffix_of(model, place, suffix, sizeof suffix);
    (void)snprintf(name, size, "%s%s%s", component_of(model, place), suffix[0] == '\0' ? "" : ".",
                   suffix);
}

// First channel and number of channels of the component with this name; 0 when there is none.
static int component_channels(const hf_model *model, const char *name, size_t length, int *first)
{
    // The ledger, which every model has
    if (length == 6 && memcmp(name, "energy", 6) == 0) {
        *first = model->channel_count - ENERGY_COUNT;
        return ENERGY_COUNT;
    }
    int value = hf_names_find(&model->names, name, length);
    // A component of that name comes first.
    if (value < 0 && length == 6 && memcmp(name, "solver", 6) == 0) {
        *first = model->channel_count - ENERGY_COUNT - solver_count(model);
        return solver_count(model);
    }
    // What was asked for under a name of its own
    const hf_asked *asked = value < 0 ? hf_asked_find(model, name, length) : NULL;
    if (asked != NULL) {
        *first = asked->first_channel;
        return asked->channel_count;
    }
    if (value < 0) {
        return 0;
    }
    // All channels of one component
    int index = value / HF_NAME_KIND_COUNT;
    switch ((hf_name_kind)(value % HF_NAME_KIND_COUNT)) {
    case HF_NAME_BODY:
        *first = model->bodies[index].first_channel;
        return model->bodies[index].channel_count;
    case HF_NAME_FORCE:
        *first = model->forces[model->force_order[index]].first_channel;
        return model->forces[model->force_order[index]].channel_count;
    case HF_NAME_LOOP:
        *first = model->loops[model->loop_order[index]].first_channel;
        return model->loops[model->loop_order[index]].channel_count;
    case HF_NAME_SIGNAL:
        *first = model->signals[index].first_channel;
        return 1;
    default:
        return 0;
    }
}

// Whether `suffix` is `wanted`, or begins with it and a dot (a group such as "position").
static bool suffix_matches(const char *suffix, const char *wanted)
{
    size_t length = strlen(wanted);
    return strncmp(suffix, wanted, length) == 0 &&
           (suffix[length] == '\0' || suffix[length] == '.');
}

// Whether a component's name alone stands for it too: not for what came later than files that name
// components so.
static bool goes_with_component(const hf_channel_place *channel)
{
    return channel->quantity != HF_QUANTITY_POWER;
}

int hf_model_expand_channels(const hf_model *model, const char *name, hf_channel *channels,
                             int capacity)
{
    // A pattern
    if (strpbrk(name, "*?") != NULL) {
        return hf_channels_by_pattern(model, name, channels, capacity);
    }
    // Component names may contain dots: try the longest first.
    for (size_t length = strlen(name); length > 0; --length) {
        bool whole = name[length] == '\0';
        if (!whole && name[length] != '.') {
            continue;
        }
        int first = 0, found = 0;
        int count = component_channels(model, name, length, &first);
        for (int i = first; i < first + count; ++i) {
            char suffix[64];
            suffix_of(model, &model->channels[i], suffix, sizeof suffix);
            bool meant = whole ? goes_with_component(&model->channels[i])
                               : suffix_matches(suffix, name + length + 1);
            if (meant) {
                if (found < capacity) {
                    channels[found].id = i + 1;
                }
                ++found;
            }
        }
        if (found > 0) {
            return found;
        }
    }
    return hf_channels_of_family(model, name, channels, capacity);
}

// A component's name may be the beginning of another's channel: every way to split is tried.
hf_channel hf_model_find_channel(const hf_model *model, const char *name)
{
    const hf_asked *asked = hf_asked_find(model, name, strlen(name));
    if (asked != NULL && asked->channel_count == 1) { // of a joint: it has no axis
        return (hf_channel){asked->first_channel + 1};
    }
    for (const char *dot = strchr(name, '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
        int first = 0, count = component_channels(model, name, (size_t)(dot - name), &first);
        for (int i = first; i < first + count; ++i) {
            char suffix[64];
            suffix_of(model, &model->channels[i], suffix, sizeof suffix);
            if (strcmp(suffix, dot + 1) == 0) {
                return (hf_channel){i + 1};
            }
        }
    }
    return (hf_channel){0};
}

void hf_model_nearest_channel(const hf_model *model, const char *name, char *nearest, size_t size)
{
    enum { LIMIT = 4, MOST = 20000 };
    int limit = LIMIT;
    nearest[0] = '\0';
    for (int i = 0; i < model->channel_count && i < MOST; ++i) {
        char full[600];
        hf_model_channel_name(model, (hf_channel){i + 1}, full, sizeof full);
        int distance = hf_edit_distance(name, full, limit);
        if (distance <= limit) {
            (void)snprintf(nearest, size, "%s", full);
            limit = distance - 1;
        }
    }
}

int hf_model_record_count(const hf_model *model)
{
    return model->record_count;
}

hf_channel hf_model_record_channel(const hf_model *model, int index)
{
    HF_ASSERT(index >= 0 && index < model->record_count);
    return (hf_channel){model->records[index]};
}

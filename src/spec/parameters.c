// SPDX-License-Identifier: Apache-2.0
// Parameters: the numbers of a description, by name: COMPONENT.MEMBER, and gravity.AXIS.
//
// One function lists the members of a component with the places of their numbers; listing, reading
// and setting all go through it. A number is set in a copy of the component, which is then checked
// and put in place, or in a body itself and taken back; a number that is refused changes nothing.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/measure.h"
#include "spec/spec_data.h"

enum { NAME_SIZE = 320, MEMBER_SIZE = 96 };

// A component whose numbers may be written: the spec's own, or a copy.
typedef struct component {
    hf_name_kind kind; // HF_NAME_KIND_COUNT: gravity
    size_t index;
    const char *name;
    hf_spec_body body;
    hf_force_def force;
    const hf_law_info *law; // of the force; NULL: prescribed
    void *def;              // its definition
    bool turns;             // all rows of its coupling do
    hf_signal_def signal;
    hf_vec3 gravity;
} component;

typedef struct member {
    char name[MEMBER_SIZE];
    const char *unit;
    double *at[2];   // forth and back; the second may be NULL
    hf_level *level; // FORCE.level: all of it
} member;

static void call(member *m, const char *name, const char *more)
{
    (void)snprintf(m->name, sizeof m->name, "%s%s%s", name, more[0] == '\0' ? "" : ".", more);
}

// ------------------------------------------------------------------------------------------------
// Members of each kind: the k-th, or false

static bool body_member(component *c, int k, member *m)
{
    const hf_body_ops *ops = hf_body_ops_of(c->body.type);
    hf_body_number number = {.part = "", .unit = ""};
    if (ops->number == NULL || !ops->number(c->body.def, k, &number)) {
        return false;
    }
    call(m, number.name, number.part);
    m->unit = number.unit;
    m->at[0] = number.at;
    return true;
}

enum { LEVEL_MEMBERS = 6 };

static void level_member(hf_level *level, const char *name, int k, member *m)
{
    static const char *const names[] = {"",        "kinetic", "static", "stribeck_velocity",
                                        "viscous", "shape"};
    const char *force = level->per_normal ? "" : "N";
    const char *const units[] = {force, force, force, "m/s", "Ns/m", ""};
    double *const at[] = {level->kinetic,  level->kinetic, level->peak,
                          level->stribeck, level->viscous, &level->shape};
    call(m, name, names[k]);
    m->unit = units[k];
    m->at[0] = at[k];
    m->at[1] = k == 0 || k == 5 ? NULL : at[k] + 1;
    m->level = k == 0 ? level : NULL;
}

static const char *unit_of(const component *c, const char *unit)
{
    return c->turns ? hf_measure_turned(unit) : unit;
}

// Numbers of the law.
static bool law_member(component *c, int *k, member *m)
{
    for (int i = 0; c->law != NULL && i < c->law->param_count; ++i) {
        const hf_param *param = &c->law->params[i];
        void *at = (char *)c->def + param->offset;
        int count = param->kind == HF_PARAM_LEVEL                                    ? LEVEL_MEMBERS
                    : param->kind == HF_PARAM_NUMBER || param->kind == HF_PARAM_AUTO ? 1
                                                                                     : 0;
        if (*k >= count) {
            *k -= count;
        } else if (param->kind == HF_PARAM_LEVEL) {
            level_member(at, param->name, *k, m);
            m->unit = unit_of(c, m->unit);
            return true;
        } else {
            call(m, param->name, "");
            m->unit = unit_of(c, param->unit);
            m->at[0] = at;
            return true;
        }
    }
    return false;
}

// Constants that drive it.
static bool force_member(component *c, int k, member *m)
{
    if (law_member(c, &k, m)) {
        return true;
    }
    int dim = c->law == NULL ? hf_coupling_dim(&c->force.coupling) : c->law->input_count;
    for (int i = 0; i < dim; ++i) {
        const hf_law_input *input = c->law == NULL ? NULL : &c->law->inputs[i];
        bool derived = input != NULL && input->rate_of >= 0 && !c->force.has_rate;
        if (c->force.values[i].signal.id != 0 || derived || k-- > 0) {
            continue;
        }
        char axis[12] = "";
        if (c->law == NULL && dim > 1) {
            (void)snprintf(axis, sizeof axis, "%d", i);
        }
        call(m, input == NULL ? "value" : input->name, axis);
        m->unit = unit_of(c, input == NULL ? "N" : input->unit);
        m->at[0] = &c->force.values[i].constant;
        return true;
    }
    return false;
}

static bool member_at(component *c, int k, member *m)
{
    static const char *const axes[] = {"x", "y", "z"};
    *m = (member){.unit = ""};
    switch (c->kind) {
    case HF_NAME_BODY:
        return body_member(c, k, m);
    case HF_NAME_FORCE:
        return force_member(c, k, m);
    case HF_NAME_SIGNAL:
        call(m, "value", "");
        m->at[0] = &c->signal.value;
        return k == 0 && c->signal.type == HF_SIGNAL_CONSTANT;
    case HF_NAME_KIND_COUNT:
        if (k < 3) {
            call(m, axes[k], "");
            m->unit = "m/s^2";
            m->at[0] = &c->gravity.x + k;
        }
        return k < 3;
    default:
        return false;
    }
}

// ------------------------------------------------------------------------------------------------
// Components

// A definition stays the spec's: who writes to it makes a copy before.
static bool component_of(const hf_spec *spec, hf_name_kind kind, size_t index, component *c)
{
    *c = (component){.kind = kind, .index = index};
    switch (kind) {
    case HF_NAME_BODY:
        c->body = spec->bodies[index];
        c->name = c->body.name;
        return true;
    case HF_NAME_SIGNAL:
        c->signal = spec->signals[index].def;
        c->name = c->signal.name;
        return true;
    case HF_NAME_FORCE:
        c->force = spec->forces[index];
        c->name = c->force.name;
        c->law = hf_spec_law(spec, c->force.law);
        c->def = (void *)c->force.def;
        return true;
    case HF_NAME_KIND_COUNT:
        c->gravity = spec->gravity;
        c->name = "gravity";
        return true;
    default:
        return false;
    }
}

static bool visit_members(component *c, bool (*visit)(void *, const hf_parameter *), void *context)
{
    member m;
    char name[NAME_SIZE];
    for (int k = 0; member_at(c, k, &m); ++k) {
        (void)snprintf(name, sizeof name, "%s.%s", c->name, m.name);
        if (!visit(context, &(hf_parameter){.name = name, .unit = m.unit, .value = *m.at[0]})) {
            return false;
        }
    }
    return true;
}

void hf_spec_parameters(const hf_spec *spec, bool (*turns)(const void *, size_t), const void *of,
                        bool (*visit)(void *, const hf_parameter *), void *context)
{
    const hf_name_kind kinds[] = {HF_NAME_KIND_COUNT, HF_NAME_BODY, HF_NAME_SIGNAL, HF_NAME_FORCE};
    const size_t counts[] = {1, spec->body_count, spec->signal_count, spec->force_count};
    component c;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        for (size_t k = 0; k < counts[i]; ++k) {
            bool known = component_of(spec, kinds[i], k, &c);
            c.turns = kinds[i] == HF_NAME_FORCE && turns(of, k);
            if (known && !visit_members(&c, visit, context)) {
                return;
            }
        }
    }
}

// The component before one of the dots, and the member behind it. The longest name is meant: of
// arm.elbow.friction.level the force arm.elbow.friction, not the joint arm.elbow.
static bool find(const hf_spec *spec, const char *name, component *c, const char **rest)
{
    for (size_t length = strlen(name); length > 0; --length) {
        if (name[length] != '.') {
            continue;
        }
        int value = hf_names_find(&spec->names, name, length);
        *rest = name + length + 1;
        if (length == 7 && memcmp(name, "gravity", 7) == 0 && value < 0) {
            return component_of(spec, HF_NAME_KIND_COUNT, 0, c);
        }
        if (value >= 0 && component_of(spec, (hf_name_kind)(value % HF_NAME_KIND_COUNT),
                                       (size_t)(value / HF_NAME_KIND_COUNT), c)) {
            return true;
        }
    }
    return false;
}

static hf_status find_member(component *c, const char *rest, const char *name, member *m,
                             hf_error *error)
{
    char list[200] = "";
    size_t used = 0;
    for (int k = 0; member_at(c, k, m); ++k) {
        if (strcmp(m->name, rest) == 0) {
            return HF_OK;
        }
        int more = snprintf(list + used, sizeof list - used, "%s%s", k == 0 ? "" : ", ", m->name);
        used += more > 0 && (size_t)more < sizeof list - used ? (size_t)more : 0;
    }
    return hf_error_at(error, HF_ERROR_NAME, hf_at_member(NULL, c->name, rest),
                       "parameter '%.100s': '%.60s' has no number of this name; it has %s", name,
                       c->name, list[0] == '\0' ? "none that can be set" : list);
}

static hf_status locate(const hf_spec *spec, const char *name, component *c, member *m,
                        const char **rest, hf_error *error)
{
    if (!find(spec, name, c, rest)) {
        return hf_error_set(error, HF_ERROR_NAME,
                            "parameter '%.100s': no body, force or signal of this name; parameters "
                            "are COMPONENT.NUMBER, as in block.mass",
                            name);
    }
    return find_member(c, *rest, name, m, error);
}

hf_status hf_spec_get_parameter(const hf_spec *spec, const char *name, double *value,
                                hf_error *error)
{
    component c;
    member m;
    const char *rest;
    *value = NAN;
    HF_TRY(locate(spec, name, &c, &m, &rest, error));
    *value = *m.at[0];
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Setting

static hf_status put_force(hf_spec *spec, component *c, hf_error *error)
{
    hf_force_def *kept = &spec->forces[c->index], before = *kept;
    hf_force id = {(int)c->index + 1};
    *kept = c->force;
    hf_status status = hf_spec_set_law(spec, id, kept->law, c->def, error);
    if (status < 0) {
        *kept = before;
    }
    return status;
}

// Checks what was changed, and puts it into the spec.
static hf_status put(hf_spec *spec, component *c, hf_error *error)
{
    switch (c->kind) {
    case HF_NAME_BODY:
        return hf_body_ops_of(c->body.type)->check(spec, c->body.def, c->name, error);
    case HF_NAME_FORCE:
        return put_force(spec, c, error);
    case HF_NAME_SIGNAL:
        HF_TRY(hf_check_numbers(&c->signal.value, 1, "signal", c->name, "value", error));
        spec->signals[c->index].def = c->signal;
        return HF_OK;
    default:
        return hf_spec_set_gravity(spec, c->gravity, error);
    }
}

hf_status hf_spec_set_parameter(hf_spec *spec, const char *name, double value, hf_error *error)
{
    component c;
    member m;
    const char *rest;
    HF_TRY(locate(spec, name, &c, &m, &rest, error));
    if (!isfinite(value)) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member(NULL, c.name, rest),
                           "parameter '%.100s' must be finite, got %g", name, value);
    }
    // Numbers of a law are written into a definition of its own
    if (c.law != NULL) {
        c.def = hf_law_def_copy(&spec->arena, c.law, c.def);
        if (c.def == NULL) {
            return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        }
        HF_TRY(find_member(&c, rest, name, &m, error));
    }
    // Those of a body are written in place, and taken back when they are refused
    double before = *m.at[0];
    if (m.level != NULL) {
        *m.level = m.level->per_normal ? hf_level_coefficient(value) : hf_level_coulomb(value);
    } else {
        *m.at[0] = value;
        if (m.at[1] != NULL) {
            *m.at[1] = value;
        }
    }
    hf_status status = put(spec, &c, error);
    if (status < 0 && c.kind == HF_NAME_BODY) {
        *m.at[0] = before;
    }
    return status;
}

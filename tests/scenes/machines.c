// SPDX-License-Identifier: Apache-2.0
// Machines as lists of parts, built in any order, and random ones.
#include "machines.h"

#include <stdio.h>
#include <string.h>

static void check_id(int id, const hf_error *error)
{
    if (id == 0) {
        fail_msg("machine: %s", error->text);
    }
}

hf_machine hf_machine_create(void)
{
    return (hf_machine){.method = hf_method_def_default()};
}

hf_part *hf_machine_add(hf_machine *machine, hf_part_kind kind, const char *name)
{
    assert_true(machine->count < HF_MACHINE_PARTS);
    hf_part *part = &machine->parts[machine->count];
    *part = (hf_part){.kind = kind, .tree = -1, .parent = -1, .on = -1, .to = -1, .normal = -1};
    for (int i = 0; i < 6; ++i) {
        part->signals[i] = -1;
    }
    for (int i = 0; i < 3; ++i) {
        part->rate_signals[i] = -1;
    }
    size_t length = strlen(name);
    if (name[length - 1] == '!') {
        snprintf(part->name, sizeof part->name, "%.*s", (int)length - 1, name);
    } else {
        snprintf(part->name, sizeof part->name, "%s%d", name, machine->count);
    }
    switch (kind) {
    case HF_PART_SIGNAL:
        part->signal = hf_signal_def_default();
        break;
    case HF_PART_MASS:
        part->mass = hf_mass_def_default();
        break;
    case HF_PART_RIGID:
        part->rigid = hf_rigid_def_default();
        break;
    case HF_PART_DRIVEN:
        part->driven = hf_driven_def_default();
        break;
    case HF_PART_JOINT:
        part->joint = hf_joint_def_default(HF_JOINT_REVOLUTE);
        break;
    case HF_PART_FORCE:
        part->force = hf_force_def_default();
        break;
    case HF_PART_TREE:
        break;
    }
    machine->count += 1;
    return part;
}

int hf_machine_index(const hf_machine *machine, const hf_part *part)
{
    return (int)(part - machine->parts);
}

// ------------------------------------------------------------------------------------------------
// Building

typedef struct built {
    const hf_machine *machine;
    hf_spec *spec;
    int ids[HF_MACHINE_PARTS]; // 0: not declared yet
} built;

static int id_of(const built *b, int part)
{
    return part < 0 ? 0 : b->ids[part];
}

static bool ready(const built *b, int part)
{
    return part < 0 || b->ids[part] != 0;
}

static bool can_declare(const built *b, const hf_part *part)
{
    bool all = ready(b, part->tree) && ready(b, part->parent) && ready(b, part->on) &&
               ready(b, part->to) && ready(b, part->normal);
    for (int i = 0; i < 6; ++i) {
        all = all && ready(b, part->signals[i]);
    }
    for (int i = 0; i < 3; ++i) {
        all = all && ready(b, part->rate_signals[i]);
    }
    return all;
}

static int declare_force(const built *b, const hf_part *part, hf_error *error)
{
    hf_force_def def = part->force;
    def.name = part->name;
    def.def = def.law == HF_LAW_FORCE ? NULL : &part->law;
    def.coupling.on_coordinate.body.id = id_of(b, part->on);
    def.coupling.to_coordinate.body.id = id_of(b, part->to);
    def.coupling.on_frame.body.id = id_of(b, part->on);
    def.coupling.to_frame.body.id = id_of(b, part->to);
    if (part->normal >= 0) {
        bool force = b->machine->parts[part->normal].kind == HF_PART_FORCE;
        *(force ? &def.normal.force.id : &def.normal.value.signal.id) = b->ids[part->normal];
    }
    for (int i = 0; i < 6; ++i) {
        def.values[i].signal.id = id_of(b, part->signals[i]);
    }
    return hf_spec_add_force(b->spec, &def, error).id;
}

static int declare_driven(const built *b, const hf_part *part, hf_error *error)
{
    hf_driven_def def = part->driven;
    def.name = part->name;
    for (int i = 0; i < 3; ++i) {
        def.motion[i].signal.id = id_of(b, part->signals[i]);
        def.rate[i].signal.id = id_of(b, part->rate_signals[i]);
    }
    return hf_spec_add_driven(b->spec, &def, error).id;
}

static int declare(const built *b, const hf_part *part, hf_error *error)
{
    hf_part copy = *part;
    switch (part->kind) {
    case HF_PART_SIGNAL:
        copy.signal.name = part->name;
        return hf_spec_add_signal(b->spec, &copy.signal, error).id;
    case HF_PART_MASS:
        copy.mass.name = part->name;
        return hf_spec_add_mass(b->spec, &copy.mass, error).id;
    case HF_PART_RIGID:
        copy.rigid.name = part->name;
        return hf_spec_add_rigid(b->spec, &copy.rigid, error).id;
    case HF_PART_DRIVEN:
        return declare_driven(b, part, error);
    case HF_PART_TREE:
        return hf_spec_add_tree(b->spec, part->name, error).id;
    case HF_PART_JOINT:
        copy.joint.name = part->name;
        copy.joint.parent.id = id_of(b, part->parent);
        return hf_spec_add_joint(b->spec, (hf_tree){b->ids[part->tree]}, &copy.joint, error).id;
    case HF_PART_FORCE:
        break;
    }
    return declare_force(b, part, error);
}

// Declares one part that can be: the first, or a random one.
static void declare_next(built *b, hf_rng *shuffle)
{
    int candidates[HF_MACHINE_PARTS], count = 0;
    for (int i = 0; i < b->machine->count; ++i) {
        if (b->ids[i] == 0 && can_declare(b, &b->machine->parts[i])) {
            candidates[count++] = i;
        }
    }
    assert_true(count > 0);
    int chosen = candidates[shuffle == NULL ? 0 : hf_rng_int(shuffle, 0, count - 1)];
    hf_error error = {0};
    b->ids[chosen] = declare(b, &b->machine->parts[chosen], &error);
    check_id(b->ids[chosen], &error);
}

hf_model *hf_machine_try(const hf_machine *machine, hf_rng *shuffle, hf_error *error)
{
    built b = {.machine = machine, .spec = hf_spec_create()};
    assert_non_null(b.spec);
    assert_int_equal(hf_spec_set_gravity(b.spec, machine->gravity, error), HF_OK);
    assert_int_equal(hf_spec_set_method(b.spec, machine->method, error), HF_OK);
    for (int i = 0; i < machine->count; ++i) {
        declare_next(&b, shuffle);
    }
    hf_model *model = hf_model_compile(b.spec, error);
    hf_spec_destroy(b.spec);
    return model;
}

hf_model *hf_machine_compile(const hf_machine *machine, hf_rng *shuffle)
{
    hf_error error = {0};
    hf_model *model = hf_machine_try(machine, shuffle, &error);
    check_id(model != NULL, &error);
    return model;
}

// SPDX-License-Identifier: Apache-2.0
// Refusals: for every law on every coupling under every method, a method that refuses the machine
// names all methods that run it, and no others.
#include <stdio.h>
#include <string.h>

#include <hf_test.h>
#include <holdfast/adaptive.h>
#include <holdfast/contact.h>
#include <holdfast/laws.h>
#include <holdfast/sim.h>
#include <holdfast/use_law.h>
#ifdef HF_TEST_NLP
#include <holdfast/nlp.h>
#endif

#define STEP 1e-4

// ------------------------------------------------------------------------------------------------
// Machines: some bodies, and one law on one coupling

typedef struct parts {
    hf_body block, other, belt, rod, ball, box, floor;
} parts;

static parts add_bodies(hf_spec *spec, hf_error *error)
{
    parts p = {0};
    hf_mass_def mass = hf_mass_def_default();
    mass.name = "block";
    p.block = hf_spec_add_mass(spec, &mass, error);
    mass.name = "other";
    mass.position[0] = 1.0;
    p.other = hf_spec_add_mass(spec, &mass, error);
    hf_driven_def driven = hf_driven_def_default();
    driven.name = "belt";
    driven.dim = 1;
    p.belt = hf_spec_add_driven(spec, &driven, error);
    hf_rigid_def rigid = hf_rigid_def_default();
    rigid.name = "rod";
    rigid.position = (hf_vec3){0.0, 0.0, 2.0};
    p.rod = hf_spec_add_rigid(spec, &rigid, error);
    rigid.name = "ball";
    rigid.position = (hf_vec3){1.0, 0.0, 2.0};
    p.ball = hf_spec_add_rigid(spec, &rigid, error);
    rigid.name = "box";
    rigid.shape = (hf_shape){.type = HF_SHAPE_BOX, .size = {0.1, 0.1, 0.1}};
    rigid.position = (hf_vec3){2.0, 0.0, 2.0};
    p.box = hf_spec_add_rigid(spec, &rigid, error);
    hf_static_def floor = hf_static_def_default();
    floor.name = "floor";
    p.floor = hf_spec_add_static(spec, &floor, error);
    assert_true(p.floor.id > 0);
    return p;
}

// Places for laws. `variant` 0 to PLACES - 1; coordinates come in dimensions and as differences.
enum { COORDINATES = 5, PLACES = COORDINATES + 2 * HF_COUPLING_TYPE_COUNT };

static hf_coupling_def place(const parts *p, int variant, hf_body members[3])
{
    if (variant < COORDINATES) {
        hf_coupling_def c = hf_coupling_def_default(HF_COUPLING_COORDINATE);
        c.dim = variant < 3 ? variant + 1 : 1;
        c.on_coordinate.body = variant == 4 ? p->belt : p->block;
        c.to_coordinate.body = variant == 3 ? p->other : (hf_body){0};
        return c;
    }
    hf_coupling_def c = hf_coupling_def_default(
        (hf_coupling_type)((variant - COORDINATES) % HF_COUPLING_TYPE_COUNT));
    c.turning = variant >= COORDINATES + HF_COUPLING_TYPE_COUNT;
    c.on_coordinate.body = p->other;
    c.on_frame.body = p->rod;
    if (c.type == HF_COUPLING_SPHERES || c.type == HF_COUPLING_DISTANCE) {
        c.to_frame.body = p->ball;
    }
    c.radius = c.type == HF_COUPLING_PLANE || c.type == HF_COUPLING_SPHERES ? 0.1 : 0.0;
    c.to_radius = c.type == HF_COUPLING_SPHERES ? 0.1 : 0.0;
    members[0] = p->rod;
    members[1] = p->ball;
    members[2] = c.type == HF_COUPLING_SHAPES ? p->box : (hf_body){0};
    if (c.type == HF_COUPLING_SWARM || c.type == HF_COUPLING_SHAPES) {
        c.members = members;
        c.member_count = c.type == HF_COUPLING_SHAPES ? 3 : 2;
    }
    return c;
}

// What is changed in a law's default.
typedef enum change { AS_IT_IS, NO_DAMPING, STATIC_ABOVE, VISCOUS, CHANGES } change;

static void change_def(const hf_law_info *law, change what, void *def)
{
    for (int i = 0; i < law->param_count; ++i) {
        void *member = (char *)def + law->params[i].offset;
        if (what == NO_DAMPING && strcmp(law->params[i].name, "damping") == 0) {
            *(double *)member = 0.0;
        }
        if (law->params[i].kind == HF_PARAM_LEVEL) {
            hf_level *level = member;
            for (int side = 0; side < 2; ++side) {
                level->peak[side] =
                    what == STATIC_ABOVE ? 1.5 * level->kinetic[side] : level->peak[side];
                level->viscous[side] = what == VISCOUS ? 0.1 : level->viscous[side];
            }
        }
    }
}

// The machine, or NULL where the law does not go there.
static hf_model *machine(const hf_law_info *law, int variant, change what)
{
    max_align_t def[64];
    assert_true(law->def_size <= sizeof def);
    law->set_default(def);
    change_def(law, what, def);
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    parts p = add_bodies(spec, &error);
    hf_body members[3];
    hf_force_def force = hf_force_def_default();
    force.name = "f";
    force.law = law->type;
    force.def = def;
    force.coupling = place(&p, variant, members);
    force.normal.value.constant = 1.0;
    hf_force id = hf_spec_add_force(spec, &force, &error);
    hf_model *model = id.id == 0 ? NULL : hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    return model;
}

// ------------------------------------------------------------------------------------------------
// Runs and what refusals name

static bool is_linked(hf_method_type type)
{
#ifdef HF_TEST_NLP
    (void)type;
    return true;
#else
    return type != HF_METHOD_NLP;
#endif
}

// Whether the method makes a step of the machine; `error` holds its refusal otherwise.
static bool runs(const hf_model *model, hf_method_type type, hf_error *error)
{
    hf_sim_def def = hf_sim_def_default(model);
    def.method = (hf_method_def){.type = type, .step = STEP};
    def.methods[0] = hf_adaptive_methods();
    def.methods[1] = hf_contact_methods();
#ifdef HF_TEST_NLP
    def.methods[2] = hf_nlp_methods();
#endif
    hf_sim *sim = hf_sim_create(model, &def, error);
    if (sim == NULL) {
        if (error->status != HF_ERROR_UNSUPPORTED) {
            fail_msg("%s: %s", hf_method_name(type), error->text);
        }
        return false;
    }
    if (hf_sim_step(sim, error) < 0) {
        fail_msg("%s: %s", hf_method_name(type), error->text);
    }
    hf_sim_destroy(sim);
    return true;
}

// The methods between "; " and " run this machine" or " runs this machine".
static unsigned named_in(const char *text)
{
    const char *end = strstr(text, " run this machine");
    end = end == NULL ? strstr(text, " runs this machine") : end;
    if (end == NULL || strstr(text, "no method runs this machine") != NULL) {
        return 0;
    }
    const char *start = end;
    while (start > text && !(start[-1] == ' ' && start[-2] == ';')) {
        --start;
    }
    unsigned set = 0;
    while (start < end) {
        size_t length = strcspn(start, ", ");
        char word[40];
        (void)snprintf(word, sizeof word, "%.*s", (int)length, start);
        if (strcmp(word, "and") != 0 && word[0] != '\0') {
            hf_method_type type = hf_method_find(word);
            if (type == HF_METHOD_COUNT) {
                fail_msg("'%s' is no method, in '%s'", word, text);
            }
            set |= 1u << type;
        }
        start += length + strspn(start + length, ", ");
    }
    return set;
}

typedef struct counts {
    int machines, runs, refusals, instead;
} counts;

// "rk4 runs it with law: stiction" must hold.
static void check_instead(const char *text, hf_method_type type, int variant, counts *seen)
{
    const char *found = strstr(text, " runs it with law: ");
    if (found == NULL) {
        return;
    }
    hf_error error = {0};
    const hf_law_info *law = hf_law_info_find(found + strlen(" runs it with law: "));
    hf_model *model = law == NULL ? NULL : machine(law, variant, AS_IT_IS);
    if (model == NULL || !runs(model, type, &error)) {
        fail_msg("'%s' is not so: %s", text, error.text);
    }
    hf_model_destroy(model);
    seen->instead += 1;
}

static void check_machine(const hf_law_info *law, int variant, change what, counts *seen)
{
    hf_model *model = machine(law, variant, what);
    if (model == NULL) {
        return;
    }
    hf_error errors[HF_METHOD_COUNT] = {0};
    unsigned running = 0, linked = 0;
    for (int i = 0; i < HF_METHOD_COUNT; ++i) {
        if (is_linked((hf_method_type)i)) {
            linked |= 1u << i;
            running |= runs(model, (hf_method_type)i, &errors[i]) ? 1u << i : 0u;
        }
    }
    seen->machines += 1;
    for (int i = 0; i < HF_METHOD_COUNT; ++i) {
        if ((running >> i & 1u) != 0u || (linked >> i & 1u) == 0u) {
            seen->runs += 1;
            continue;
        }
        seen->refusals += 1;
        unsigned named = named_in(errors[i].text) & linked;
        if (named != running) {
            fail_msg("law %s, place %d, change %d: named %x, running %x: %s", law->name, variant,
                     (int)what, named, running, errors[i].text);
        }
        check_instead(errors[i].text, (hf_method_type)i, variant, seen);
    }
    hf_model_destroy(model);
}

static void every_law_and_coupling(void **state)
{
    (void)state;
    counts seen = {0};
    for (int i = 0; i < HF_LAW_TYPE_COUNT; ++i) {
        const hf_law_info *law = hf_law_info_get((hf_law_type)i);
        counts before = seen;
        for (int variant = 0; law != NULL && variant < PLACES; ++variant) {
            for (int what = 0; what < CHANGES; ++what) {
                check_machine(law, variant, (change)what, &seen);
            }
        }
        if (law != NULL && seen.machines == before.machines) {
            fail_msg("law %s went on no coupling", law->name);
        }
    }
    printf("%d machines: %d runs, %d refusals, %d with another law\n", seen.machines, seen.runs,
           seen.refusals, seen.instead);
    assert_true(seen.machines > 100 && seen.refusals > 100 && seen.instead > 10);
}

// ------------------------------------------------------------------------------------------------
// What was asked for by name

static void expect(hf_law_type law, hf_method_type method, const char *expected)
{
    hf_error error = {0};
    hf_model *model = machine(hf_law_info_get(law), 0, AS_IT_IS);
    assert_false(runs(model, method, &error));
    if (strstr(error.text, expected) == NULL) {
        fail_msg("expected '%s' in '%s'", expected, error.text);
    }
    hf_model_destroy(model);
}

static void coulomb_and_karnopp(void **state)
{
    (void)state;
    expect(HF_LAW_COULOMB, HF_METHOD_RK4,
           "euler, semi-implicit-euler, discrete, switch, timestep and nlp run this machine; rk4 "
           "runs it with law: stiction");
    expect(HF_LAW_KARNOPP, HF_METHOD_ADAPTIVE, "; euler, semi-implicit-euler and discrete run");
}

// A friction that is loaded by another, and one along the stop that loads it.
static void loaded_frictions(void **state)
{
    (void)state;
    for (int stop = 0; stop < 2; ++stop) {
        hf_error error = {0};
        hf_spec *spec = hf_spec_create();
        parts p = add_bodies(spec, &error);
        hf_coulomb_def coulomb = hf_coulomb_def_default();
        hf_stop_def end = hf_stop_def_default();
        end.low = -1.0;
        hf_force_def force = hf_force_def_default();
        force.name = "load";
        hf_force_use_coulomb(&force, &coulomb);
        if (stop) {
            hf_force_use_stop(&force, &end);
        }
        force.coupling.on_coordinate.body = p.block;
        hf_force load = hf_spec_add_force(spec, &force, &error);
        coulomb.level = hf_level_coefficient(0.3);
        force.name = "f";
        hf_force_use_coulomb(&force, &coulomb);
        force.normal.force = load;
        force.coupling.on_coordinate.axis = stop ? 0 : 1;
        (void)hf_spec_add_force(spec, &force, &error);
        hf_model *model = hf_model_compile(spec, &error);
        hf_spec_destroy(spec);
        if (model == NULL) {
            fail_msg("%s", error.text);
        }
        unsigned running = 0;
        for (int i = 0; i < HF_METHOD_COUNT; ++i) {
            running |= is_linked((hf_method_type)i) && runs(model, (hf_method_type)i, &error)
                           ? 1u << i
                           : 0u;
        }
        assert_false(runs(model, HF_METHOD_SWITCH, &error));
        assert_true((named_in(error.text) & running) == running && running != 0);
        hf_model_destroy(model);
    }
}

// A machine that nothing moves in.
static void still_machines(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_static_def floor = hf_static_def_default();
    floor.name = "floor";
    (void)hf_spec_add_static(spec, &floor, &error);
    hf_model *model = hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    assert_non_null(model);
    assert_false(runs(model, HF_METHOD_ADAPTIVE, &error));
    assert_non_null(strstr(error.text, "nothing that moves; euler,"));
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_law_and_coupling),
        cmocka_unit_test(coulomb_and_karnopp),
        cmocka_unit_test(loaded_frictions),
        cmocka_unit_test(still_machines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
// Bodies of the caller's own kinds.
#include <math.h>
#include <string.h>

#include <hf_test.h>
#include <holdfast/holdfast.h>

// Two masses on a line in other coordinates: q = (x1, x1 + x2), M from x' M x.
typedef struct pair {
    double one, two, stiffness;
} pair;

static void pair_mass(const void *def, const double *q, double *m)
{
    const pair *d = def;
    (void)q;
    m[0] = d->one + d->two;
    m[1] = m[2] = -d->two;
    m[3] = d->two;
}

// A spring between the origin and x2 = q1 - q0.
static void pair_force(const void *def, const double *q, const double *v, hf_vec3 gravity,
                       double *f)
{
    const pair *d = def;
    (void)v;
    double pull = d->stiffness * (q[1] - q[0]);
    f[0] = pull + d->one * gravity.x - d->two * gravity.x;
    f[1] = -pull + d->two * gravity.x;
}

static double pair_potential(const void *def, const double *q, hf_vec3 gravity)
{
    const pair *d = def;
    double x2 = q[1] - q[0];
    return 0.5 * d->stiffness * x2 * x2 - gravity.x * (d->one * q[0] + d->two * x2);
}

static const char *const axes[] = {"first", "sum"};
static const hf_body_kind kind = {.name = "pair",
                                  .coordinates = 2,
                                  .axes = axes,
                                  .def_size = sizeof(pair),
                                  .mass = pair_mass,
                                  .force = pair_force,
                                  .potential = pair_potential};

static void add_force(hf_spec *spec, hf_body body, int axis, const char *name, hf_law_type law,
                      const void *def)
{
    hf_error error = {0};
    hf_force_def force = hf_force_def_default();
    force.name = name;
    force.coupling = hf_coupling_def_default(HF_COUPLING_COORDINATE);
    force.coupling.dim = 1;
    force.coupling.on_coordinate = (hf_coordinate){body, axis};
    force.law = law;
    force.def = def;
    if (hf_spec_add_force(spec, &force, &error).id == 0) {
        fail_msg("%s", error.text);
    }
}

static hf_sim *sim_of(hf_spec *spec, hf_method_type method, double step, hf_model **model)
{
    hf_error error = {0};
    *model = hf_model_compile(spec, &error);
    if (*model == NULL) {
        fail_msg("%s", error.text);
    }
    hf_spec_destroy(spec);
    hf_sim_def def = hf_sim_def_default(*model);
    def.method = hf_method_def_default();
    def.method.type = method;
    def.method.step = step;
    def.methods[0] = hf_contact_methods();
    hf_sim *sim = hf_sim_create(*model, &def, &error);
    if (sim == NULL) {
        fail_msg("%s", error.text);
    }
    return sim;
}

static void run(hf_sim *sim, int steps)
{
    hf_error error = {0};
    for (int i = 0; i < steps; ++i) {
        if (hf_sim_step(sim, &error) < 0) {
            fail_msg("%s", error.text);
        }
    }
}

static hf_body add_pair(hf_spec *spec, const pair *def, const double x[2], const double v[2])
{
    hf_error error = {0};
    const double q[2] = {x[0], x[0] + x[1]}, dq[2] = {v[0], v[0] + v[1]};
    hf_body body = hf_spec_add_body(
        spec,
        &(hf_body_def){.name = "pair", .kind = &kind, .def = def, .position = q, .velocity = dq},
        &error);
    if (body.id == 0) {
        fail_msg("%s", error.text);
    }
    return body;
}

static hf_body add_mass(hf_spec *spec, const char *name, double mass, double x, double v)
{
    hf_error error = {0};
    hf_mass_def def = hf_mass_def_default();
    def.name = name;
    def.dim = 1;
    def.mass = mass;
    def.position[0] = x;
    def.velocity[0] = v;
    hf_body body = hf_spec_add_mass(spec, &def, &error);
    if (body.id == 0) {
        fail_msg("%s", error.text);
    }
    return body;
}

static pair random_pair(hf_rng *rng)
{
    return (pair){.one = hf_rng_log_uniform(rng, 0.1, 10.0),
                  .two = hf_rng_log_uniform(rng, 0.1, 10.0),
                  .stiffness = hf_rng_log_uniform(rng, 1.0, 100.0)};
}

static hf_spec *spec_with_gravity(double along_x)
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    assert_true(hf_spec_set_gravity(spec, (hf_vec3){along_x, 0.0, 0.0}, &error) >= 0);
    return spec;
}

// Coordinates of another kind, the same machine: two masses of which one is on a spring.
static void other_coordinates(void **state)
{
    (void)state;
    static const hf_method_type methods[] = {HF_METHOD_EULER, HF_METHOD_SEMI_IMPLICIT_EULER,
                                             HF_METHOD_RK4, HF_METHOD_RK4_TAU, HF_METHOD_DISCRETE};
    hf_rng rng = hf_rng_create(2711);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
        pair def = random_pair(&rng);
        const double x[2] = {hf_rng_normal(&rng), hf_rng_normal(&rng)};
        const double v[2] = {hf_rng_normal(&rng), hf_rng_normal(&rng)};
        hf_model *models[2];
        hf_spec *own = spec_with_gravity(0.4), *plain = spec_with_gravity(0.4);
        (void)add_pair(own, &def, x, v);
        (void)add_mass(plain, "a", def.one, x[0], v[0]);
        hf_spring_def spring = hf_spring_def_default();
        spring.stiffness = def.stiffness;
        spring.damping = 0.0;
        add_force(plain, add_mass(plain, "b", def.two, x[1], v[1]), 0, "spring", HF_LAW_SPRING,
                  &spring);
        hf_sim *sim = sim_of(own, methods[i], 1e-3, &models[0]);
        hf_sim *masses = sim_of(plain, methods[i], 1e-3, &models[1]);
        run(sim, 200);
        run(masses, 200);
        const double *q = hf_sim_position(sim, hf_model_find_body(models[0], "pair"));
        const double *dq = hf_sim_velocity(sim, hf_model_find_body(models[0], "pair"));
        const double *xa = hf_sim_position(masses, hf_model_find_body(models[1], "a"));
        const double *xb = hf_sim_position(masses, hf_model_find_body(models[1], "b"));
        const double *vb = hf_sim_velocity(masses, hf_model_find_body(models[1], "b"));
        hf_check_near(q[0], xa[0], 1e-11, "x1", "two masses");
        hf_check_near(q[1] - q[0], xb[0], 1e-11, "x2", "two masses");
        hf_check_near(dq[1] - dq[0], vb[0], 1e-10, "v2", "two masses");
        hf_energy energy = hf_sim_energy(sim), other = hf_sim_energy(masses);
        hf_check_near(energy.kinetic, other.kinetic, 1e-9, "kinetic energy", "two masses");
        hf_check_near(energy.kinetic + energy.potential,
                      other.kinetic + other.potential + other.stored, 1e-9, "energy", "two masses");
        hf_sim_destroy(sim);
        hf_sim_destroy(masses);
        hf_model_destroy(models[0]);
        hf_model_destroy(models[1]);
    }
}

// Coulomb friction on one coordinate of a full M: W is (M^-1)_00, and what holds holds exactly.
static void friction_holds(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(2712);
    for (int i = 0; i < 20; ++i) {
        hf_method_type method = i % 2 == 0 ? HF_METHOD_DISCRETE : HF_METHOD_TIMESTEP;
        pair def = random_pair(&rng);
        const double x[2] = {0.0, hf_rng_uniform(&rng, 0.5, 1.0)}, v[2] = {0.0, 0.0};
        // What holds x1 and lets q1 go carries the spring: |f0 - f1 M01/M11| = k x2 + ... < k x2 2.
        double load = def.stiffness * x[1];
        hf_coulomb_def friction = hf_coulomb_def_default();
        friction.level = hf_level_coulomb(2.0 * load);
        hf_model *model;
        hf_spec *spec = spec_with_gravity(0.0);
        hf_body body = add_pair(spec, &def, x, v);
        add_force(spec, body, 0, "friction", HF_LAW_COULOMB, &friction);
        hf_sim *sim = sim_of(spec, method, 1e-4, &model);
        run(sim, 100);
        const double *dq = hf_sim_velocity(sim, body), *q = hf_sim_position(sim, body);
        hf_check_near(dq[0], 0.0, 0.0, "velocity of what is held", "exactly zero");
        // The rest is a mass on a spring: semi-implicit Euler's oscillation.
        double y = x[1], w = 0.0;
        for (int k = 0; k < 100; ++k) {
            w -= 1e-4 * def.stiffness / def.two * y;
            y += 1e-4 * w;
        }
        // Time-stepping takes the spring at another time: off by h^2 k/m in a step.
        double allowed = method == HF_METHOD_DISCRETE ? 1e-12 : 1e-2 * fabs(x[1] - y);
        hf_check_near(q[1] - q[0], y, allowed, "what is free", "a mass on a spring");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// Friction on the sum x1 + x2 pushes both masses: x1'' = -F/m1, x2'' = -F/m2, until the sum stops;
// then both go on, each with what is left, in opposite directions.
static void friction_slides(void **state)
{
    (void)state;
    static const hf_method_type methods[] = {HF_METHOD_EULER, HF_METHOD_SEMI_IMPLICIT_EULER,
                                             HF_METHOD_DISCRETE, HF_METHOD_TIMESTEP};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
        const pair def = {.one = 2.0, .two = 0.5, .stiffness = 0.0};
        const double x[2] = {0.0, 0.0}, v[2] = {1.0, -0.25}, level = 0.8, h = 1e-4;
        hf_coulomb_def friction = hf_coulomb_def_default();
        friction.level = hf_level_coulomb(level);
        hf_model *model;
        hf_spec *spec = spec_with_gravity(0.0);
        hf_body body = add_pair(spec, &def, x, v);
        add_force(spec, body, 1, "friction", HF_LAW_COULOMB, &friction);
        hf_sim *sim = sim_of(spec, methods[i], h, &model);
        run(sim, 2000); // 0.2 s; the sum stops at 0.75/(F/m1 + F/m2) = 0.375 s
        const double *dq = hf_sim_velocity(sim, body);
        hf_check_near(dq[0], v[0] - level / def.one * 0.2, 1e-9, "x1'", "v1 - F t/m1");
        hf_check_near(dq[1] - dq[0], v[1] - level / def.two * 0.2, 1e-9, "x2'", "v2 - F t/m2");
        run(sim, 2000);
        double stop = 0.75 / (level / def.one + level / def.two);
        hf_check_near(dq[1], 0.0, 0.0, "x1' + x2'", "it stopped");
        hf_check_near(dq[0], v[0] - level / def.one * stop, 1e-3 * level, "x1'", "at the stop");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

static void names_and_units(void **state)
{
    (void)state;
    const pair def = {1.0, 2.0, 3.0};
    const double zeros[2] = {0.0, 0.0};
    hf_model *model;
    hf_spec *spec = spec_with_gravity(0.0);
    hf_body body = add_pair(spec, &def, zeros, zeros);
    hf_sim *sim = sim_of(spec, HF_METHOD_RK4, 1e-3, &model);
    hf_channel channel = hf_model_find_channel(model, "pair.velocity.sum");
    assert_int_not_equal(channel.id, 0);
    assert_string_equal(hf_model_channel_unit(model, channel), "m/s");
    hf_coordinate sum = hf_model_find_coordinate(model, "pair.sum");
    assert_int_equal(sum.body.id, body.id);
    assert_int_equal(sum.axis, 1);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A coordinate in radians: a force on it is a torque, one on its neighbour in metres is not.
static void torques_on_angles(void **state)
{
    (void)state;
    static const char *const units[] = {"rad", "m"}, *const rates[] = {"rad/s", "m/s"};
    hf_body_kind mixed = kind;
    mixed.units = units;
    mixed.rate_units = rates;
    hf_error error = {0};
    const pair def = {1.0, 2.0, 3.0};
    hf_spec *spec = spec_with_gravity(0.0);
    hf_body body =
        hf_spec_add_body(spec, &(hf_body_def){.name = "pair", .kind = &mixed, .def = &def}, &error);
    assert_int_not_equal(body.id, 0);
    hf_spring_def spring = hf_spring_def_default();
    add_force(spec, body, 0, "twist", HF_LAW_SPRING, &spring);
    add_force(spec, body, 1, "pull", HF_LAW_SPRING, &spring);
    hf_model *model = hf_model_compile(spec, &error);
    assert_non_null(model);
    hf_spec_destroy(spec);
    const char *const wanted[][2] = {
        {"twist.force", "Nm"}, {"twist.gap", "rad"}, {"pull.force", "N"}, {"pull.gap", "m"}};
    for (int i = 0; i < 4; ++i) {
        hf_channel channel = hf_model_find_channel(model, wanted[i][0]);
        assert_int_not_equal(channel.id, 0);
        assert_string_equal(hf_model_channel_unit(model, channel), wanted[i][1]);
    }
    hf_model_destroy(model);
}

static void indefinite(const void *def, const double *q, double *m)
{
    (void)def, (void)q;
    m[0] = m[3] = 1.0;
    m[1] = m[2] = 2.0;
}

static void lopsided(const void *def, const double *q, double *m)
{
    (void)def, (void)q;
    m[0] = m[3] = 1.0;
    m[1] = 0.5;
    m[2] = 0.0;
}

static void refuses(hf_body_kind wrong, const void *def, const char *says)
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_body body =
        hf_spec_add_body(spec, &(hf_body_def){.name = "x", .kind = &wrong, .def = def}, &error);
    assert_int_equal(body.id, 0);
    if (strstr(error.text, says) == NULL) {
        fail_msg("'%s' does not say '%s'", error.text, says);
    }
    hf_spec_destroy(spec);
}

static void refusals(void **state)
{
    (void)state;
    const pair def = {1.0, 2.0, 3.0};
    const double zeros[2] = {0.0, 0.0};
    hf_body_kind wrong = kind;
    refuses(wrong, NULL, "the definition that the kind asks for");
    wrong.coordinates = HF_BODY_KIND_MOST + 1;
    refuses(wrong, &def, "has 9 coordinates, 1 to 8 can be");
    wrong = kind;
    wrong.mass = NULL;
    refuses(wrong, &def, "must have a name, axes and a mass");
    wrong.mass = indefinite;
    refuses(wrong, &def, "not symmetric and positive definite");
    wrong.mass = lopsided;
    refuses(wrong, &def, "not symmetric and positive definite");
    // It has no place in space.
    hf_error error = {0};
    hf_spec *spec = spec_with_gravity(0.0);
    hf_spring_def spring = hf_spring_def_default();
    hf_force_def force = hf_force_def_default();
    force.name = "f";
    force.coupling = hf_coupling_def_default(HF_COUPLING_POINTS);
    force.coupling.on_frame.body = add_pair(spec, &def, zeros, zeros);
    hf_force_use_spring(&force, &spring);
    assert_int_equal(hf_spec_add_force(spec, &force, &error).id, 0);
    assert_non_null(strstr(error.text, "has no place in space; couple to its coordinates"));
    hf_loop_def loop = hf_loop_def_default();
    loop.name = "l";
    loop.on_frame.body = force.coupling.on_frame.body;
    assert_int_equal(hf_spec_add_loop(spec, &loop, &error).id, 0);
    assert_non_null(strstr(error.text, "has no place in space"));
    hf_spec_destroy(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_coordinates), cmocka_unit_test(friction_holds),
        cmocka_unit_test(friction_slides),   cmocka_unit_test(names_and_units),
        cmocka_unit_test(torques_on_angles), cmocka_unit_test(refusals)};
    return hf_run_tests(tests);
}

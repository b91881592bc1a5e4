// SPDX-License-Identifier: Apache-2.0
// Couplings of the program's own kinds: wiring and bias by finite differences and power; the same
// machine with the library's own couplings of these functions, under every method; closed forms.
#include <holdfast/adaptive.h>
#include <holdfast/contact.h>
#include <holdfast/coupling.h>
#include <holdfast/holdfast.h>
#include <math.h>
#include <string.h>

#include "hf_test.h"
#include "sim/sim_data.h"

// ------------------------------------------------------------------------------------------------
// Kinds

// The length of a wire from a peg to a point in the plane: |p - peg|.
typedef struct wire {
    double x, y; // of the peg [m]
} wire;

static void wire_gap(const void *def, int n, const double *q, double *gap)
{
    const wire *w = def;
    (void)n;
    gap[0] = hypot(q[0] - w->x, q[1] - w->y);
}

static void wire_jacobian(const void *def, int n, const double *q, double *jacobian)
{
    const wire *w = def;
    double length;
    wire_gap(def, n, q, &length);
    jacobian[0] = (q[0] - w->x) / length;
    jacobian[1] = (q[1] - w->y) / length;
}

// |d|'' = n.d'' + (v.v - (n.v)^2)/|d|
static void wire_bias(const void *def, int n, const double *q, const double *v, double *bias)
{
    double length, j[2];
    wire_gap(def, n, q, &length);
    wire_jacobian(def, n, q, j);
    double along = j[0] * v[0] + j[1] * v[1];
    bias[0] = (v[0] * v[0] + v[1] * v[1] - along * along) / length;
}

static const hf_coupling_kind WIRE = {.name = "wire",
                                      .rows = 1,
                                      .def_size = sizeof(wire),
                                      .gap = wire_gap,
                                      .jacobian = wire_jacobian,
                                      .bias = wire_bias};

// Two rows of two coordinates: a cam's lift against a follower, and a product.
//   (x - 0.1 (1 - cos a),  a x)
static void cam_gap(const void *def, int n, const double *q, double *gap)
{
    (void)def, (void)n;
    gap[0] = q[1] - 0.1 * (1.0 - cos(q[0]));
    gap[1] = q[0] * q[1];
}

static void cam_jacobian(const void *def, int n, const double *q, double *jacobian)
{
    (void)def, (void)n;
    const double j[] = {-0.1 * sin(q[0]), 1.0, q[1], q[0]};
    memcpy(jacobian, j, sizeof j);
}

static void cam_bias(const void *def, int n, const double *q, const double *v, double *bias)
{
    (void)def, (void)n;
    bias[0] = -0.1 * cos(q[0]) * v[0] * v[0];
    bias[1] = 2.0 * v[0] * v[1];
}

static const char *const cam_rows[] = {"lift", "product"};
static const hf_coupling_kind CAM = {.name = "cam",
                                     .rows = 2,
                                     .row_names = cam_rows,
                                     .gap = cam_gap,
                                     .jacobian = cam_jacobian,
                                     .bias = cam_bias};

// A difference with a factor, which the coupling `ratio` has too. J is constant: no bias.
static void belt_gap(const void *def, int n, const double *q, double *gap)
{
    (void)def, (void)n;
    gap[0] = 3.0 * q[0] - 2.0 * q[1];
}

static void belt_jacobian(const void *def, int n, const double *q, double *jacobian)
{
    (void)def, (void)n, (void)q;
    jacobian[0] = 3.0;
    jacobian[1] = -2.0;
}

static const hf_coupling_kind BELT = {
    .name = "belt", .rows = 1, .gap = belt_gap, .jacobian = belt_jacobian};

// ------------------------------------------------------------------------------------------------
// Machines

typedef struct bench {
    hf_spec *spec;
    hf_model *model;
    hf_sim *sim;
} bench;

static hf_body add_mass(hf_spec *spec, const char *name, int dim, double mass, const double *q,
                        const double *v)
{
    hf_error error = {0};
    hf_mass_def def = hf_mass_def_default();
    def.name = name;
    def.dim = dim;
    def.mass = mass;
    memcpy(def.position, q, (size_t)dim * sizeof *q);
    memcpy(def.velocity, v, (size_t)dim * sizeof *v);
    hf_body body = hf_spec_add_mass(spec, &def, &error);
    assert_int_not_equal(body.id, 0);
    return body;
}

static hf_force_def force_of(const char *name, hf_coupling_def coupling, hf_law_type law,
                             const void *law_def)
{
    hf_force_def def = hf_force_def_default();
    def.name = name;
    def.coupling = coupling;
    def.law = law;
    def.def = law_def;
    return def;
}

static hf_coupling_def own_of(const hf_coupling_kind *kind, const void *def,
                              const hf_coordinate *coordinates, int count)
{
    hf_coupling_def coupling = hf_coupling_def_default(HF_COUPLING_OWN);
    coupling.kind = kind;
    coupling.kind_def = def;
    coupling.coordinates = coordinates;
    coupling.coordinate_count = count;
    return coupling;
}

static void add(hf_spec *spec, const hf_force_def *def)
{
    hf_error error = {0};
    if (hf_spec_add_force(spec, def, &error).id == 0) {
        fail_msg("%s", error.text);
    }
}

static void open_bench(bench *b, hf_method_type type, double step)
{
    hf_error error = {0};
    b->model = hf_model_compile(b->spec, &error);
    assert_non_null(b->model);
    hf_spec_destroy(b->spec); // the model has what it needs
    hf_sim_def def = hf_sim_def_default(b->model);
    def.method = hf_method_def_default();
    def.method.type = type;
    def.method.step = step;
    if (type == HF_METHOD_ADAPTIVE || type == HF_METHOD_SWITCH) {
        def.method.rtol = def.method.atol = 1e-10;
    }
    def.methods[0] = hf_adaptive_methods();
    def.methods[1] = hf_contact_methods();
    b->sim = hf_sim_create(b->model, &def, &error);
    if (b->sim == NULL) {
        fail_msg("%s", error.text);
    }
}

static void close_bench(bench *b)
{
    hf_sim_destroy(b->sim);
    hf_model_destroy(b->model);
}

static void run(bench *b, double end)
{
    hf_error error = {0};
    while (hf_sim_time(b->sim) < end - 1e-9) {
        if (hf_sim_step(b->sim, &error) < 0) {
            fail_msg("%s", error.text);
        }
    }
}

// ------------------------------------------------------------------------------------------------

// rate = d gap/dt, rate' = d rate/dt at constant v, and u.v = -force.rate, at random states.
static void wiring(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(30);
    const wire peg = {0.3, -2.5};
    for (int m = 0; m < 200; ++m) {
        const double zero[2] = {0.0, 0.0};
        bench b = {.spec = hf_spec_create()};
        hf_body one = add_mass(b.spec, "one", 1, 1.0, zero, zero);
        hf_body two = add_mass(b.spec, "two", 2, 1.0, zero, zero);
        const hf_coordinate at[] = {{one, 0}, {two, 1}};
        bool cam = m % 2 == 0;
        hf_coupling_def coupling = own_of(cam ? &CAM : &WIRE, cam ? NULL : &peg, at, 2);
        hf_force_def def = force_of("own", coupling, HF_LAW_FORCE, NULL);
        for (int k = 0; k < 2; ++k) {
            def.values[k].constant = hf_rng_uniform(&rng, -5.0, 5.0);
        }
        add(b.spec, &def);
        open_bench(&b, HF_METHOD_EULER, 1e-3);
        double *x = b.sim->x, *v = x + b.model->nq, gap[2][2], rate[2][2], change[2], power = 0.0;
        for (int i = 0; i < b.model->nq + b.model->nv; ++i) {
            x[i] = hf_rng_uniform(&rng, -1.0, 1.0);
        }
        hf_sim_eval(b.sim, 0.0, HF_SIDE_AT, 0.0, x, b.sim->slope);
        int rows = cam ? 2 : 1;
        double law = 0.0, now[2] = {b.sim->rate[0], cam ? b.sim->rate[1] : 0.0};
        for (int i = 0; i < b.model->nv; ++i) {
            power += b.sim->u[i] * v[i];
        }
        for (int k = 0; k < rows; ++k) {
            law -= b.sim->force[k] * b.sim->rate[k];
        }
        hf_check_near(power, law, 1e-12, "power on the bodies", "-force.rate of the coupling");
        hf_force_bias(&b.model->forces[0], &(hf_bias){.q = x, .v = v, .change = change});
        for (int side = 0; side < 2; ++side) {
            for (int i = 0; i < b.model->nq; ++i) {
                x[i] += (side == 0 ? -1e-5 : 2e-5) * v[i];
            }
            hf_sim_eval(b.sim, 0.0, HF_SIDE_AT, 0.0, x, b.sim->slope);
            memcpy(gap[side], b.sim->gap, (size_t)rows * sizeof(double));
            memcpy(rate[side], b.sim->rate, (size_t)rows * sizeof(double));
        }
        for (int k = 0; k < rows; ++k) {
            hf_check_near(now[k], (gap[1][k] - gap[0][k]) / 2e-5, 1e-8, "rate",
                          "central difference of the gap");
            hf_check_near(change[k], (rate[1][k] - rate[0][k]) / 2e-5, 1e-8, "bias",
                          "central difference of the rate");
        }
        close_bench(&b);
    }
}

// A point on a spring to the peg, in a circle: m w^2 r = K (r - r0).
static void circle(void **state)
{
    (void)state;
    const hf_method_type types[] = {HF_METHOD_RK4, HF_METHOD_ADAPTIVE, HF_METHOD_SWITCH};
    for (int m = 0; m < 3; ++m) {
        const wire peg = {1.0, 2.0};
        double mass = 0.7, k = 90.0, rest = 0.4, r = 0.5, w = sqrt(k * (r - rest) / (mass * r));
        bench b = {.spec = hf_spec_create()};
        hf_body p =
            add_mass(b.spec, "p", 2, mass, (double[]){1.0 + r, 2.0}, (double[]){0.0, w * r});
        const hf_coordinate at[] = {{p, 0}, {p, 1}};
        hf_spring_def spring = hf_spring_def_default();
        spring.stiffness = k;
        spring.rest = rest;
        hf_force_def def = force_of("wire", own_of(&WIRE, &peg, at, 2), HF_LAW_SPRING, &spring);
        add(b.spec, &def);
        open_bench(&b, types[m], 1e-3);
        run(&b, 2.0);
        hf_check_near(b.sim->x[0], 1.0 + r * cos(2.0 * w), 1e-7, "x(2 s)", "circle");
        hf_check_near(b.sim->x[1], 2.0 + r * sin(2.0 * w), 1e-7, "y(2 s)", "circle");
        hf_check_near(hf_sim_energy(b.sim).residual, 0.0, 1e-6, "residual", "energy");
        close_bench(&b);
    }
}

// Friction along a wire, and a spring across it: by the library's distance, and by a kind that is
// the same. Friction sticks at first, slips, and sticks again.
static bench swing(bool own, hf_law_type law, hf_method_type type, double step, double level)
{
    static const wire peg = {0.0, 0.0};
    bench b = {.spec = hf_spec_create()};
    hf_body p = add_mass(b.spec, "p", 2, 1.0, (double[]){0.9, 0.3}, (double[]){-0.2, 1.5});
    const hf_coordinate at[] = {{p, 0}, {p, 1}};
    hf_coupling_def coupling = own_of(&WIRE, &peg, at, 2);
    if (!own) {
        coupling = hf_coupling_def_default(HF_COUPLING_DISTANCE);
        coupling.on_frame.body = p;
    }
    hf_coulomb_def coulomb = hf_coulomb_def_default();
    coulomb.level = hf_level_coulomb(level);
    hf_stiction_def stiction = hf_stiction_def_default();
    stiction.level = hf_level_coulomb(level);
    stiction.stiffness = 1e4;
    stiction.damping = 20.0;
    hf_force_def def =
        force_of("rub", coupling, law, law == HF_LAW_COULOMB ? (const void *)&coulomb : &stiction);
    add(b.spec, &def);
    hf_coupling_def sideways = hf_coupling_def_default(HF_COUPLING_COORDINATE);
    sideways.dim = 2;
    sideways.on_coordinate.body = p;
    hf_spring_def spring = hf_spring_def_default();
    spring.stiffness = 20.0;
    def = force_of("spring", sideways, HF_LAW_SPRING, &spring);
    add(b.spec, &def);
    open_bench(&b, type, step);
    return b;
}

static void same_as_distance(void **state)
{
    (void)state;
    const struct {
        hf_law_type law;
        hf_method_type type;
        double step, allowed;
    } cases[] = {{HF_LAW_STICTION, HF_METHOD_RK4, 1e-3, 1e-12},
                 {HF_LAW_STICTION, HF_METHOD_ADAPTIVE, 1e-2, 1e-7},
                 {HF_LAW_COULOMB, HF_METHOD_EULER, 1e-3, 1e-10},
                 {HF_LAW_COULOMB, HF_METHOD_DISCRETE, 1e-3, 1e-10},
                 {HF_LAW_COULOMB, HF_METHOD_TIMESTEP, 1e-3, 1e-8},
                 {HF_LAW_COULOMB, HF_METHOD_SWITCH, 1e-2, 1e-7}};
    for (size_t m = 0; m < 2 * sizeof cases / sizeof *cases; ++m) {
        size_t c = m / 2;
        double level = m % 2 == 0 ? 2.0 : 30.0; // slips; holds the radius at last
        bench mine = swing(true, cases[c].law, cases[c].type, cases[c].step, level);
        bench theirs = swing(false, cases[c].law, cases[c].type, cases[c].step, level);
        run(&mine, 1.0);
        run(&theirs, 1.0);
        for (int i = 0; i < 4; ++i) {
            hf_check_near(mine.sim->x[i], theirs.sim->x[i], cases[c].allowed, "x",
                          "coupling distance");
        }
        hf_channel mine_at = hf_model_find_channel(mine.model, "rub.force");
        hf_channel theirs_at = hf_model_find_channel(theirs.model, "rub.force");
        hf_check_near(hf_sim_value(mine.sim, mine_at), hf_sim_value(theirs.sim, theirs_at), 1e-4,
                      "force", "coupling distance");
        close_bench(&mine);
        close_bench(&theirs);
    }
}

// A belt from a driven body to a mass, with friction: as the library's ratio.
static void same_as_ratio(void **state)
{
    (void)state;
    const hf_method_type types[] = {HF_METHOD_TIMESTEP, HF_METHOD_SWITCH, HF_METHOD_EULER};
    for (int m = 0; m < 3; ++m) {
        double end[2];
        for (int own = 0; own < 2; ++own) {
            hf_error error = {0};
            bench b = {.spec = hf_spec_create()};
            const double zero = 0.0;
            hf_body mass = add_mass(b.spec, "mass", 1, 2.0, &zero, &zero);
            hf_driven_def motor = hf_driven_def_default();
            motor.name = "motor";
            motor.dim = 1;
            motor.by_velocity = true;
            motor.motion[0].constant = 0.6;
            hf_body driven = hf_spec_add_driven(b.spec, &motor, &error);
            assert_int_not_equal(driven.id, 0);
            const hf_coordinate at[] = {{mass, 0}, {driven, 0}};
            const hf_ratio_term terms[] = {{at[0], 3.0}, {at[1], -2.0}};
            hf_coupling_def coupling = own_of(&BELT, NULL, at, 2);
            if (own == 0) {
                coupling = hf_coupling_def_default(HF_COUPLING_RATIO);
                coupling.terms = terms;
                coupling.term_count = 2;
            }
            hf_coulomb_def slip = hf_coulomb_def_default();
            slip.level = hf_level_coulomb(0.5);
            hf_force_def def = force_of("belt", coupling, HF_LAW_COULOMB, &slip);
            add(b.spec, &def);
            open_bench(&b, types[m], 1e-3);
            run(&b, 1.0);
            end[own] = b.sim->x[b.model->bodies[mass.id - 1].q];
            close_bench(&b);
        }
        // Slips to 2/3 of 0.6 m/s with 3 * 0.5 N: in 0.533 s; then it is carried along.
        double slipping = 0.4 / 0.75, way = 0.5 * 0.4 * slipping + 0.4 * (1.0 - slipping);
        hf_check_near(end[1], end[0], 1e-9, "position", "coupling ratio");
        hf_check_near(end[1], way, 1e-3, "position", "closed form");
    }
}

static void channels(void **state)
{
    (void)state;
    const double zero[2] = {0.0, 0.0};
    bench b = {.spec = hf_spec_create()};
    hf_body p = add_mass(b.spec, "p", 2, 1.0, zero, zero);
    const hf_coordinate at[] = {{p, 0}, {p, 1}};
    hf_force_def def = force_of("own", own_of(&CAM, NULL, at, 2), HF_LAW_FORCE, NULL);
    add(b.spec, &def);
    open_bench(&b, HF_METHOD_EULER, 1e-3);
    hf_error error = {0};
    const char *const names[] = {"own.gap.lift", "own.rate.product", "own.force.lift"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (hf_model_find_channel(b.model, names[i]).id == 0) {
            fail_msg("no channel '%s': %s", names[i], error.text);
        }
    }
    close_bench(&b);
}

static void refused(void **state)
{
    (void)state;
    const double zero[2] = {0.0, 0.0};
    hf_spec *spec = hf_spec_create();
    hf_body p = add_mass(spec, "p", 2, 1.0, zero, zero);
    const wire peg = {0.0, 0.0};
    const hf_coordinate at[] = {{p, 0}, {p, 1}, {p, 1}, {p, 2}};
    hf_coupling_kind blind = WIRE, many = CAM, nameless = CAM;
    blind.jacobian = NULL;
    many.rows = HF_COUPLING_KIND_ROWS + 1;
    nameless.row_names = NULL;
    const struct {
        hf_coupling_def coupling;
        const char *text;
    } cases[] = {
        {own_of(NULL, NULL, at, 2), "must have a name, a gap and a jacobian"},
        {own_of(&blind, &peg, at, 2), "must have a name, a gap and a jacobian"},
        {own_of(&nameless, NULL, at, 2), "names for several rows"},
        {own_of(&WIRE, NULL, at, 2), "the definition that the kind asks for"},
        {own_of(&many, NULL, at, 2), "coupling 'cam' has 4 rows, 1 to 3 can be"},
        {own_of(&WIRE, &peg, at, 0), "coupling 'wire' is of 1 to 16 coordinates, got 0"},
        {own_of(&WIRE, &peg, NULL, 2), "coupling 'wire' is of 1 to 16 coordinates"},
        {own_of(&WIRE, &peg, at + 1, 2), "a coordinate of 'p' is in coupling 'wire' twice"},
        {own_of(&WIRE, &peg, at + 2, 2), "'p'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        hf_error error = {0};
        hf_force_def def = force_of("own", cases[i].coupling, HF_LAW_FORCE, NULL);
        assert_int_equal(hf_spec_add_force(spec, &def, &error).id, 0);
        if (strstr(error.text, cases[i].text) == NULL || strstr(error.text, "own") == NULL) {
            fail_msg("case %zu: got '%s', expected '%s'", i, error.text, cases[i].text);
        }
    }
    hf_spec_destroy(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wiring),           cmocka_unit_test(circle),
        cmocka_unit_test(same_as_distance), cmocka_unit_test(same_as_ratio),
        cmocka_unit_test(channels),         cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

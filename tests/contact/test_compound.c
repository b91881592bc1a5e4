// SPDX-License-Identifier: Apache-2.0
// Bodies of several shapes, surfaces by material, rules of combination, groups and pairs.
#include "contact_test.h"

#include <math.h>

static const char HEAD[] = "gravity: [0, 0, -9.81]\n";

// ------------------------------------------------------------------------------------------------
// Weight

static hf_shape_def box_at(double x, double y, double z, double sx, double sy, double sz)
{
    hf_shape_def def = hf_shape_def_default(HF_SHAPE_BOX);
    def.shape.size = (hf_vec3){sx, sy, sz};
    def.center = (hf_vec3){x, y, z};
    def.density = 500.0;
    return def;
}

// Eight eighths of a box, and turned by a quarter, weigh what it does.
static void parts_weigh_what_the_whole_does(void **state)
{
    (void)state;
    hf_shape_def parts[8];
    for (int i = 0; i < 8; ++i) {
        parts[i] = box_at(1.0 + (i & 1 ? 0.05 : -0.05), i & 2 ? 0.1 : -0.1, i & 4 ? 0.2 : -0.2, 0.1,
                          0.2, 0.4);
        if (i % 3 == 0) { // the same solid, described by other axes
            parts[i].shape.size = (hf_vec3){0.2, 0.1, 0.4};
            parts[i].shape.turn = (hf_quat){sqrt(0.5), 0.0, 0.0, sqrt(0.5)};
        }
    }
    hf_shape_def whole = box_at(1.0, 0.0, 0.0, 0.2, 0.4, 0.8);
    hf_mass_properties a = hf_shapes_mass(parts, 8), b = hf_shapes_mass(&whole, 1);
    hf_check_near(a.mass, 500.0 * 0.2 * 0.4 * 0.8, 1e-12, "mass", "density times volume");
    hf_check_near(a.center.x, 1.0, 1e-14, "center", "closed form");
    hf_check_near(a.inertia.xx, b.inertia.xx, 1e-13, "xx", "of the whole");
    hf_check_near(a.inertia.yy, b.inertia.yy, 1e-13, "yy", "of the whole");
    hf_check_near(a.inertia.zz, b.inertia.zz, 1e-13, "zz", "of the whole");
    hf_check_near(a.inertia.xy, 0.0, 1e-13, "xy", "by symmetry");
}

// ------------------------------------------------------------------------------------------------
// Rest and slip

// A sledge of two runners and a load, drawn from its corner, on a slope of 20 degrees: with a
// friction of 0.5 it does not move by a bit, with less it slides as a point does.
static double slide(double mu, double seconds, bool *still)
{
    char text[1400];
    (void)snprintf(
        text, sizeof text,
        "%sbodies:\n"
        "  slope: {type: static, shape: {type: plane},"
        " orientation: {axis: [0, 1, 0], angle: 20 deg}}\n"
        "  sledge:\n"
        "    type: rigid\n"
        "    orientation: {axis: [0, 1, 0], angle: 20 deg}\n"
        "    shapes:\n"
        "      left: {type: box, size: [0.4, 0.02, 0.02], position: [0.2, 0.1, 0.01], density: "
        "800}\n"
        "      right: {type: capsule, radius: 0.01, length: 0.38, position: [0.2, -0.1, 0.01],\n"
        "              orientation: {axis: [0, 1, 0], angle: 90 deg}, density: 800}\n"
        "      load: {type: box, size: [0.3, 0.24, 0.05], position: [0.2, 0, 0.05], density: 300}\n"
        "forces:\n"
        "  - {name: ground, type: collide, among: all, friction: %g, restitution: 0}\n",
        HEAD, mu);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_with(model, timestep(1e-3));
    const double *q = hf_sim_position(sim, hf_model_find_body(model, "sledge"));
    double start[7], first[7];
    memcpy(start, q, sizeof start);
    run_until(sim, 0.1);
    memcpy(first, q, sizeof first);
    run_until(sim, seconds);
    *still = memcmp(first, q, sizeof first) == 0;
    double moved = hypot(q[0] - start[0], q[2] - start[2]);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return moved;
}

static void a_sledge_holds_or_slides(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846, a = 20.0 * pi / 180.0;
    bool still = false;
    double moved = slide(0.5, 1.5, &still);
    assert_true(still);
    assert_true(moved < 1e-7);
    moved = slide(0.2, 0.5, &still);
    double want = 0.5 * 9.81 * (sin(a) - 0.2 * cos(a)) * 0.25;
    hf_check_near(moved, want, 1.5e-3 * want + 1e-4, "way on the slope", "closed form");
}

// ------------------------------------------------------------------------------------------------
// Friction of surfaces

// How far a box of 1 m/s comes; `more` stands at the top of the file.
static double way_of(const char *more, const char *box, const char *floor, const char *collide)
{
    char text[1600];
    (void)snprintf(text, sizeof text,
                   "%s%sbodies:\n"
                   "  floor: {type: static, shape: {type: plane%s}}\n"
                   "  puck: {type: rigid, mass: 2, position: [0, 0, 0.02], velocity: [1, 0, 0],\n"
                   "         shape: {type: box, size: [0.3, 0.3, 0.04]%s}}\n"
                   "  third: {type: rigid, mass: 2, position: [0, 9, 0.02],\n"
                   "         shape: {type: box, size: [0.3, 0.3, 0.04]}}\n"
                   "forces:\n%s",
                   HEAD, more, floor, box, collide);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_with(model, timestep(1e-4));
    run_until(sim, 1.0);
    double x = hf_sim_position(sim, hf_model_find_body(model, "puck"))[0];
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return x;
}

static const char ALL[] = "  - {name: all, type: collide, among: all, friction: 0.3}\n";

// The coefficient that a way belongs to: v^2/(2 mu g), less what the first step lacks.
static void expect_friction(double way, double mu, const char *what)
{
    double want = mu > 0.0 ? 1.0 / (2.0 * mu * 9.81) : 1.0;
    hf_check_near(way, want - (mu > 0.0 ? 5e-5 : 0.0), 2e-6, what, "v^2/(2 mu g)");
}

static void rules_combine(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double mu;
    } rules[] = {{"maximum", 0.8}, {"minimum", 0.2},   {"product", 0.16},
                 {"mean", 0.5},    {"geometric", 0.4}, {"harmonic", 0.32}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i) {
        char top[80];
        (void)snprintf(top, sizeof top, "friction_rule: %s\n", rules[i].name);
        double way = way_of(top, ", friction: 0.8", ", friction: 0.2", ALL);
        expect_friction(way, rules[i].mu, rules[i].name);
    }
    // One that tells nothing has the number of the force; where none tells it, it is the force's.
    expect_friction(way_of("friction_rule: product\n", ", friction: 0.8", "", ALL), 0.24, "one");
    expect_friction(way_of("friction_rule: product\n", "", "", ALL), 0.3, "none");
}

static void the_more_specific_pair_wins(void **state)
{
    (void)state;
    const char materials[] = "materials: {ice: {friction: 0.15}, rubber: {friction: 0.9}}\n";
    char top[600];
    (void)snprintf(top, sizeof top, "%s", materials);
    expect_friction(way_of(top, ", material: rubber", ", material: ice", ALL), 0.9, "maximum");
    (void)snprintf(top, sizeof top, "%spairs:\n  - {between: [ice, rubber], friction: 0.25}\n",
                   materials);
    expect_friction(way_of(top, ", material: rubber", ", material: ice", ALL), 0.25, "materials");
    (void)snprintf(top, sizeof top,
                   "%spairs:\n  - {between: [puck.shape, floor], friction: 0.6}\n"
                   "  - {between: [puck, floor], friction: 0.5}\n"
                   "  - {between: [ice, rubber], friction: 0.25}\n",
                   materials);
    expect_friction(way_of(top, ", material: rubber", ", material: ice", ALL), 0.6, "shape");
    // A shape's own number comes before its material's.
    (void)snprintf(top, sizeof top, "%sfriction_rule: minimum\n", materials);
    expect_friction(way_of(top, ", material: rubber", ", material: ice", ALL), 0.15, "minimum");
    expect_friction(way_of(top, ", material: rubber, friction: 0.4", ", friction: 0.7", ALL), 0.4,
                    "own");
}

static void the_more_specific_list_wins(void **state)
{
    (void)state;
    const char lists[] =
        "  - {name: all, type: collide, among: all, friction: 0.3}\n"
        "  - {name: a, type: collide, among: [puck, third], against: [floor], friction: 0.7}\n";
    expect_friction(way_of("", "", "", lists), 0.7, "against");
    // Two bodies are one pair, two against a third are two
    const char fewer[] =
        "  - {name: two, type: collide, among: [puck, floor], friction: 0.5}\n"
        "  - {name: a, type: collide, among: [puck, third], against: [floor], friction: 0.7}\n";
    expect_friction(way_of("", "", "", fewer), 0.5, "one pair");
    const char pair[] =
        "  - {name: all, type: collide, among: all, friction: 0.3}\n"
        "  - {name: a, type: collide, among: [puck, third], against: [floor], friction: 0.7}\n"
        "  - {name: p, type: contact, on: puck, to: floor, friction: 0.45}\n";
    expect_friction(way_of("", "", "", pair), 0.45, "pair");
}

// ------------------------------------------------------------------------------------------------
// Groups

static double height_after(const char *puck, const char *floor, const char *more)
{
    char text[1200];
    (void)snprintf(text, sizeof text,
                   "%s%sbodies:\n"
                   "  floor: {type: static, shape: {type: box, size: [1, 1, 0.1]%s}}\n"
                   "  puck: {type: rigid, mass: 2, position: [0, 0, 0.07],\n"
                   "         shape: {type: box, size: [0.3, 0.3, 0.04]%s}}\n"
                   "forces:\n%s",
                   HEAD, more, floor, puck, ALL);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_with(model, timestep(1e-3));
    run_until(sim, 0.2);
    double z = hf_sim_position(sim, hf_model_find_body(model, "puck"))[2];
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return z;
}

static void groups_and_masks(void **state)
{
    (void)state;
    static const struct {
        const char *puck, *floor, *more;
        bool held;
    } cases[] = {
        {"", "", "", true},
        {", group: tools", "", "", true}, // its mask has the floor's group
        {", group: tools, touches: none", "", "", false},
        {", group: tools, touches: parts", "", "", false},
        {", group: tools, touches: parts", ", group: parts, touches: none", "", true},
        {", group: [tools, other], touches: none", ", group: parts, touches: [other]", "", true},
        {", group: 4, touches: 2", ", group: 2, touches: 0", "", true},
        {", group: 4, touches: 2", ", group: 4, touches: 2", "", false},
        {", touches: none, group: a", ", touches: all", "", true},
        {"", "", "pairs: [{between: [puck, floor], touch: never}]\n", false},
        {", group: a, touches: none", "", "pairs: [{between: [puck, floor], touch: always}]\n",
         true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        double z = height_after(cases[i].puck, cases[i].floor, cases[i].more);
        if ((fabs(z - 0.07) < 1e-6) != cases[i].held) {
            fail_msg("case %zu: height %g, %s", i, z, cases[i].held ? "held" : "falls");
        }
    }
}

// Shapes of links: a gripper's finger of two pads against a box; the pads differ.
static void links_have_shapes(void **state)
{
    (void)state;
    const char text[] =
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  box: {type: rigid, mass: 0.5, position: [0, 0, 0.1],"
        " shape: {type: box, size: [0.1, 0.1, 0.1]}}\n"
        "  hand:\n"
        "    type: tree\n"
        "    joints:\n"
        "      a: {type: prismatic, axis: [1, 0, 0], offset: [-0.08, 0, 0.1], shapes: {\n"
        "        low: {type: sphere, radius: 0.01, position: [0.02, 0, -0.02], density: 2000,"
        " friction: 0.9},\n"
        "        high: {type: sphere, radius: 0.01, position: [0.02, 0, 0.02], density: 2000,"
        " friction: 0.5},\n"
        "        back: {type: box, size: [0.02, 0.05, 0.1], density: 2000}}}\n"
        "      b: {type: prismatic, axis: [-1, 0, 0], offset: [0.08, 0, 0.1], shapes:\n"
        "        [{type: sphere, radius: 0.01, position: [-0.02, 0.02, 0], density: 2000},\n"
        "         {type: sphere, radius: 0.01, position: [-0.02, -0.02, 0], density: 2000},\n"
        "         {type: box, size: [0.02, 0.05, 0.1], density: 2000}]}\n"
        "forces:\n"
        "  - {name: touch, type: collide, among: all, friction: 0.5, restitution: 0}\n"
        "  - {name: push_a, type: force, on: hand.a, value: 8}\n"
        "  - {name: push_b, type: force, on: hand.b, value: 8}\n";
    hf_model *model = model_of(text);
    hf_sim *sim = sim_with(model, timestep(1e-3));
    const double *q = hf_sim_position(sim, hf_model_find_body(model, "box"));
    run_until(sim, 0.2);
    double then[7];
    memcpy(then, q, sizeof then);
    run_until(sim, 1.0);
    assert_memory_equal(then, q, sizeof then);
    // 4.9 N of weight: at most 8 N times 0.5 on the one side, 0.7 in the mean on the other
    assert_true(fabs(then[2] - 0.1) < 1e-3);
    double mass = hf_model_body_info(model, hf_model_find_body(model, "hand.a")).mass;
    const double pi = 3.14159265358979323846;
    hf_check_near(mass, 2000.0 * (2.0 * 4.0 / 3.0 * pi * 1e-6 + 1e-4), 1e-12, "mass",
                  "closed form");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// Surfaces that move

// A box set down on a conveyor of 0.8 m/s slides until it goes with it: v/(mu g) later, v^2/(2 mu
// g) behind it. The belt itself stays, and its drive puts in what friction turns into heat and
// motion.
static void conveyors_carry(void **state)
{
    (void)state;
    const char text[] =
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  belt: {type: static, position: [0, 0, -0.05],"
        " shape: {type: box, size: [4, 1, 0.1], surface_velocity: [0.8, 0, 0]}}\n"
        "  box: {type: rigid, mass: 2, position: [-1, 0, 0.1],"
        " shape: {type: box, size: [0.3, 0.3, 0.2]}}\n"
        "forces:\n"
        "  - {name: touch, type: collide, among: all, friction: 0.4, restitution: 0}\n";
    hf_model *model = model_of(text);
    hf_sim *sim = sim_with(model, timestep(1e-3));
    run_until(sim, 1.0);
    hf_check_near(value_of(sim, "box.velocity.x"), 0.8, 1e-9, "speed", "the belt's");
    double lag = 0.8 * 0.8 / (2.0 * 0.4 * 9.81);
    hf_check_near(value_of(sim, "box.position.x"), -1.0 + 0.8 - lag, 5e-4, "place", "closed form");
    hf_check_near(value_of(sim, "energy.dissipated"), 0.5 * 2.0 * 0.64, 2e-3, "heat",
                  "as much as kinetic energy");
    hf_check_near(value_of(sim, "energy.residual"), 0.0, 1e-9, "residual", "nothing is missing");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// On a turntable a box goes round with it, at r w.
static void turntables_turn(void **state)
{
    (void)state;
    const char text[] =
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  table: {type: static, position: [0, 0, -0.05],"
        " shape: {type: cylinder, radius: 1, length: 0.1, surface_spin: [0, 0, 1.5]}}\n"
        "  box: {type: rigid, mass: 2, position: [0.4, 0, 0.02], velocity: [0, 0.6, 0],"
        " angular_velocity: [0, 0, 1.5], shape: {type: box, size: [0.1, 0.1, 0.04]}}\n"
        "forces:\n"
        "  - {name: touch, type: collide, among: all, friction: 0.5, restitution: 0}\n";
    hf_model *model = model_of(text);
    hf_sim *sim = sim_with(model, timestep(1e-3));
    run_until(sim, 2.0);
    double x = value_of(sim, "box.position.x"), y = value_of(sim, "box.position.y");
    hf_check_near(hypot(x, y), 0.4, 2e-3, "radius", "it does not slip");
    hf_check_near(atan2(y, x), 3.0, 5e-3, "angle", "w t");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// Convex parts of one file

static void write_box(FILE *file, hf_vec3 c, hf_vec3 half, int before)
{
    static const int faces[6][4] = {{1, 3, 4, 2}, {5, 6, 8, 7}, {1, 2, 6, 5},
                                    {3, 7, 8, 4}, {1, 5, 7, 3}, {2, 4, 8, 6}};
    for (int i = 0; i < 8; ++i) {
        (void)fprintf(file, "v %.15g %.15g %.15g\n", c.x + (i & 1 ? half.x : -half.x),
                      c.y + (i & 2 ? half.y : -half.y), c.z + (i & 4 ? half.z : -half.z));
    }
    for (int i = 0; i < 6; ++i) {
        const int *f = faces[i];
        (void)fprintf(file, "f %d %d %d %d\n", before + f[0], before + f[1], before + f[2],
                      before + f[3]);
    }
}

// The same L drawn as one piece; `apart`: every face has points of its own.
static void write_ell(FILE *file, bool apart)
{
    static const double outline[6][2] = {{0.0, 0.0},   {0.4, 0.0},  {0.4, 0.04},
                                         {0.04, 0.04}, {0.04, 0.4}, {0.0, 0.4}};
    // Points 0 to 5 in front, 6 to 11 behind; two faces for each of these, and six sides
    int faces[10][4] = {{0, 1, 2, 3}, {0, 3, 4, 5}, {9, 8, 7, 6}, {11, 10, 9, 6}};
    for (int i = 0; i < 6; ++i) {
        int next = (i + 1) % 6, side[4] = {i, i + 6, next + 6, next};
        memcpy(faces[4 + i], side, sizeof side);
    }
    int count = apart ? 40 : 12;
    for (int i = 0; i < count; ++i) {
        int point = apart ? faces[i / 4][i % 4] : i;
        (void)fprintf(file, "v %.15g %.15g %.15g\n", outline[point % 6][0],
                      point < 6 ? -0.05 : 0.05, outline[point % 6][1]);
    }
    for (int i = 0; i < 10; ++i) {
        const int *f = faces[i], k = 4 * i + 1;
        (void)fprintf(file, "f %d %d %d %d\n", apart ? k : f[0] + 1, apart ? k + 1 : f[1] + 1,
                      apart ? k + 2 : f[2] + 1, apart ? k + 3 : f[3] + 1);
    }
}

// It weighs what two boxes do, stands where it was drawn, and what falls into its corner lies on
// its foot. As one hull it would lie on a slope.
static void check_ell(const char *what)
{
    hf_error error = {0};
    const char text[] =
        "gravity: [0, 0, -9.81]\nbodies:\n"
        "  floor: {type: static, shape: {type: plane}}\n"
        "  ell: {type: rigid, shape: {type: mesh, file: ell.obj, parts: true, density: 1000}}\n"
        "  ball: {type: rigid, mass: 0.2, position: [0.2, 0, 0.1], shape: {type: sphere, radius: "
        "0.05}}\n"
        "forces:\n  - {name: c, type: collide, among: all, friction: 0.5, restitution: 0}\n";
    hf_model *model = hf_model_parse(text, sizeof text - 1, "ell.yaml", ".", NULL, &error);
    if (model == NULL) {
        fail_msg("%s: %s", what, error.text);
    }
    hf_body_info ell = hf_model_body_info(model, hf_model_find_body(model, "ell"));
    hf_check_near(ell.mass, 1.6 + 1.44, 1e-12, what, "mass of both boxes");
    assert_int_equal(ell.shape_count, 2);
    for (int i = 0; i < 2; ++i) {
        hf_mesh_info part = hf_mesh_get_info(ell.shapes[i].shape.mesh);
        hf_check_near(part.drawn_volume, part.volume, 1e-15, what, "it fills what is drawn");
    }
    hf_sim *sim = sim_with(model, timestep(2e-3));
    double before = value_of(sim, "ell.position.x");
    hf_check_near(before, (1.6 * 0.2 + 1.44 * 0.02) / 3.04, 1e-12, what, "center of both boxes");
    run_until(sim, 1.0);
    hf_check_near(value_of(sim, "ball.position.z"), 0.09, 1e-6, what, "on the foot");
    hf_check_near(value_of(sim, "ball.position.x"), 0.2, 1e-6, what, "a level foot");
    hf_check_near(value_of(sim, "ell.position.x"), before, 1e-7, what, "at rest");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void files_of_convex_parts(void **state)
{
    (void)state;
    static const char *const what[3] = {"two boxes", "one piece", "faces apart"};
    for (int i = 0; i < 3; ++i) {
        FILE *file = fopen("ell.obj", "w");
        assert_non_null(file);
        if (i == 0) {
            write_box(file, (hf_vec3){0.2, 0.0, 0.02}, (hf_vec3){0.2, 0.05, 0.02}, 0);
            write_box(file, (hf_vec3){0.02, 0.0, 0.22}, (hf_vec3){0.02, 0.05, 0.18}, 8);
        } else {
            write_ell(file, i == 2);
        }
        (void)fclose(file);
        check_ell(what[i]);
    }
}

// A sled on two balls and two thin plates, on a slope of 0.3 rad: more points than it needs, of
// which one ball holds most. Errors of the solution leave what carries some 1e-10 m above the
// slope, a part of the plates' small room; it once lost its load for some steps, and which of the
// shares with and without it held in a step was as good as random: 1.28007 m/s at 1 ms.
static void what_carries_goes_on_carrying(void **state)
{
    (void)state;
    static const char sled[] =
        "gravity: [2.899053227347741, 0, -9.3718509583221952]\n"
        "bodies:\n"
        "  g: {type: static, shape: {type: box, size: [10, 10, 1]}, position: [0, 0, -0.5]}\n"
        "  b:\n"
        "    type: rigid\n"
        "    mass: 2\n"
        "    center: [0, 0, 0.05]\n"
        "    inertia: [0.01, 0.01, 0.01]\n"
        "    shapes:\n"
        "      l: {type: sphere, radius: 0.02, position: [0, 0.1, 0.02], friction: 0.1}\n"
        "      r: {type: sphere, radius: 0.02, position: [0, -0.1, 0.02], friction: 0.3}\n"
        "      m: {type: box, size: [0.02, 0.02, 0.001], position: [0.1, 0, 0.0005]}\n"
        "      n: {type: box, size: [0.02, 0.02, 0.001], position: [-0.1, 0, 0.0005]}\n"
        "forces:\n"
        "  - {name: c, type: collide, among: all, friction: 0, restitution: 0}\n";
    static const double steps[] = {2e-3, 1e-3, 5e-4};
    for (int i = 0; i < 3; ++i) {
        double v = value_after(sled, timestep(steps[i]), 0.5, "b.velocity.x");
        hf_check_near(v, 1.26404, 1e-5, "velocity", "method switch");
    }
}

int main(void)
{
    hf_work_in_own_folder();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_weigh_what_the_whole_does),
        cmocka_unit_test(a_sledge_holds_or_slides),
        cmocka_unit_test(rules_combine),
        cmocka_unit_test(the_more_specific_pair_wins),
        cmocka_unit_test(the_more_specific_list_wins),
        cmocka_unit_test(groups_and_masks),
        cmocka_unit_test(links_have_shapes),
        cmocka_unit_test(what_carries_goes_on_carrying),
        cmocka_unit_test(conveyors_carry),
        cmocka_unit_test(turntables_turn),
        cmocka_unit_test(files_of_convex_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

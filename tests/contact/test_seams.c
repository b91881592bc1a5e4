// SPDX-License-Identifier: Apache-2.0
// Method timestep: bodies that slide over floors of tiles, bricks and triangles, along walls, and
// over small steps. What a body does on a floor of many flush solids is what it does on a single
// one; a step down costs it nothing, a step up stops it.
#include "contact_test.h"

#include <math.h>
#include <string.h>

enum { TEXT = 32768 };

// ------------------------------------------------------------------------------------------------
// Machines

typedef struct thing {
    const char *name, *shape, *orientation;
    double height; // of its center over the floor [m]
} thing;

static const thing things[] = {
    {"box", "{type: box, size: [0.1, 0.1, 0.1]}", "[1, 0, 0, 0]", 0.05},
    {"cylinder", "{type: cylinder, radius: 0.05, length: 0.1}", "[1, 0, 0, 0]", 0.05},
    {"capsule", "{type: capsule, radius: 0.05, length: 0.2}",
     "[0.7071067811865476, 0, 0.7071067811865476, 0]", 0.05},
    {"hull", "{type: mesh, file: octagon.obj}", "[1, 0, 0, 0]", 0.05},
    {"plate", "{type: box, size: [0.2, 0.1, 0.01]}", "[1, 0, 0, 0]", 0.005},
};
enum { THINGS = sizeof things / sizeof *things };

typedef enum floor_kind { ONE, TILES, BRICKS, TRIANGLES, FLOORS } floor_kind;
static const char *const floor_names[FLOORS] = {"one floor", "tiles", "bricks", "triangles"};

typedef struct slide {
    const thing *thing;
    floor_kind floor;
    double rise;             // of all tiles at x > 0 [m]
    double angle, spin;      // of the motion [rad, rad/s]
    double speed, mu, start; // [m/s, -, m]
} slide;

// A prism with eight sides, for the hull.
static void write_octagon(void)
{
    FILE *file = fopen("octagon.obj", "w");
    assert_non_null(file);
    for (int i = 0; i < 16; ++i) {
        double angle = (i % 8 + 0.5) * 0.7853981633974483;
        (void)fprintf(file, "v %.15g %.15g %g\n", 0.06 * cos(angle), 0.06 * sin(angle),
                      i < 8 ? -0.05 : 0.05);
    }
    for (int i = 0; i < 6; ++i) {
        (void)fprintf(file, "f 1 %d %d\nf 9 %d %d\n", i + 3, i + 2, i + 10, i + 11);
    }
    for (int i = 0; i < 8; ++i) {
        int next = (i + 1) % 8;
        (void)fprintf(file, "f %d %d %d %d\n", i + 1, next + 1, next + 9, i + 9);
    }
    (void)fclose(file);
}

// A floor of squares of two triangles each, as wide as the tiles; all at x > 0 higher by `rise`,
// with a wall between.
static void write_floor(double rise)
{
    FILE *file = fopen("floor.obj", "w");
    assert_non_null(file);
    for (int i = -2; i < 3; ++i) { // the line x = 0 is there twice
        for (int side = i == 0 ? -1 : 0; side < 1; ++side) {
            for (int j = -1; j < 3; ++j) {
                (void)fprintf(file, "v %.17g %.17g %.17g\n", 0.2 * i, 0.2 * j,
                              i > 0 || (i == 0 && side == 0) ? rise : 0.0);
            }
        }
    }
    for (int row = 0; row < 5; ++row) {
        for (int j = 1; j < 4 && (row != 2 || rise != 0.0); ++j) {
            int a = 4 * row + j, b = a + 4;
            (void)fprintf(file, "f %d %d %d\nf %d %d %d\n", a, b, b + 1, a, b + 1, a + 1);
        }
    }
    (void)fclose(file);
}

static int add_floor(char *text, int at, const slide *s)
{
    static const double tile = 0.2;
    if (s->floor == ONE) {
        return at + snprintf(text + at, (size_t)(TEXT - at),
                             "  one: {type: static, shape: {type: box, size: [4, 4, 0.2]},\n"
                             "    position: [0, 0, -0.1]}\n");
    }
    if (s->floor == TRIANGLES) {
        write_floor(s->rise);
        return at + snprintf(text + at, (size_t)(TEXT - at),
                             "  net: {type: static, shape: {type: triangles, file: floor.obj}}\n");
    }
    if (s->floor == BRICKS) {
        at += snprintf(text + at, (size_t)(TEXT - at),
                       "  ground: {type: static, shape: {type: plane}, position: [0, 0, -0.2]}\n");
    }
    for (int i = -2; i < 2; ++i) {
        for (int j = -1; j < 2; ++j) {
            double rise = i >= 0 ? s->rise : 0.0;
            at += snprintf(text + at, (size_t)(TEXT - at),
                           "  tile%d: {type: %s, shape: {type: box, size: [0.2, 0.2, %.17g]},\n"
                           "    position: [%.17g, %.17g, %.17g]}\n",
                           100 + 10 * i + j, s->floor == TILES ? "static" : "rigid, mass: 200",
                           0.2 + rise, (i + 0.5) * tile, (j + 0.5) * tile, 0.5 * rise - 0.1);
        }
    }
    return at;
}

static hf_model *slide_model(const slide *s)
{
    static char text[TEXT];
    int at = snprintf(text, TEXT, "gravity: [0, 0, -9.81]\nbodies:\n");
    at = add_floor(text, at, s);
    at +=
        snprintf(text + at, (size_t)(TEXT - at),
                 "  thing: {type: rigid, mass: 1, shape: %s, orientation: %s,\n"
                 "    position: [%.17g, 0.013, %.17g], velocity: [%.17g, %.17g, 0],\n"
                 "    angular_velocity: [0, 0, %.17g]}\n"
                 "forces:\n"
                 "  - {name: contacts, type: collide, among: all, friction: %g, restitution: 0}\n",
                 s->thing->shape, s->thing->orientation, s->start, s->thing->height,
                 s->speed * cos(s->angle), s->speed * sin(s->angle), s->spin, s->mu);
    assert_true(at < TEXT);
    hf_error error = {0};
    hf_model *model = hf_model_parse(text, (size_t)at, "seams.yaml", ".", NULL, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    return model;
}

static hf_vec3 place_after(const slide *s, double h, double end, hf_vec3 *velocity)
{
    hf_model *model = slide_model(s);
    hf_sim *sim = sim_with(model, timestep(h));
    run_until(sim, end);
    hf_vec3 place = {value_of(sim, "thing.position.x"), value_of(sim, "thing.position.y"),
                     value_of(sim, "thing.position.z")};
    if (velocity != NULL) {
        *velocity = (hf_vec3){value_of(sim, "thing.velocity.x"), value_of(sim, "thing.velocity.y"),
                              value_of(sim, "thing.velocity.z")};
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return place;
}

static double off(hf_vec3 a, hf_vec3 b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

static void check_slide(const slide *s, double h, hf_vec3 want, double allowed)
{
    hf_vec3 got = place_after(s, h, 0.8, NULL);
    double height = s->thing->height + s->rise;
    // What is long may rest across the step.
    double sunk = fabs(got.z - height) + fmin(s->rise, 0.0);
    if (!(off(got, want) <= allowed) || !(sunk < 1e-5)) {
        fail_msg("%s on %s, next tile %g m higher, angle %g, spin %g, step %g s: at (%g, %g, %g), "
                 "on one floor at (%g, %g), allowed %g",
                 s->thing->name, floor_names[s->floor], s->rise, s->angle, s->spin, h, got.x, got.y,
                 got.z, want.x, want.y, allowed);
    }
}

// ------------------------------------------------------------------------------------------------
// Tests

// v^2/(2 mu g) = 0.2548 m, less what the first step of a scheme of first order lacks.
static void slides_stop_where_they_must(void **state)
{
    (void)state;
    static const double steps[] = {1e-4, 1e-3, 2e-3, 5e-3};
    for (int k = 0; k < 4; ++k) {
        slide s = {.thing = &things[0], .floor = TILES, .speed = 1.0, .mu = 0.2, .start = -0.12};
        hf_vec3 got = place_after(&s, steps[k], 0.8, NULL);
        double want = 1.0 / (2.0 * 0.2 * 9.81) - 0.12;
        hf_check_near(got.x, want, 0.6 * steps[k], "x at rest", "closed form");
    }
}

static void floors_of_tiles_are_floors(void **state)
{
    (void)state;
    static const double rises[] = {0.0, -1e-4, -1e-3};
    static const double steps[] = {1e-3, 5e-3};
    for (int k = 0; k < THINGS * 4; ++k) {
        slide s = {
            .thing = &things[k / 4], .speed = 1.0, .mu = 0.2, .start = -0.12, .angle = k % 2 * 0.5};
        double h = steps[k / 2 % 2];
        hf_vec3 want = place_after(&s, h, 0.8, NULL);
        for (int i = 0; i < 7; ++i) { // bricks cost most: at long steps, and flush
            s.floor = i < 3 ? TILES : i < 6 ? TRIANGLES : BRICKS;
            s.rise = rises[i % 3];
            if (s.floor == BRICKS && !(h > 1e-3)) {
                continue;
            }
            // A capsule lies on a line, which tiles divide otherwise; what falls gains energy. Of
            // first order: a plate over a lower tile of triangles is 0.85, 0.44 and 0.06 mm off at
            // steps of 1, 0.5 and 0.2 ms.
            double patch = k / 4 == 2 ? 4e-3 : 3e-4;
            check_slide(&s, h, want, patch - 2.7 * s.rise + 0.3 * h);
        }
    }
}

// How the load is shared by the points of a patch decides how its spin is braked, and where what
// lies on a line rolls to: on a flush floor of many solids the same points carry it as on one.
static void flush_floors_carry_alike(void **state)
{
    (void)state;
    static const thing lying[] = {
        {"lying cylinder", "{type: cylinder, radius: 0.03, length: 0.1}", "[0.7, 0.7, 0.1, 0.1]",
         0.03},
        {"lying capsule", "{type: capsule, radius: 0.03, length: 0.1}", "[0.7, 0.7, 0.1, 0.1]",
         0.03},
    };
    static const double spins[] = {0.0, -2.0, 3.0};
    for (int k = 0; k < 3 * 4; ++k) {
        slide s = {.thing = k / 3 < 2 ? &lying[k / 3] : &things[k / 3 == 2 ? 0 : 4],
                   .speed = 1.0,
                   .mu = 0.2,
                   .start = -0.12,
                   .angle = 0.5,
                   .spin = spins[k % 3]};
        hf_vec3 want = place_after(&s, 1e-3, 0.8, NULL);
        for (int i = 0; i < 2; ++i) {
            s.floor = i == 0 ? TILES : TRIANGLES;
            // While an end passes a seam other points may carry for a few steps; of a plate over
            // many triangles not all points are kept
            check_slide(&s, 1e-3, want, k / 3 < 3 ? 2e-4 : 1e-3);
        }
    }
}

// The same, where the next tile may lie lower, and for hulls, of whose corners any four may carry.
static void spinning_things_pass(void **state)
{
    (void)state;
    static const double steps[] = {1e-3, 5e-3};
    for (int k = 0; k < THINGS * 2; ++k) {
        slide s = {.thing = &things[k / 2],
                   .speed = 1.0,
                   .mu = 0.2,
                   .start = -0.12,
                   .angle = 0.7,
                   .spin = -15.0};
        if (k / 2 == 2) {
            continue; // rolls on, or not, by that share
        }
        hf_vec3 want = place_after(&s, steps[k % 2], 0.8, NULL);
        for (int i = 0; i < 4; ++i) {
            s.floor = i < 2 ? TILES : TRIANGLES;
            s.rise = i % 2 == 0 ? 0.0 : -1e-4;
            check_slide(&s, steps[k % 2], want, s.floor == TILES ? 0.012 : 0.016);
        }
    }
}

// Without friction a body keeps its velocity, however slow and whatever the angle to the seam.
static void nothing_is_lost_without_friction(void **state)
{
    (void)state;
    static const double steps[] = {1e-4, 1e-3, 5e-3};
    static const double angles[] = {0.0, 0.3, 1.4};
    for (int k = 0; k < 9; ++k) {
        slide s = {.thing = &things[k % 2],
                   .floor = TILES,
                   .speed = 0.1,
                   .start = -0.055,
                   .angle = angles[k / 3]};
        hf_vec3 velocity;
        (void)place_after(&s, steps[k % 3], 0.15, &velocity);
        hf_check_near(velocity.x, 0.1 * cos(s.angle), 1e-6, "velocity", "at the start");
        hf_check_near(velocity.y, 0.1 * sin(s.angle), 1e-6, "velocity", "at the start");
    }
}

// A sphere that rolls does so over tiles too.
static void spheres_roll_over_seams(void **state)
{
    (void)state;
    static const thing ball = {"sphere", "{type: sphere, radius: 0.05}", "[1, 0, 0, 0]", 0.05};
    static const double steps[] = {1e-3, 5e-3};
    for (int k = 0; k < 4; ++k) {
        slide s = {.thing = &ball, .speed = 1.0, .mu = 0.2, .start = -0.12, .angle = k / 2 * 0.5};
        hf_vec3 want = place_after(&s, steps[k % 2], 0.5, NULL);
        s.floor = TILES;
        hf_vec3 got = place_after(&s, steps[k % 2], 0.5, NULL);
        hf_check_near(off(got, want), 0.0, 1e-4, "apart", "one floor");
        hf_check_near(got.z, 0.05, 1e-5, "height", "one floor");
    }
}

// A step up of 0.1 mm is a wall to what slides: a box turns over its edge, a plate stays.
static void steps_up_stop(void **state)
{
    (void)state;
    static const double steps[] = {1e-4, 1e-3, 5e-3};
    for (int k = 0; k < 6; ++k) {
        double h = steps[k % 3];
        slide s = {.thing = &things[4],
                   .floor = k < 3 ? TILES : TRIANGLES,
                   .rise = 1e-4,
                   .speed = 0.5,
                   .mu = 0.2,
                   .start = -0.12};
        hf_vec3 got = place_after(&s, h, 0.8, NULL);
        if (!(got.x < -0.1 + 2e-3)) {
            fail_msg("step %g s: the plate went over the step, to x = %g", h, got.x);
        }
        s.thing = &things[0];
        hf_vec3 velocity;
        (void)place_after(&s, h, 0.2, &velocity);
        if (!(velocity.x < 0.15)) {
            fail_msg("step %g s: the box kept %g m/s", h, velocity.x);
        }
    }
}

// So do belts that run alike, of tiles or of triangles: what lies across several of them and rolls
// is driven at its ends, and not at the seams as well.
static void flush_belts_carry_alike(void **state)
{
    (void)state;
    static const char *const floors[3] = {
        "  a: {type: static, position: [0, 0, -0.1], shape: {type: box, size: [2, 2, 0.2], ",
        "  a: {type: static, position: [-0.1, 0, -0.1], shape: {type: box, size: [0.2, 2, 0.2], "
        "surface_velocity: [0.3, 0, 0]}}\n"
        "  b: {type: static, position: [0.5, 0, -0.1], shape: {type: box, size: [1, 2, 0.2], ",
        "  a: {type: static, shape: {type: triangles, file: floor.obj, "};
    double places[3][2];
    write_floor(0.0);
    for (int i = 0; i < 3; ++i) {
        char text[2000];
        (void)snprintf(text, sizeof text,
                       "gravity: [0, 0, -9.81]\n"
                       "bodies:\n"
                       "%ssurface_velocity: [0.3, 0, 0]}}\n"
                       "  x: {type: rigid, mass: 0.5, shape: {type: capsule, radius: 0.03, length: "
                       "0.1},\n    position: [-0.05, 0.1, 0.03],\n"
                       "    orientation: {axis: [0.6, 0.8, 0], angle: 1.5707963267948966}}\n"
                       "forces:\n"
                       "  - {name: c, type: collide, among: all, friction: 0.3, restitution: 0}\n",
                       floors[i]);
        hf_error error = {0};
        hf_model *model = hf_model_parse(text, strlen(text), "belts.yaml", ".", NULL, &error);
        if (model == NULL) {
            fail_msg("%s", error.text);
        }
        hf_sim *sim = sim_with(model, timestep(1e-3));
        run_until(sim, 1.0);
        places[i][0] = value_of(sim, "x.position.x");
        places[i][1] = value_of(sim, "x.position.y");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
        hf_check_near(places[i][0], places[0][0], 5e-5, "x", "on one belt");
        hf_check_near(places[i][1], places[0][1], 5e-5, "y", "on one belt");
    }
}

// The shapes of one body that moves are a floor like any other: a box that spins over the tiles of
// a tray, or of a link, comes to where it does over a single one. All corners of all tiles once
// carried it, and took less of its spin, at any step.
static void tiles_of_one_body(void **state)
{
    (void)state;
    static const char *const bodies[2] = {
        "  tray: {type: driven, axes: xyz, position: [\"0.05*sin(6*t)\", 0, 0], angle: \"0.3*t\",\n"
        "    axis: [0, 0, 1], shapes: [%s]}\n",
        "  tray: {type: tree, joints: {s: {type: prismatic, axis: [1, 0, 0], mass: 5,\n"
        "      inertia: [1, 1, 1], velocity: 0.4},\n"
        "    r: {type: revolute, axis: [0, 0, 1], parent: s, mass: 3, inertia: [0.3, 0.3, 0.3],\n"
        "      velocity: 0.5, shapes: [%s]}}}\n"};
    static char tiles[TEXT], tray[TEXT + 600], text[TEXT + 1200];
    for (int i = 0; i < 2; ++i) {
        double at[2][3];
        for (int k = 0; k < 2; ++k) {
            int used =
                snprintf(tiles, TEXT, "{type: box, size: [4, 4, 0.2], position: [0, 0, -0.1]}");
            for (int tile = 0; k == 1 && tile < 25; ++tile) {
                int row = tile / 5;
                used = tile == 0 ? 0 : used;
                used +=
                    snprintf(tiles + used, (size_t)(TEXT - used),
                             "%s{type: box, size: [0.2, 0.2, 0.2], position: [%.17g, %.17g, -0.1]}",
                             tile == 0 ? "" : ", ", 0.2 * (tile % 5 - 1.5), 0.2 * (row - 1.5));
            }
            (void)snprintf(tray, sizeof tray, bodies[i], tiles);
            (void)snprintf(
                text, sizeof text,
                "gravity: [0, 0, -9.81]\nbodies:\n%s"
                "  b: {type: rigid, mass: 1, shape: {type: box, size: [0.1, 0.1, 0.1]},\n"
                "    position: [-0.12, 0.013, 0.05], velocity: [1, 0.3, 0],\n"
                "    angular_velocity: [0, 0, 4]}\nforces:\n"
                "  - {name: c, type: collide, among: all, friction: 0.2, restitution: 0}\n",
                tray);
            hf_model *model = model_of(text);
            hf_sim *sim = sim_with(model, timestep(2e-3));
            run_until(sim, 0.6);
            at[k][0] = value_of(sim, "b.position.x");
            at[k][1] = value_of(sim, "b.position.y");
            at[k][2] = value_of(sim, "b.orientation.z");
            hf_sim_destroy(sim);
            hf_model_destroy(model);
        }
        for (int k = 0; k < 3; ++k) {
            hf_check_near(at[1][k], at[0][k], 1e-4, "place and turn", "on a single shape");
        }
    }
}

// A box lies on two links, and slides with one of them: their relative velocity is rounding. It was
// once followed along that for 1e15 s, to where the box leaves the link over an edge, whose normal
// then pushed the box aside and left it askew.
static void rounding_leads_nowhere(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  box: {type: rigid, mass: 1, shape: {type: box, size: [0.5, 0.1, 0.05]},\n"
        "    position: [0.02, 0, 0.525]}\n"
        "  t1:\n"
        "    type: tree\n"
        "    joints:\n"
        "      c: {type: prismatic, axis: [1, 0, 0], mass: 2, inertia: [0.1, 0.1, 0.1],\n"
        "        offset: [0, 0, 0.25], shape: {type: box, size: [0.1, 0.1, 0.5]}, velocity: 0.3}\n"
        "      d: {type: revolute, parent: c, axis: [0, 0, 1], offset: [0.2, 0, 0], mass: 1,\n"
        "        inertia: [0.01, 0.01, 0.01], shape: {type: cylinder, radius: 0.03, length: 0.5},\n"
        "        velocity: 3}\n"
        "forces:\n"
        "  - {name: c, type: collide, among: all, friction: 0.5, restitution: 0}\n";
    hf_model *model = model_of(text);
    hf_sim *sim = sim_with(model, timestep(1e-4));
    run_until(sim, 0.25);
    hf_check_below(fabs(value_of(sim, "box.orientation.x")), 1e-9, "about x", "it lies flat");
    hf_check_below(fabs(value_of(sim, "box.orientation.y")), 1e-9, "about y", "it lies flat");
    hf_check_near(value_of(sim, "box.position.z"), 0.525, 1e-10, "height", "it lies flat");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    hf_work_in_own_folder();
    write_octagon();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slides_stop_where_they_must),
        cmocka_unit_test(floors_of_tiles_are_floors),
        cmocka_unit_test(flush_floors_carry_alike),
        cmocka_unit_test(spinning_things_pass),
        cmocka_unit_test(nothing_is_lost_without_friction),
        cmocka_unit_test(spheres_roll_over_seams),
        cmocka_unit_test(steps_up_stop),
        cmocka_unit_test(flush_belts_carry_alike),
        cmocka_unit_test(tiles_of_one_body),
        cmocka_unit_test(rounding_leads_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

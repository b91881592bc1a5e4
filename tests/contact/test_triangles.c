// SPDX-License-Identifier: Apache-2.0
// Surfaces of triangles: floors of them are floors, bowls hold balls, and nothing creeps.
#include "contact_test.h"

#include <holdfast/use_law.h>
#include <math.h>

#include "math/vec.h"

enum { TEXT = 6000, GRID = 13 };

static const double G = 9.81;

// Heights of a grid, all zero or those of a function.
static void put_heights(char *text, size_t size, double (*height)(double x, double y), double side)
{
    size_t used = 0;
    for (int y = 0; y < GRID; ++y) {
        used += (size_t)snprintf(text + used, size - used, "%s[", y == 0 ? "" : ", ");
        for (int x = 0; x < GRID; ++x) {
            double at_x = side * ((double)x / (GRID - 1) - 0.5),
                   at_y = side * ((double)y / (GRID - 1) - 0.5);
            used += (size_t)snprintf(text + used, size - used, "%s%.9g", x == 0 ? "" : ", ",
                                     height == NULL ? 0.0 : height(at_x, at_y));
        }
        used += (size_t)snprintf(text + used, size - used, "]");
    }
}

// Where a sliding body comes to rest; on a plane, or on triangles of 0.17 m.
static void slide(const char *shape, bool triangles, double angle, double step, double rest[2])
{
    char text[TEXT], heights[3000], floor[3200];
    put_heights(heights, sizeof heights, NULL, 2.0);
    (void)snprintf(floor, sizeof floor,
                   triangles ? "{type: heights, size: [2, 2], heights: [%s]}" : "{type: plane}",
                   heights);
    (void)snprintf(text, sizeof text,
                   "gravity: [0, 0, -9.81]\n"
                   "bodies:\n"
                   "  floor: {type: static, shape: %s}\n"
                   "  thing: {type: rigid, mass: 1.3, shape: %s, position: [-0.3, -0.11, 0.05],\n"
                   "    velocity: [%.9g, %.9g, 0]}\n"
                   "forces:\n"
                   "  - {name: touch, type: collide, among: all, friction: 0.3, restitution: 0}\n",
                   floor, shape, 1.6 * cos(angle), 1.6 * sin(angle));
    hf_model *model = model_of(text);
    hf_sim *sim = sim_with(model, timestep(step));
    const double *q = hf_sim_position(sim, hf_model_find_body(model, "thing"));
    run_until(sim, 1.0);
    rest[0] = q[0];
    rest[1] = q[1];
    double then[7];
    memcpy(then, q, sizeof then);
    run_until(sim, 1.2);
    assert_memory_equal(then, q, sizeof then);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Seams between triangles of one plane are not there.
static void floors_have_no_seams(void **state)
{
    (void)state;
    static const char *const shapes[] = {
        "{type: box, size: [0.24, 0.2, 0.1]}",
        "{type: box, size: [0.24, 0.1, 0.2], orientation: {axis: [1, 0, 0], angle: 90 deg}}",
        "{type: cylinder, radius: 0.12, length: 0.1}",
        "{type: cone, radius: 0.12, length: 0.2}",
    };
    const double angles[] = {0.0, 0.3, 0.7853981633974483, 2.4};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
        for (size_t k = 0; k < sizeof angles / sizeof *angles; ++k) {
            double flat[2], seams[2], step = k % 2 == 0 ? 1e-3 : 5e-3;
            slide(shapes[i], false, angles[k], step, flat);
            slide(shapes[i], true, angles[k], step, seams);
            hf_check_near(seams[0], flat[0], 1e-6, shapes[i], "the same on a plane");
            hf_check_near(seams[1], flat[1], 1e-6, shapes[i], "the same on a plane");
            // and that is v^2/(2 mu g), to the first order of the step
            double way = hypot(flat[0] + 0.3, flat[1] + 0.11);
            hf_check_near(way, 1.6 * 1.6 / (2.0 * 0.3 * G), 1.7 * step, "way", "closed form");
        }
    }
}

// ------------------------------------------------------------------------------------------------

static double bowl(double x, double y)
{
    return 0.8 * (x * x + y * y);
}

// A ball rolls to and fro in a bowl of heights, loses its energy to rolling friction, and rests at
// the bottom, whose four triangles meet in one point; a box lies beside it.
static void a_bowl_holds_a_ball(void **state)
{
    (void)state;
    char text[TEXT], heights[3000];
    put_heights(heights, sizeof heights, bowl, 0.6);
    (void)snprintf(
        text, sizeof text,
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  bowl: {type: static, shape: {type: heights, size: [0.6, 0.6], heights: [%s]}}\n"
        "  ball: {type: rigid, mass: 0.2, shape: {type: sphere, radius: 0.03},\n"
        "         position: [0.15, 0.02, 0.08]}\n"
        "  box: {type: rigid, mass: 0.2, shape: {type: box, size: [0.06, 0.05, 0.04]},\n"
        "        position: [-0.1, 0.05, 0.08]}\n"
        "forces:\n"
        "  - {name: touch, type: collide, among: all, friction: 0.4, restitution: 0,\n"
        "     rolling_friction: 2e-3, spin_friction: 2e-3}\n",
        heights);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_with(model, timestep(1e-3));
    const double *q = hf_sim_position(sim, hf_model_find_body(model, "ball"));
    run_until(sim, 6.0);
    hf_check_same_bits(value_of(sim, "energy.kinetic"), 0.0, "kinetic energy");
    assert_true(hypot(q[0], q[1]) < 0.15);
    assert_true(q[2] > 0.02 && q[2] < 0.08);
    double then[14];
    memcpy(then, q, sizeof then);
    run_until(sim, 6.5);
    assert_memory_equal(then, q, sizeof then);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------

// An open box of five plates of triangles, closed as a solid: outer 0.2 x 0.2 x 0.12, 0.02 thick.
static hf_triangles *make_tray(void)
{
    hf_vec3 p[16];
    const double half[2] = {0.1, 0.08}, low[2] = {0.0, 0.02};
    for (int i = 0; i < 16; ++i) {
        int inner = i / 8, up = i / 4 % 2, k = i % 4;
        double h = half[inner];
        p[i] = (hf_vec3){k == 1 || k == 2 ? h : -h, k >= 2 ? h : -h, up ? 0.12 : low[inner]};
    }
    int c[3 * 40], n = 0;
#define QUAD(a, b, d, e)                                                                           \
    do {                                                                                           \
        const int six[6] = {a, b, d, a, d, e};                                                     \
        memcpy(c + n, six, sizeof six);                                                            \
        n += 6;                                                                                    \
    } while (0)
    QUAD(3, 2, 1, 0);   // below
    QUAD(8, 9, 10, 11); // the floor inside
    for (int k = 0; k < 4; ++k) {
        int m = (k + 1) % 4;
        QUAD(k, m, 4 + m, 4 + k);           // outside
        QUAD(8 + m, 8 + k, 12 + k, 12 + m); // inside
        QUAD(4 + k, 4 + m, 12 + m, 12 + k); // the rim
    }
#undef QUAD
    hf_error error;
    hf_triangles *made = hf_triangles_create(p, 16, c, n / 3, &error);
    if (made == NULL) {
        fail_msg("%s", error.text);
    }
    return made;
}

static void surfaces_know_their_solid(void **state)
{
    (void)state;
    hf_triangles *tray = make_tray();
    hf_triangles_info info = hf_triangles_get_info(tray);
    assert_true(info.closed);
    double volume = 0.2 * 0.2 * 0.12 - 0.16 * 0.16 * 0.1;
    hf_check_near(info.volume, volume, 1e-15, "volume", "closed form");
    double z = (0.2 * 0.2 * 0.12 * 0.06 - 0.16 * 0.16 * 0.1 * 0.07) / volume;
    hf_check_near(info.center.z, z, 1e-15, "center", "closed form");
    hf_shape_def def = hf_shape_def_default(HF_SHAPE_TRIANGLES);
    def.shape.triangles = tray;
    def.density = 1000.0;
    hf_mass_properties m = hf_shapes_mass(&def, 1);
    double whole = 4.8 * (0.04 + 0.04) / 12.0, hole = 2.56 * 2.0 * 0.0256 / 12.0;
    hf_check_near(m.inertia.zz, whole - hole, 1e-12, "inertia", "closed form");
    hf_triangles_destroy(tray);
}

// A tray of triangles that moves: it slides on a table with a ball and a block in it, and all of it
// comes to rest; turned over, it rests on its rim.
static void trays_move(void **state)
{
    (void)state;
    for (int turned = 0; turned < 2; ++turned) {
        hf_error error;
        hf_triangles *tray = make_tray();
        hf_spec *spec = hf_spec_create();
        assert_int_equal(hf_spec_set_gravity(spec, (hf_vec3){0, 0, -G}, &error), HF_OK);
        hf_shape_def def = hf_shape_def_default(HF_SHAPE_TRIANGLES);
        def.shape.triangles = tray;
        def.density = 1000.0;
        hf_mass_properties m = hf_shapes_mass(&def, 1);
        hf_rigid_def rigid = hf_rigid_def_default();
        rigid.name = "tray";
        rigid.mass = m.mass;
        rigid.inertia = m.inertia;
        rigid.shape = (hf_shape){.type = HF_SHAPE_POINT};
        rigid.position = (hf_vec3){0, 0, turned ? 0.12 - m.center.z : m.center.z};
        rigid.orientation = turned ? (hf_quat){.x = 1.0} : (hf_quat){.w = 1.0};
        rigid.velocity = (hf_vec3){1.0, 0.3, 0};
        hf_body body = hf_spec_add_rigid(spec, &rigid, &error);
        def.center = (hf_vec3){0, 0, -m.center.z};
        assert_int_equal(hf_spec_add_shape(spec, body, &def, &error), HF_OK);
        hf_static_def ground = hf_static_def_default();
        ground.name = "ground";
        ground.shape = (hf_shape){.type = HF_SHAPE_BOX, .size = {4, 4, 0.2}};
        ground.position = (hf_vec3){0, 0, -0.1};
        hf_body members[4] = {body, hf_spec_add_static(spec, &ground, &error)};
        hf_rigid_def ball = hf_rigid_def_default();
        ball.name = "ball";
        ball.shape.size.x = 0.02;
        ball.inertia = hf_shape_inertia(ball.shape, ball.mass = 0.3);
        ball.position = (hf_vec3){0.03, 0, turned ? 0.16 : 0.05};
        members[2] = hf_spec_add_rigid(spec, &ball, &error);
        ball.name = "block";
        ball.shape = (hf_shape){.type = HF_SHAPE_BOX, .size = {0.04, 0.03, 0.03}};
        ball.inertia = hf_shape_inertia(ball.shape, 0.3);
        ball.position = (hf_vec3){-0.03, 0.01, turned ? 0.15 : 0.04};
        members[3] = hf_spec_add_rigid(spec, &ball, &error);
        hf_force_def force = hf_force_def_default();
        hf_rigid_contact_def law = hf_rigid_contact_def_default();
        law.restitution = 0.0;
        law.rolling_friction = hf_level_coulomb(1e-3);
        law.rolling_friction.per_normal = true;
        law.spin_friction = law.rolling_friction;
        force.name = "touch";
        force.coupling = hf_coupling_def_default(HF_COUPLING_SHAPES);
        force.coupling.members = members;
        force.coupling.member_count = 4;
        force.coupling.turning = true;
        hf_force_use_rigid_contact(&force, &law);
        if (hf_spec_add_force(spec, &force, &error).id == 0) {
            fail_msg("%s", error.text);
        }
        hf_model *model = hf_model_compile(spec, &error);
        assert_non_null(model);
        hf_triangles_destroy(tray);
        hf_spec_destroy(spec);
        hf_sim *sim = sim_with(model, timestep(1e-3));
        run_until(sim, 3.0);
        hf_check_same_bits(value_of(sim, "energy.kinetic"), 0.0, "kinetic energy");
        const double *q = hf_sim_position(sim, body), *b = hf_sim_position(sim, members[2]);
        hf_check_near(q[2], rigid.position.z, 2e-5, "height of the tray", "it stands");
        assert_true(hypot(q[0], q[1]) > 0.05);
        bool inside = fabs(b[0] - q[0]) < 0.081 && fabs(b[1] - q[1]) < 0.081;
        if (!turned) {
            assert_true(inside);
            hf_check_near(b[2], 0.04, 2e-5, "height of the ball", "on the tray's floor");
        }
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// A box from `low` to `high` as triangles; `first`: its first vertex.
static void write_box(FILE *file, int first, const double low[3], const double high[3])
{
    static const int sides[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                    {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    for (int i = 0; i < 8; ++i) {
        bool right = i % 4 == 1 || i % 4 == 2, back = i % 4 > 1;
        (void)fprintf(file, "v %g %g %g\n", right ? high[0] : low[0], back ? high[1] : low[1],
                      i > 3 ? high[2] : low[2]);
    }
    for (int i = 0; i < 6; ++i) {
        const int *k = sides[i];
        (void)fprintf(file, "f %d %d %d\nf %d %d %d\n", first + k[0], first + k[1], first + k[2],
                      first + k[0], first + k[2], first + k[3]);
    }
}

// A tray slides and turns on a plane as its floor alone does, at steps in which points of its walls
// and of its floor's upper side come near: those that bear it are kept (it sank by 3 mm at 5 ms).
static void trays_keep_what_bears_them(void **state)
{
    (void)state;
    static const double low[2][3] = {{-0.3, -0.3, 0.0}, {-0.3, -0.3, 0.02}},
                        high[2][3] = {{0.3, 0.3, 0.02}, {-0.28, 0.3, 0.12}};
    FILE *file = fopen("two-boxes.obj", "w");
    assert_non_null(file);
    write_box(file, 1, low[0], high[0]);
    write_box(file, 9, low[1], high[1]);
    (void)fclose(file);
    static const char *const shapes[2] = {
        "{type: triangles, file: two-boxes.obj}",
        "{type: box, size: [0.6, 0.6, 0.02], position: [0, 0, 0.01]}"};
    double rest[2][3];
    for (int i = 0; i < 2; ++i) {
        char text[TEXT];
        (void)snprintf(text, sizeof text,
                       "gravity: [0, 0, -9.81]\n"
                       "bodies:\n"
                       "  floor: {type: static, shape: {type: plane}}\n"
                       "  tray: {type: rigid, mass: 4, position: [0, 0, 0], center: [0, 0, 0.03],\n"
                       "    inertia: [0.15, 0.15, 0.25], velocity: [1.5, 0.4, 0],\n"
                       "    angular_velocity: [0, 0, 3], shapes: {a: %s}}\n"
                       "forces:\n"
                       "  - {name: touch, type: collide, among: all, friction: 0.3}\n",
                       shapes[i]);
        hf_error error = {0};
        hf_model *model = hf_model_parse(text, strlen(text), "tray.yaml", ".", NULL, &error);
        if (model == NULL) {
            fail_msg("%s", error.text);
        }
        hf_sim *sim = sim_with(model, timestep(5e-3));
        run_until(sim, 1.0);
        memcpy(rest[i], hf_sim_position(sim, hf_model_find_body(model, "tray")), sizeof rest[i]);
        hf_check_near(value_of(sim, "energy.residual"), 0.0, 1e-6, "energy that is missing",
                      "none");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
    // Which corner bears how much, and so how the spin is braked, is not to the digit
    for (int k = 0; k < 3; ++k) {
        hf_check_near(rest[0][k], rest[1][k], 5e-4, "rest of a tray of triangles", "of its floor");
    }
}

int main(void)
{
    hf_work_in_own_folder();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floors_have_no_seams),       cmocka_unit_test(a_bowl_holds_a_ball),
        cmocka_unit_test(surfaces_know_their_solid),  cmocka_unit_test(trays_move),
        cmocka_unit_test(trays_keep_what_bears_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
// SDF: links whose inertia follows from their collisions (`auto`), cones and meshes among them.
#define _XOPEN_SOURCE 700 // mkdtemp
#include "reading.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/hf-sdf-weights-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL ? -1 : 0;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const made[] = {"angle.obj", "open.obj", "robot.sdf"};
    for (size_t i = 0; i < sizeof made / sizeof *made; ++i) {
        char path[100];
        (void)snprintf(path, sizeof path, "%s/%s", folder, made[i]);
        (void)remove(path);
    }
    return rmdir(folder);
}

static void write_file(const char *name, const char *text)
{
    char path[100];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

// A hinged link with these collisions.
static hf_robot *load(const char *collisions, const hf_robot_options *options)
{
    char text[2400], path[100];
    (void)snprintf(
        text, sizeof text,
        "<sdf version='1.11'><model name='m'><link name='a'><pose>0.3 0.1 -0.2 0.1 0.2 "
        "0.3</pose><inertial auto='true'/>%s</link><joint name='j' type='revolute'>"
        "<parent>world</parent><child>a</child><axis><xyz>1 0 0</xyz></axis></joint></model></sdf>",
        collisions);
    write_file("robot.sdf", text);
    (void)snprintf(path, sizeof path, "%s/robot.sdf", folder);
    return hf_reading_load_file(path, options);
}

// Mass, center and inertia (xx, yy, zz, xy, xz, yz) of the one link, as the model has them.
static void weight_of(const hf_robot *robot, double n[10])
{
    const char *at = strstr(hf_robot_model(robot), "mass: ");
    memset(n, 0, 10 * sizeof *n);
    assert_non_null(at);
    int count =
        sscanf(at, "mass: %lf, center: [%lf, %lf, %lf], inertia: [%lf, %lf, %lf, %lf, %lf, %lf",
               &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], &n[6], &n[7], &n[8], &n[9]);
    assert_true(count == 7 || count == 10);
}

// An angle of 2 x 1 x 2 m less 1 x 1 x 1 m, which is no convex body; its corner at the origin.
static const char angle[] =
    "v 0 0 0\nv 2 0 0\nv 2 0 1\nv 1 0 1\nv 1 0 2\nv 0 0 2\n"
    "v 0 1 0\nv 2 1 0\nv 2 1 1\nv 1 1 1\nv 1 1 2\nv 0 1 2\n"
    "f 1 2 3 4\nf 1 4 5 6\nf 10 9 8 7\nf 12 11 10 7\n"
    "f 2 1 7 8\nf 3 2 8 9\nf 4 3 9 10\nf 5 4 10 11\nf 6 5 11 12\nf 1 6 12 7\n";

#define PIECE(name, at, size)                                                                      \
    "<collision name='" name "'><pose>" at " 0 0 0</pose><density>800</density><geometry><box>"    \
    "<size>" size "</size></box></geometry></collision>"
#define MESH(file, scale)                                                                          \
    "<collision name='c'><density>800</density><geometry><mesh><uri>" file "</uri><scale>" scale   \
    "</scale></mesh></geometry></collision>"

// A mesh weighs what the boxes weigh that it is made of: mirrored, too, and whether its hull
// collides or the box around it.
static void test_a_mesh(void **state)
{
    (void)state;
    static const struct {
        const char *mesh, *boxes;
    } pairs[] = {
        {MESH("angle.obj", "0.1 0.2 0.15"),
         PIECE("a", "0.1 0.1 0.075", "0.2 0.2 0.15") PIECE("b", "0.05 0.1 0.225", "0.1 0.2 0.15")},
        {MESH("angle.obj", "-0.1 0.2 0.15"), PIECE("a", "-0.1 0.1 0.075", "0.2 0.2 0.15")
                                                 PIECE("b", "-0.05 0.1 0.225", "0.1 0.2 0.15")}};
    write_file("angle.obj", angle);
    hf_robot_options boxes = hf_robot_options_default();
    boxes.collide = HF_ROBOT_COLLIDE_BOXES;
    for (int i = 0; i < 2; ++i) {
        hf_robot *robots[] = {load(pairs[i].boxes, NULL), load(pairs[i].mesh, NULL),
                              load(pairs[i].mesh, &boxes)};
        double want[10], got[10];
        weight_of(robots[0], want);
        hf_check_near(want[0], 7.2, 1e-12, "mass of boxes", "800 * 0.009");
        for (int k = 1; k < 3; ++k) {
            assert_int_equal(hf_reading_missing(robots[k]), 0);
            weight_of(robots[k], got);
            for (int j = 0; j < 10; ++j) {
                hf_check_near(got[j], want[j], 1e-13, k == 1 ? "mesh" : "mesh in a box", "boxes");
            }
        }
        for (int k = 0; k < 3; ++k) {
            hf_robot_destroy(robots[k]);
        }
    }
}

// A surface with a hole encloses nothing: told.
static void test_an_open_mesh(void **state)
{
    (void)state;
    write_file("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n");
    hf_robot *robot = load(MESH("open.obj", "1 1 1"), NULL);
    assert_int_equal(hf_reading_missing(robot), 1);
    assert_int_equal(hf_reading_item(robot, "inertial", "auto").lot, HF_ROBOT_MISSING);
    hf_robot_destroy(robot);
}

// What a link weighs does not depend on whether anything is to collide.
static void test_without_collisions(void **state)
{
    (void)state;
    write_file("angle.obj", angle);
    hf_robot_options none = hf_robot_options_default();
    none.collide = HF_ROBOT_COLLIDE_NONE;
    static const char *const collisions[] = {PIECE("a", "0.1 0.1 0", "0.2 0.2 0.15"),
                                             MESH("angle.obj", "0.1 0.2 0.15")};
    for (int i = 0; i < 2; ++i) {
        hf_robot *robots[] = {load(collisions[i], NULL), load(collisions[i], &none)};
        double want[10], got[10];
        weight_of(robots[0], want);
        weight_of(robots[1], got);
        assert_memory_equal(got, want, sizeof got);
        assert_int_equal(hf_reading_missing(robots[1]), 0);
        hf_reading_lacks(robots[1], "shapes");
        hf_robot_destroy(robots[0]);
        hf_robot_destroy(robots[1]);
    }
}

// A cone, its middle at its place: mass, center and inertia against closed forms, about its axis
// and across. It hangs from the hinge by its tip's side, a quarter of its length beside its middle.
static void test_a_cone(void **state)
{
    (void)state;
    double pi = acos(-1.0), r = 0.2, l = 0.6, mass = 1000.0 * pi * r * r * l / 3.0;
    static const char text[] =
        "<sdf version='1.11'><model name='m'><link name='a'><inertial auto='true'/>"
        "<collision name='c'><pose>0.5 0 0 0 0 0</pose><geometry><cone><radius>0.2</radius><length>"
        "0.6</length></cone></geometry></collision></link><joint name='j' type='revolute'>"
        "<parent>world</parent><child>a</child><axis><xyz>%s</xyz><limit><effort>100</effort>"
        "</limit></axis></joint></model></sdf>";
    for (int k = 0; k < 2; ++k) {
        char whole[800];
        (void)snprintf(whole, sizeof whole, text, k == 0 ? "0 0 1" : "0 1 0");
        hf_robot *robot = hf_reading_load(whole, NULL);
        assert_int_equal(hf_reading_missing(robot), 0);
        hf_reading_machine m = hf_reading_start(robot, "method.step=1e-5");
        hf_sim_set_input(m.sim, hf_spec_find_signal(m.spec, "j"), 10.0);
        hf_reading_run(&m, 1e-4);
        double own = k == 0 ? 0.3 * mass * r * r : 3.0 / 20.0 * mass * (r * r + l * l / 4.0);
        double arm2 = 0.25 + (k == 0 ? 0.0 : l * l / 16.0);
        double torque = 10.0 + (k == 0 ? 0.0 : mass * 9.81 * 0.5);
        hf_check_near(hf_reading_v(&m, "m.j", 0), 1e-4 * torque / (own + mass * arm2), 1e-9, "rate",
                      "T t/I");
        hf_reading_end(&m);
        hf_robot_destroy(robot);
    }
}

// Put upside down and upright on the floor a cone stays where it is: its base and its tip are where
// SDF has them, half its length from its place.
static void test_a_cone_stands(void **state)
{
    (void)state;
    hf_robot *robot = hf_reading_load(
        "<sdf version='1.11'><world name='w'><model name='f'><static>1</static><link name='l'>"
        "<collision name='c'><geometry><plane/></geometry></collision></link></model>"
        "<model name='a'><pose>0 0 0.3 0 0 0</pose><link name='up'><inertial auto='true'/>"
        "<collision name='c'><geometry><cone><radius>0.2</radius><length>0.6</length></cone>"
        "</geometry></collision></link></model><model name='b'><pose>2 0 0.5 0 0 0</pose><link "
        "name='low'><inertial auto='true'/><collision name='c'><geometry><cone><radius>0.2</radius>"
        "<length>0.6</length></cone></geometry></collision></link></model></world></sdf>",
        NULL);
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    hf_reading_run(&m, 1.0);
    hf_check_near(hf_reading_q(&m, "w.up", 2), 0.3, 1e-9, "upright", "half its length");
    hf_check_near(hf_reading_q(&m, "w.low", 2), 0.3, 1e-6, "dropped", "half its length");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_mesh),
        cmocka_unit_test(test_an_open_mesh),
        cmocka_unit_test(test_without_collisions),
        cmocka_unit_test(test_a_cone),
        cmocka_unit_test(test_a_cone_stands),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

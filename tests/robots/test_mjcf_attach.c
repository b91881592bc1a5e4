// SPDX-License-Identifier: Apache-2.0
// MJCF: models that others attach. What is attached is the machine that one writes by hand in one
// file, whatever settings, classes and folders the other file has.
#define _XOPEN_SOURCE 700 // mkdtemp
#include "reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char SCENE[] =
    "<mujoco model='scene'><compiler angle='degree'/><option timestep='0.002'/>"
    "<default><joint damping='0.5'/><default class='x'><geom size='0.01'/></default></default>"
    "<asset><model name='arm' file='arm/arm.xml'/></asset><worldbody>"
    "<body name='table' pos='0 0 0.5' childclass='x'><geom type='box' size='0.3 0.3 0.02'/>"
    "<frame pos='0.1 0 0.02' euler='0 0 90'><attach model='arm' body='base' prefix='l-'/></frame>"
    "<frame pos='-0.1 0 0.02'><attach model='arm' body='base' prefix='r-'/></frame></body>"
    "</worldbody><actuator><motor name='extra' joint='l-j2' gear='0.5'/></actuator></mujoco>";

static const char ARM[] =
    "<mujoco model='arm'><compiler angle='radian' meshdir='assets' autolimits='true'/>"
    "<option timestep='0.01'/><default><joint damping='0.02' armature='0.001'/>"
    "<geom contype='0' conaffinity='0'/><default class='big'><geom size='0.03'/></default>"
    "</default><asset><mesh file='tet.obj'/><model name='grip' file='../grip.xml'/></asset>"
    "<worldbody><body name='other'><joint name='jo'/><geom size='0.1'/></body><body name='base'>"
    "<geom class='big' type='sphere'/><body pos='0 0 0.05' childclass='big'>"
    "<joint name='j1' axis='0 1 0' range='-1 1'/><geom type='mesh' mesh='tet' mass='0.1'/>"
    "<body pos='0.2 0 0'><joint name='j2' axis='0 0 1'/>"
    "<geom type='capsule' fromto='0 0 0 0.2 0 0'/>"
    "<attach model='grip' body='palm' prefix='g-'/></body></body></body></worldbody>"
    "<tendon><fixed name='t'><joint joint='j1' coef='1'/><joint joint='j2' coef='0.5'/></fixed>"
    "<fixed name='to'><joint joint='jo' coef='1'/></fixed></tendon>"
    "<actuator><position name='a1' joint='j1' kp='10'/><motor name='at' tendon='t'/>"
    "<motor name='ao' joint='jo'/><motor name='ato' tendon='to'/></actuator></mujoco>";

static const char GRIP[] =
    "<mujoco><compiler angle='degree'/><default><joint damping='0.07'/></default><worldbody>"
    "<body name='palm' pos='0.2 0 0' euler='0 0 30'><geom type='box' size='0.02 0.02 0.02' "
    "contype='0' conaffinity='0'/><body name='f' pos='0.02 0.01 0'>"
    "<joint name='f1' type='slide' axis='0 1 0' range='0 0.03'/>"
    "<joint name='f2' axis='1 0 0'/><geom size='0.01' contype='0' conaffinity='0'/></body></body>"
    "</worldbody><equality><joint joint1='f2' joint2='f1' polycoef='0 20 0 0 0'/></equality>"
    "</mujoco>";

static const char TETRAHEDRON[] = "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\n"
                                  "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

// One arm of the two, written by hand.
#define HAND(P)                                                                                    \
    "<body name='" P "base'><geom size='0.03' contype='0' conaffinity='0'/><body pos='0 0 0.05'>"  \
    "<joint name='" P "j1' axis='0 1 0' range='-57.29577951308232 57.29577951308232' "             \
    "damping='0.02' armature='0.001'/>"                                                            \
    "<geom type='mesh' mesh='tet' mass='0.1' contype='0' conaffinity='0'/><body pos='0.2 0 0'>"    \
    "<joint name='" P "j2' axis='0 0 1' damping='0.02' armature='0.001'/><geom type='capsule' "    \
    "fromto='0 0 0 0.2 0 0' size='0.03' contype='0' conaffinity='0'/><body name='" P "g-palm' "    \
    "pos='0.2 0 0' euler='0 0 30'><geom type='box' size='0.02 0.02 0.02' contype='0' "             \
    "conaffinity='0'/><body name='" P "g-f' pos='0.02 0.01 0'><joint name='" P "g-f1' "            \
    "type='slide' axis='0 1 0' range='0 0.03' damping='0.07'/><joint name='" P "g-f2' "            \
    "axis='1 0 0' damping='0.07'/><geom size='0.01' contype='0' conaffinity='0'/></body></body>"   \
    "</body></body></body>"
#define TENDON(P)                                                                                  \
    "<fixed name='" P "t'><joint joint='" P "j1' coef='1'/><joint joint='" P "j2' coef='0.5'/>"    \
    "</fixed>"
#define EQUAL(P) "<joint joint1='" P "g-f2' joint2='" P "g-f1' polycoef='0 20 0 0 0'/>"
#define DRIVES(P)                                                                                  \
    "<position name='" P "a1' joint='" P "j1' kp='10'/><motor name='" P "at' tendon='" P "t'/>"

static const char WHOLE[] =
    "<mujoco model='scene'><compiler meshdir='arm/assets'/><option timestep='0.002'/>"
    "<asset><mesh file='tet.obj'/></asset><worldbody>"
    "<body name='table' pos='0 0 0.5'><geom type='box' size='0.3 0.3 0.02'/>"
    "<frame pos='0.1 0 0.02' euler='0 0 90'>" HAND("l-") "</frame><frame pos='-0.1 0 0.02'>" HAND(
        "r-") "</frame></body></worldbody><tendon>" TENDON("l-")
        TENDON("r-") "</tendon><equality>" EQUAL("l-") EQUAL(
            "r-") "</equality><actuator><motor name='extra' joint='l-j2' gear='0.5'/>" DRIVES("l-")
            DRIVES("r-") "</actuator></mujoco>";

// ------------------------------------------------------------------------------------------------

static char folder[] = "attach-XXXXXX";

static void put(const char *name, const char *text)
{
    char path[100];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fputs(text, file) >= 0, 1);
    assert_int_equal(fclose(file), 0);
}

static void make(const char *name)
{
    char path[100];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    (void)mkdir(path, 0700);
}

static void drop(const char *name)
{
    char path[100];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    (void)remove(path);
}

static hf_robot *load(const char *name)
{
    char path[100];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return hf_reading_load_file(path, NULL);
}

static int set_up(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    make("arm");
    make("arm/assets");
    put("scene.xml", SCENE);
    put("arm/arm.xml", ARM);
    put("grip.xml", GRIP);
    put("arm/assets/tet.obj", TETRAHEDRON);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    static const char *const files[] = {"scene.xml", "scene2.xml",         "arm/arm.xml",
                                        "grip.xml",  "arm/assets/tet.obj", "arm/assets",
                                        "arm"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        drop(files[i]);
    }
    return rmdir(folder);
}

static void test_attached_is_written_by_hand(void **state)
{
    (void)state;
    hf_robot *attached = load("scene.xml");
    assert_int_equal(hf_reading_missing(attached), 0);
    assert_int_equal(hf_reading_item(attached, "attach", "prefix").lot, HF_ROBOT_TAKEN);
    // Under the same name of the file, with which the model begins
    put("scene.xml", WHOLE);
    hf_robot *whole = load("scene.xml");
    assert_int_equal(hf_reading_missing(whole), 0);
    assert_string_equal(hf_robot_model(attached), hf_robot_model(whole));
    hf_robot_destroy(attached);
    hf_robot_destroy(whole);
    put("scene.xml", SCENE);
}

// All of a world, and what is wrong.
static void test_worlds_and_refusals(void **state)
{
    (void)state;
    put("scene2.xml", "<mujoco><asset><model name='g' file='grip.xml'/></asset><worldbody>"
                      "<frame pos='0 0 1'><attach model='g' prefix='a/'/></frame></worldbody>"
                      "</mujoco>");
    hf_robot *robot = load("scene2.xml");
    assert_int_equal(hf_reading_missing(robot), 0);
    hf_reading_has(robot, "a_palm: {type: fixed, offset: [0.2, 0, 1]");
    hf_robot_destroy(robot);
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"<mujoco><worldbody><attach model='g'/></worldbody></mujoco>", "there is no model 'g'"},
        {"<mujoco><worldbody><attach/></worldbody></mujoco>", "attach needs a model"},
        {"<mujoco><asset><model name='g' file='grip.xml'/></asset><worldbody><attach model='g' "
         "body='nobody'/></worldbody></mujoco>",
         "the model 'g' has no body nobody"},
        {"<mujoco><asset><model name='g' file='scene2.xml'/></asset><worldbody><attach model='g'/>"
         "</worldbody></mujoco>",
         "too deep"},
        {"<mujoco><asset><model name='g' file='missing.xml'/></asset><worldbody><attach "
         "model='g'/></worldbody></mujoco>",
         "missing.xml"},
        {"<mujoco><asset><model name='g'/></asset><worldbody><attach model='g'/></worldbody>"
         "</mujoco>",
         "a model needs a file"},
    };
    char path[100];
    (void)snprintf(path, sizeof path, "%s/scene2.xml", folder);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        hf_error error = {0};
        put("scene2.xml", wrong[i].text);
        assert_null(hf_robot_read(path, NULL, &error));
        if (strstr(error.text, wrong[i].message) == NULL) {
            fail_msg("'%s' does not say '%s'", error.text, wrong[i].message);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attached_is_written_by_hand),
        cmocka_unit_test(test_worlds_and_refusals),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

// SPDX-License-Identifier: Apache-2.0
// SDF from the top: worlds and models, links and joints into a tree.
#include "robots/sdf/sdf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"

static bool add_inputs(hf_sdf *s, size_t first)
{
    for (size_t i = first; i < s->robot->links.count; ++i) {
        const hf_robot_link *link = &s->robot->links.items[i];
        if (!isfinite(link->effort) || link->type == HF_JOINT_FIXED) {
            continue;
        }
        int index = hf_robot_add_drive(s->robot, link->name, "joint");
        if (index < 0) {
            return false;
        }
        hf_robot_drive *drive = &s->robot->drives.items[index];
        drive->on.terms[0] = (hf_robot_term){(int)i, 1.0};
        drive->on.count = 1;
        drive->gain = 1.0;
        drive->input_low = -link->effort;
        drive->input_high = link->effort;
        drive->number = index;
        drive->from = link->from;
    }
    return true;
}

static bool read_model(hf_sdf *s, hf_xml_element *model, hf_xml_element *include, double version)
{
    size_t first = s->robot->links.count;
    if (!hf_sdf_open(s, model, include, version) || !hf_sdf_place_model(s) ||
        !hf_sdf_flag(s, model, "static", &s->is_static) ||
        !hf_sdf_flag(s, include, "static", &s->is_static) ||
        !hf_sdf_flag(s, model, "self_collide", &s->self_collide) || !hf_sdf_read_tree(s)) {
        return false;
    }
    for (size_t i = 0; i < s->links.count; ++i) {
        if (!hf_sdf_read_link(s, &s->links.items[i])) {
            return false;
        }
    }
    return add_inputs(s, first);
}

// ------------------------------------------------------------------------------------------------

#define SOFT "contacts and limits are rigid here: there is no softness to set"

static const hf_account_rule RULES[] = {
    {"visual/**", "*", HF_FATE_SEEN, "only shown"},
    {"sensor/**", "*", HF_FATE_SEEN, "a sensor measures; it moves nothing"},
    {"plugin/**", "*", HF_FATE_SEEN, "a program of Gazebo"},
    {"light/**", "*", HF_FATE_SEEN, "a light"},
    {"scene/**", "*", HF_FATE_SEEN, "only shown"},
    {"gui/**", "*", HF_FATE_SEEN, "only shown"},
    {"audio_source/**", "*", HF_FATE_SEEN, "a sound"},
    {"particle_emitter/**", "*", HF_FATE_SEEN, "only shown"},
    {"projector/**", "*", HF_FATE_SEEN, "only shown"},
    {"physics/**", "*", HF_FATE_SEEN, "a hint for Gazebo's solver"},
    {"spherical_coordinates/**", "*", HF_FATE_SEEN, "a place on the Earth"},
    {"magnetic_field", "*", HF_FATE_SEEN, "for sensors"},
    {"wind/**", "*", HF_FATE_MISSING, "wind would push"},
    {"atmosphere/**", "*", HF_FATE_SEEN, "for sensors"},
    {"road/**", "*", HF_FATE_SEEN, "only shown"},
    {"state/**", "*", HF_FATE_MISSING, "a saved state"},
    {"actor/**", "*", HF_FATE_MISSING, "a figure that moves by itself"},
    {"enable_wind", NULL, HF_FATE_SEEN, "wind alone would ask for it"},
    {"kinematic", NULL, HF_FATE_SEEN, "how Gazebo moves it when asked"},
    {"link/self_collide", NULL, HF_FATE_SEEN, "the model's word counts"},
    {"allow_auto_disable", NULL, HF_FATE_SEEN, "a hint for Gazebo's solver"},
    {"must_be_base_link", NULL, HF_FATE_SEEN, "a word for programs"},
    {"provide_feedback", NULL, HF_FATE_SEEN, "what Gazebo tells"},
    {"max_contacts", NULL, HF_FATE_SEEN, "a hint for Gazebo's solver"},
    {"collision/density", NULL, HF_FATE_SEEN, "for inertia by auto alone"},
    {"laser_retro", NULL, HF_FATE_SEEN, "for sensors"},
    {"surface/contact/**", "*", HF_FATE_OTHERWISE, SOFT},
    {"surface/soft_contact/**", "*", HF_FATE_OTHERWISE, SOFT},
    {"fdir1", "*", HF_FATE_SEEN, "friction is the same in all directions"},
    {"friction/bullet/**", "*", HF_FATE_SEEN, "numbers of another engine; those of ode count"},
    {"joint/physics/**", "*", HF_FATE_OTHERWISE, SOFT},
    {"limit/stiffness", NULL, HF_FATE_OTHERWISE, SOFT},
    {"limit/dissipation", NULL, HF_FATE_OTHERWISE, SOFT},
    {"axis/initial_position", NULL, HF_FATE_SEEN, "not used by Gazebo"},
    {"sdf", "version", HF_FATE_TAKEN, NULL},
    {"sdf", "xmlns:drake", HF_FATE_SEEN, "a name space"},
    {"frame", "*", HF_FATE_SEEN, "a frame that nothing refers to"},
    {"frame/**", "*", HF_FATE_SEEN, "a frame that nothing refers to"},
    {"model", "canonical_link", HF_FATE_SEEN, "names its frame"},
    {"world", NULL, HF_FATE_TAKEN, NULL},
    {"world", "name", HF_FATE_SEEN, "a name"},
    {"include/**", "*", HF_FATE_MISSING, "would change the model that is included"},
    {"gripper/**", "*", HF_FATE_MISSING, "a grasp that holds by itself"},
};

// Of a world: the step of its solver, on which `velocity_decay` depends.
static double step_of(hf_xml_element *world)
{
    hf_xml_element *step = hf_xml_child(hf_xml_child(world, "physics"), "max_step_size");
    const double usual = 1e-3; // [s], SDFormat's own default
    double n = usual;
    return step != NULL && hf_xml_numbers(step->text, 1, 1, &n) == 1 && n > 0.0 ? n : usual;
}

static bool read_models(hf_robot *robot, hf_xml_element *parent, double version, int *count,
                        hf_robot_choices *known)
{
    for (hf_xml_element *e = parent == NULL ? NULL : parent->first; e != NULL; e = e->next) {
        bool included = strcmp(e->name, "include") == 0;
        double own = version;
        if (!included && strcmp(e->name, "model") != 0) {
            continue;
        }
        // The model, of another file or here
        hf_xml_element *model = included ? hf_sdf_included(robot, e, &own) : e;
        if (model == NULL) {
            return false;
        }
        hf_xml_attribute *name = hf_xml_get(model, "name");
        hf_xml_element *renamed = included ? hf_xml_child(e, "name") : NULL;
        const char *called = renamed != NULL ? renamed->text : name != NULL ? name->value : "";
        hf_robot_add_choice(known, called);
        if (robot->options.model != NULL && strcmp(called, robot->options.model) != 0) {
            hf_xml_mark_all(e, HF_FATE_SEEN, "not the model that was asked for");
            continue;
        }
        // All that it contains
        hf_sdf s = {.robot = robot, .family = ++*count, .step = step_of(parent)};
        bool read = read_model(&s, model, included ? e : NULL, own);
        free(s.scopes.items);
        free(s.links.items);
        free(s.joints.items);
        if (!read) {
            return false;
        }
    }
    return true;
}

bool hf_read_sdf(hf_robot *robot, hf_xml_element *root)
{
    hf_xml_element *world = hf_xml_child(root, "world"), *model = hf_xml_child(root, "model");
    hf_xml_attribute *title = hf_xml_get(model != NULL ? model : world, "name");
    // Settings
    double number = 0.0;
    int count = 0;
    // What holds for all models
    robot->gravity = (hf_vec3){0, 0, -9.81};
    robot->friction_rule = "minimum";
    hf_xml_mark_element(root, HF_FATE_TAKEN, NULL);
    hf_sdf settings = {.robot = robot};
    double gravity[3] = {0, 0, world != NULL ? -9.8 : -9.81};
    if (robot->options.start != NULL) {
        return hf_xml_fail(root, robot->error, HF_ERROR_INPUT, "an SDF has no key frames");
    }
    if (!hf_sdf_version(robot, root, &number) ||
        !hf_robot_set_title(robot, title == NULL ? NULL : title->value) ||
        !hf_sdf_numbers(&settings, world, "gravity", 3, gravity, NULL)) {
        return false;
    }
    robot->gravity = (hf_vec3){gravity[0], gravity[1], gravity[2]};
    hf_robot_choices known = {.count = 0};
    if (!read_models(robot, root, number, &count, &known) ||
        !read_models(robot, world, number, &count, &known)) {
        return false;
    }
    if (count == 0 && known.count == 0) {
        return hf_xml_fail(root, robot->error, HF_ERROR_INPUT, "there is no model");
    }
    if (count == 0) {
        return hf_xml_fail(root, robot->error, HF_ERROR_NAME,
                           "there is no model '%.60s': the file has %s", robot->options.model,
                           known.text);
    }
    hf_account_close(&robot->xml, RULES, (int)(sizeof RULES / sizeof RULES[0]));
    return true;
}

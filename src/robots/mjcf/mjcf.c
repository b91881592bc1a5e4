// SPDX-License-Identifier: Apache-2.0
// MJCF from the top: files and settings, classes, meshes, bodies, then what refers to bodies and
// joints.
#include "robots/mjcf/mjcf.h"

#include <stdlib.h>
#include <string.h>

static bool read_all(hf_mjcf *m)
{
    return hf_mjcf_add_scope(m, "", "") == 0 && hf_mjcf_include(m, m->root) &&
           hf_mjcf_read_settings(m) && hf_mjcf_attach(m) && hf_mjcf_read_classes(m) &&
           hf_mjcf_read_meshes(m) && hf_mjcf_read_bodies(m) && hf_mjcf_read_contacts(m) &&
           hf_mjcf_read_equality(m) && hf_mjcf_read_tendons(m) && hf_mjcf_read_drives(m) &&
           hf_mjcf_read_keys(m);
}

bool hf_read_mjcf(hf_robot *robot, hf_xml_element *root)
{
    hf_mjcf m = {.robot = robot, .root = root, .suffix = ""};
    robot->gravity = (hf_vec3){0, 0, -9.81};
    robot->friction_rule = "maximum";
    hf_xml_mark_element(root, HF_FATE_TAKEN, NULL);
    hf_xml_attribute *model = hf_xml_get(root, "model");
    hf_xml_mark(model, HF_FATE_TAKEN, NULL);
    bool read = hf_robot_set_title(robot, model == NULL ? NULL : model->value) && read_all(&m);
    if (read) {
        hf_mjcf_settle(&m);
    }
    free(m.classes.items);
    free(m.bodies.items);
    free(m.joints.items);
    free(m.meshes.items);
    free(m.geoms.items);
    free(m.sites.items);
    free(m.scopes.items);
    return read;
}

// SPDX-License-Identifier: Apache-2.0
// MJCF from the top: files and settings, classes, meshes, bodies, then what refers to bodies and
// joints.
#include "robots/mjcf/mjcf.h"

#include <stdlib.h>
#include <string.h>

// Two of a kind with one name: which of them is meant where it is named, nobody can tell.
static bool add_name(hf_mjcf *m, hf_names *names, const char *kind, const char *name,
                     const hf_xml_element *element)
{
    if (name == NULL || name[0] == '\0' || element == NULL) {
        return true;
    }
    if (hf_names_find(names, name, strlen(name)) >= 0) {
        return hf_xml_fail(element, m->robot->error, HF_ERROR_NAME, "there are two %s '%.60s'",
                           kind, name);
    }
    return hf_names_add(names, name, 0) || hf_robot_out_of_memory(m->robot);
}

static bool check_names(hf_mjcf *m)
{
    hf_names bodies = {0}, joints = {0}, geoms = {0}, sites = {0};
    bool good = true;
    for (size_t i = 0; i < m->bodies.count && good; ++i) {
        const hf_mjcf_body *b = &m->bodies.items[i];
        good = add_name(m, &bodies, "bodies", b->name, b->element);
    }
    for (size_t i = 0; i < m->joints.count && good; ++i) {
        const hf_mjcf_joint *j = &m->joints.items[i];
        good = add_name(m, &joints, "joints", j->name, j->element);
    }
    for (size_t i = 0; i < m->geoms.count && good; ++i) {
        const hf_mjcf_geom *g = &m->geoms.items[i];
        good = add_name(m, &geoms, "geoms", g->name, g->element);
    }
    for (size_t i = 0; i < m->sites.count && good; ++i) {
        const hf_mjcf_site *s = &m->sites.items[i];
        good = add_name(m, &sites, "sites", s->name, s->element);
    }
    hf_names_free(&bodies);
    hf_names_free(&joints);
    hf_names_free(&geoms);
    hf_names_free(&sites);
    return good;
}

static bool read_all(hf_mjcf *m)
{
    return hf_mjcf_add_scope(m, "", "") == 0 && hf_mjcf_include(m, m->root) &&
           hf_mjcf_read_settings(m) && hf_mjcf_attach(m) && hf_mjcf_read_classes(m) &&
           hf_mjcf_read_meshes(m) && hf_mjcf_read_bodies(m) && check_names(m) &&
           hf_mjcf_read_contacts(m) && hf_mjcf_read_equality(m) && hf_mjcf_read_tendons(m) &&
           hf_mjcf_read_drives(m) && hf_mjcf_read_keys(m);
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

// SPDX-License-Identifier: Apache-2.0
// `include`, and the settings of `compiler` and `option`.
#include <stdlib.h>
#include <string.h>

#include "robots/mjcf/mjcf.h"

// Puts the children of an included file behind the element that includes it.
static void splice(hf_xml_element *include, hf_xml_element *root)
{
    hf_xml_element *parent = include->parent;
    for (hf_xml_element *e = root->first; e != NULL; e = e->next) {
        e->parent = parent;
    }
    if (root->last != NULL) {
        root->last->next = include->next;
        include->next = root->first;
        parent->last = parent->last == include ? root->last : parent->last;
    }
    root->first = root->last = NULL;
}

static bool include_file(hf_mjcf *m, hf_xml_element *include)
{
    hf_robot *robot = m->robot;
    // Which file; each once
    hf_xml_attribute *file = hf_xml_get(include, "file");
    const char *relative = NULL;
    if (file == NULL) {
        return hf_xml_fail(include, robot->error, HF_ERROR_INPUT, "include needs a file");
    }
    const char *named =
        hf_robot_print(robot, "%s%s", m->scopes.items[include->scope].folder, file->value);
    char *path = named == NULL ? NULL : hf_robot_resolve(robot, include, file, named, &relative);
    if (path == NULL) {
        return false;
    }
    bool again = false;
    for (size_t i = 0; i < robot->xml.file_count && !again; ++i) {
        again = robot->xml.files[i].path != NULL &&
                robot->xml.files[i].root->scope == include->scope &&
                strcmp(robot->xml.files[i].path, path) == 0;
    }
    // Its root
    const char *slash = strrchr(robot->label, '/');
    const char *label =
        hf_robot_print(robot, "%.*s%s", slash == NULL ? 0 : (int)(slash - robot->label) + 1,
                       robot->label, relative);
    hf_xml_element *root =
        again || label == NULL ? NULL : hf_xml_load(&robot->xml, path, label, robot->error);
    free(path);
    if (again) {
        return hf_xml_fail_at(file, robot->error, HF_ERROR_INPUT,
                              "file '%.100s' is included a second time", file->value);
    }
    if (root == NULL) {
        return false;
    }
    // Its elements take the place of the include
    hf_xml_set_scope(root, include->scope);
    hf_xml_mark_element(include, HF_FATE_TAKEN, NULL);
    hf_xml_mark(file, HF_FATE_TAKEN, NULL);
    hf_xml_mark_element(root, HF_FATE_TAKEN, NULL);
    hf_xml_attribute *model = hf_xml_get(root, "model");
    hf_xml_mark(model, HF_FATE_SEEN, "the name of a file that another includes");
    splice(include, root);
    return true;
}

// Depth first; what was included is looked through in turn. Each file may be included once.
static bool expand(hf_mjcf *m, hf_xml_element *element, int depth)
{
    if (depth > 2 * HF_XML_MAX_DEPTH) {
        return hf_xml_fail(element, m->robot->error, HF_ERROR_INPUT,
                           "elements are nested too deep");
    }
    for (hf_xml_element *e = element->first; e != NULL; e = e->next) {
        bool include = strcmp(e->name, "include") == 0;
        if (include ? !include_file(m, e) : !expand(m, e, depth + 1)) {
            return false;
        }
    }
    return true;
}

bool hf_mjcf_include(hf_mjcf *m, hf_xml_element *root)
{
    return expand(m, root, 0);
}

// ------------------------------------------------------------------------------------------------

static bool read_euler(hf_mjcf *m, const hf_mjcf_view *view)
{
    hf_xml_attribute *a = hf_mjcf_get(view, "eulerseq");
    if (a == NULL) {
        return true;
    }
    if (strlen(a->value) != 3 || strspn(a->value, "xyzXYZ") != 3) {
        return hf_xml_fail_at(a, m->robot->error, HF_ERROR_INPUT,
                              "eulerseq must be three letters of x, y, z, X, Y, Z, got '%.20s'",
                              a->value);
    }
    memcpy(m->now->euler, a->value, 4);
    return true;
}

static bool read_compiler(hf_mjcf *m, hf_xml_element *element)
{
    static const char *const angles[] = {"degree", "radian"};
    static const char *const three[] = {"false", "true", "auto"};
    static const char *const frames[] = {"local", "global"};
    hf_mjcf_view view = {element, {{element}, 1}};
    hf_xml_mark_element(element, HF_FATE_TAKEN, NULL);
    // What holds until another says otherwise
    m->now = &m->scopes.items[element->scope];
    int angle = m->now->radians ? 1 : 0, from_geom = (int)m->now->from_geom, frame = 0;
    double groups[2] = {m->now->least_group, m->now->most_group};
    hf_xml_attribute *folder = hf_mjcf_get(&view, "assetdir");
    folder = hf_xml_get(element, "meshdir") == NULL ? folder : hf_mjcf_get(&view, "meshdir");
    m->now->mesh_folder = folder == NULL ? m->now->mesh_folder : folder->value;
    // All of it
    if (!hf_mjcf_word(m, &view, "angle", angles, 2, &angle) ||
        !hf_mjcf_word(m, &view, "coordinate", frames, 2, &frame) ||
        !hf_mjcf_word(m, &view, "inertiafromgeom", three, 3, &from_geom) || !read_euler(m, &view) ||
        !hf_mjcf_flag(m, &view, "autolimits", &m->now->autolimits, NULL) ||
        !hf_mjcf_flag(m, &view, "balanceinertia", &m->now->balance, NULL) ||
        !hf_mjcf_flag(m, &view, "strippath", &m->now->strip_path, NULL) ||
        !hf_mjcf_flag(m, &view, "exactmeshinertia", &m->now->exact_meshes, NULL) ||
        !hf_mjcf_number(m, &view, "boundmass", &m->now->least_mass) ||
        !hf_mjcf_number(m, &view, "boundinertia", &m->now->least_inertia) ||
        !hf_mjcf_number(m, &view, "settotalmass", &m->now->total_mass) ||
        !hf_mjcf_numbers(m, &view, "inertiagrouprange", 2, 2, groups, NULL)) {
        return false;
    }
    // As the reader has it
    if (frame == 1) {
        return hf_xml_fail_at(
            hf_xml_get(element, "coordinate"), m->robot->error, HF_ERROR_UNSUPPORTED,
            "global coordinates are not understood (MuJoCo dropped them in 2.3.4)");
    }
    m->now->radians = angle == 1;
    m->now->from_geom = (hf_mjcf_from_geom)from_geom;
    m->now->least_group = groups[0] < -1e6 ? -1000000 : (int)groups[0];
    m->now->most_group = groups[1] > 1e6 ? 1000000 : (int)groups[1];
    return true;
}

// Switches of MuJoCo: hints, what is as it always is, and what would change the physics. Gravity
// and contacts can be switched off.
static void read_flags(hf_mjcf *m, hf_xml_element *flag)
{
    static const char hints[] = " energy fwdinv invdiscrete multiccd island sensor warmstart "
                                "eulerdamp refsafe midphase nativeccd autoreset sleep ";
    static const char off_by_default[] = " override ";
    hf_xml_mark_element(flag, HF_FATE_TAKEN, NULL);
    for (hf_xml_attribute *a = flag->attributes; a != NULL; a = a->next) {
        const char *word = hf_robot_print(m->robot, " %s ", a->name);
        bool hint = word != NULL && strstr(hints, word) != NULL;
        bool off = word != NULL && strstr(off_by_default, word) != NULL;
        bool usual = strcmp(a->value, off ? "disable" : "enable") == 0;
        // What is switched off here too
        if (!usual && strcmp(a->name, "gravity") == 0) {
            m->robot->gravity = (hf_vec3){0};
            hf_xml_mark(a, HF_FATE_TAKEN, NULL);
        } else if (!usual && strcmp(a->name, "contact") == 0) {
            m->robot->options.collide = HF_ROBOT_COLLIDE_NONE;
            hf_xml_mark(a, HF_FATE_TAKEN, NULL);
        }
        // What changes nothing; the rest is settled by the rules
        if (hint || usual) {
            hf_xml_mark(a, HF_FATE_SEEN, hint ? "a hint for MuJoCo's solver" : "as it always is");
        }
    }
}

static bool read_option(hf_mjcf *m, hf_xml_element *element)
{
    hf_mjcf_view view = {element, {{element}, 1}};
    hf_xml_mark_element(element, HF_FATE_TAKEN, NULL);
    if (!hf_mjcf_vec3(m, &view, "gravity", &m->robot->gravity) ||
        !hf_mjcf_number(m, &view, "timestep", &m->robot->step)) {
        return false;
    }
    // Switches, and the step
    for (hf_xml_element *f = hf_xml_child(element, "flag"); f != NULL; f = hf_xml_next(f)) {
        read_flags(m, f);
    }
    hf_xml_attribute *step = hf_xml_get(element, "timestep");
    if (step != NULL && !(m->robot->step > 0.0)) {
        return hf_xml_fail_at(step, m->robot->error, HF_ERROR_RANGE, "timestep must be positive");
    }
    hf_xml_mark(step, HF_FATE_OTHERWISE, "the step of the method timestep");
    // Fluids
    if (!hf_mjcf_number(m, &view, "density", &m->robot->fluid_density) ||
        !hf_mjcf_number(m, &view, "viscosity", &m->robot->fluid_viscosity) ||
        !hf_mjcf_vec3(m, &view, "wind", &m->robot->wind)) {
        return false;
    }
    if (!(m->robot->fluid_density >= 0.0) || !(m->robot->fluid_viscosity >= 0.0)) {
        return hf_xml_fail(element, m->robot->error, HF_ERROR_RANGE,
                           "density and viscosity must not be negative");
    }
    return true;
}

bool hf_mjcf_read_compilers(hf_mjcf *m, hf_xml_element *root)
{
    for (hf_xml_element *e = root->first; e != NULL; e = e->next) {
        if (strcmp(e->name, "compiler") == 0 && !read_compiler(m, e)) {
            return false;
        }
    }
    return true;
}

bool hf_mjcf_read_settings(hf_mjcf *m)
{
    if (!hf_mjcf_read_compilers(m, m->root)) {
        return false;
    }
    for (hf_xml_element *e = m->root->first; e != NULL; e = e->next) {
        if (strcmp(e->name, "option") == 0 && !read_option(m, e)) {
            return false;
        }
    }
    // The fluid may stand in a later option than its wind
    bool fluid = m->robot->fluid_density > 0.0 || m->robot->fluid_viscosity > 0.0;
    for (hf_xml_element *e = m->root->first; e != NULL && !fluid; e = e->next) {
        hf_xml_attribute *wind = strcmp(e->name, "option") == 0 ? hf_xml_get(e, "wind") : NULL;
        if (wind != NULL) {
            hf_xml_unmark(wind, "there is no fluid that it moves");
        }
    }
    return true;
}

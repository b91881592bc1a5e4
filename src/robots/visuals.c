// SPDX-License-Identifier: Apache-2.0
// <visual> of URDF and SDF, which say nearly the same: URDF in attributes, SDF in elements. Nothing
// of it is marked: the formats' rules call it only seen.
#include <string.h>

#include "math/vec.h"
#include "robots/robot.h"

// An attribute of this name, or the text of a child.
static const char *word_of(const hf_xml_element *e, const char *name)
{
    hf_xml_attribute *a = hf_xml_get(e, name);
    hf_xml_element *child = hf_xml_child(e, name);
    return a != NULL ? a->value : child != NULL ? child->text : NULL;
}

static bool numbers_of(const hf_xml_element *e, const char *name, int count, double *numbers)
{
    const char *word = word_of(e, name);
    return word != NULL && hf_xml_numbers(word, count, count, numbers) == count;
}

// False: a place that is given in another way.
static bool read_place(const hf_xml_element *visual, hf_robot_shape *shape)
{
    hf_xml_element *origin = hf_xml_child(visual, "origin"), *pose = hf_xml_child(visual, "pose");
    double n[6] = {0};
    if (pose != NULL) {
        if (pose->attributes != NULL || hf_xml_numbers(pose->text, 6, 6, n) != 6) {
            return false;
        }
    } else if (origin != NULL) {
        (void)numbers_of(origin, "xyz", 3, n);
        (void)numbers_of(origin, "rpy", 3, n + 3);
    }
    shape->center = (hf_vec3){n[0], n[1], n[2]};
    shape->turn = hf_robot_from_rpy(n[3], n[4], n[5]);
    return true;
}

// Sizes, and the file of a mesh. False: of no known kind.
static bool read_form(const hf_xml_element *visual, hf_robot_shape *shape, const char **file)
{
    static const struct {
        const char *name;
        hf_robot_shape_type type;
    } forms[] = {{"sphere", HF_ROBOT_SPHERE},
                 {"box", HF_ROBOT_BOX},
                 {"cylinder", HF_ROBOT_CYLINDER},
                 {"capsule", HF_ROBOT_CAPSULE},
                 {"ellipsoid", HF_ROBOT_ELLIPSOID},
                 {"cone", HF_ROBOT_CONE},
                 {"mesh", HF_ROBOT_MESH}};
    // Which form
    const hf_xml_element *geometry = hf_xml_child(visual, "geometry"),
                         *form = geometry == NULL ? NULL : geometry->first;
    for (size_t i = 0; form != NULL && i < sizeof forms / sizeof *forms; ++i) {
        if (strcmp(form->name, forms[i].name) != 0) {
            continue;
        }
        // Its sizes
        double n[3] = {0}, scale[3] = {1, 1, 1};
        shape->type = forms[i].type;
        (void)numbers_of(form, "radius", 1, &n[0]);
        (void)numbers_of(form, "length", 1, &n[2]);
        (void)numbers_of(form, shape->type == HF_ROBOT_BOX ? "size" : "radii", 3, n);
        (void)numbers_of(form, "scale", 3, scale);
        shape->size = (hf_vec3){n[0], n[1], n[2]};
        shape->scale = (hf_vec3){scale[0], scale[1], scale[2]};
        if (shape->type == HF_ROBOT_CONE) {
            hf_robot_place_cone(shape);
        }
        *file = word_of(form, "filename");
        *file = *file == NULL ? word_of(form, "uri") : *file;
        return true;
    }
    return false;
}

// URDF: a color here, or of the robot's material of this name. SDF: diffuse or ambient.
static long read_color(const hf_xml_element *visual, const hf_xml_element *root)
{
    const hf_xml_element *material = hf_xml_child(visual, "material");
    if (material == NULL) {
        return -1;
    }
    hf_xml_element *color = hf_xml_child(material, "color");
    hf_xml_attribute *name = hf_xml_get(material, "name");
    for (const hf_xml_element *m = name == NULL || color != NULL ? NULL
                                                                 : hf_xml_child(root, "material");
         m != NULL && color == NULL; m = hf_xml_next(m)) {
        hf_xml_attribute *own = hf_xml_get(m, "name");
        color =
            own != NULL && strcmp(own->value, name->value) == 0 ? hf_xml_child(m, "color") : NULL;
    }
    const char *word = color != NULL ? word_of(color, "rgba") : word_of(material, "diffuse");
    return hf_robot_color(word != NULL ? word : word_of(material, "ambient"));
}

bool hf_robot_read_visuals(hf_robot *robot, const hf_xml_element *element,
                           const hf_xml_element *root, int link)
{
    for (hf_xml_element *v = hf_xml_child(element, "visual"); v != NULL; v = hf_xml_next(v)) {
        hf_robot_look look = {.only = true, .shape = {.link = link, .from = v}};
        const char *file = NULL;
        if (link < 0 || !read_place(v, &look.shape) || !read_form(v, &look.shape, &file)) {
            continue;
        }
        look.shape.center = hf_v3_add(look.shape.center, robot->links.items[link].origin);
        look.color = read_color(v, root);
        if (!hf_robot_add_look(robot, look, file)) {
            return false;
        }
    }
    return true;
}

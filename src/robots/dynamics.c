// SPDX-License-Identifier: Apache-2.0
// The inertia that a joint moves, from the mass matrix of the links alone.
#include "robots/dynamics.h"

#include <stdlib.h>

#include <holdfast/sim.h>

#include "base/error.h"

// The links alone, as a machine of their own.
static hf_model *compile_links(hf_robot *robot, hf_tree *tree)
{
    hf_spec *spec = hf_spec_create();
    hf_body *links = calloc(robot->links.count + 1, sizeof *links);
    bool built = spec != NULL && links != NULL;
    *tree = (hf_tree){0};
    if (built) {
        *tree = hf_spec_add_tree(spec, "robot", robot->error);
        built = tree->id != 0;
    }
    // Joints and inertias as they are, without forces
    for (size_t i = 0; built && i < robot->links.count; ++i) {
        const hf_robot_link *link = &robot->links.items[i];
        hf_joint_def def = hf_joint_def_default(link->type);
        def.name = link->name;
        def.parent = link->parent < 0 ? (hf_body){0} : links[link->parent];
        def.offset = link->offset;
        def.tilt = link->tilt;
        def.axis = link->axis;
        def.mass = link->mass;
        def.center = link->center;
        def.inertia = link->inertia;
        bool scalar = link->type == HF_JOINT_REVOLUTE || link->type == HF_JOINT_PRISMATIC;
        def.armature = scalar ? link->armature : 0.0;
        links[i] = hf_spec_add_joint(spec, *tree, &def, robot->error);
        built = links[i].id != 0;
    }
    // The machine of these
    hf_model *model = built ? hf_model_compile(spec, robot->error) : NULL;
    free(links);
    hf_spec_destroy(spec);
    return model;
}

bool hf_robot_joint_mass(hf_robot *robot, int link, double *mass)
{
    hf_tree tree;
    hf_model *model = compile_links(robot, &tree);
    hf_sim *sim = model == NULL ? NULL : hf_sim_create(model, NULL, robot->error);
    int at = 0;
    for (int i = 0; i < link; ++i) {
        at += hf_joint_velocities(robot->links.items[i].type);
    }
    bool found = false;
    if (sim != NULL) {
        size_t count = (size_t)hf_sim_tree_size(sim, tree).velocities;
        double *matrix = calloc(count * count + 1, sizeof *matrix);
        if (matrix != NULL) {
            hf_sim_mass_matrix(sim, tree, NULL, matrix);
            *mass = matrix[(size_t)at * count + (size_t)at];
            found = true;
        }
        free(matrix);
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return found || (robot->error->status != HF_OK ? false : hf_robot_out_of_memory(robot));
}

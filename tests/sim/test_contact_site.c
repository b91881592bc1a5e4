// SPDX-License-Identifier: Apache-2.0
// What a rigid contact chooses its numbers for: the smallest length of a box, along whichever axis.
#include <holdfast/holdfast.h>
#include <math.h>

#include "hf_test.h"

// The same box as the hull of its corners.
static hf_mesh *mesh_of(hf_vec3 size)
{
    hf_vec3 corners[8];
    for (int i = 0; i < 8; ++i) {
        corners[i] = (hf_vec3){(i & 1 ? 0.5 : -0.5) * size.x, (i & 2 ? 0.5 : -0.5) * size.y,
                               (i & 4 ? 0.5 : -0.5) * size.z};
    }
    hf_error error = {0};
    hf_mesh *mesh = hf_mesh_create(corners, 8, &error);
    assert_non_null(mesh);
    return mesh;
}

static void size_is_the_smallest_length(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(81);
    for (int i = 0; i < 30; ++i) {
        hf_error error = {0};
        hf_spec *spec = hf_spec_create();
        hf_rigid_def box = hf_rigid_def_default();
        box.name = "box";
        box.mass = 1.0;
        box.inertia = (hf_sym3){.xx = 0.01, .yy = 0.01, .zz = 0.01};
        box.position = (hf_vec3){0.0, 0.0, 1.0};
        double size[3];
        for (int k = 0; k < 3; ++k) {
            size[k] = hf_rng_uniform(&rng, 0.2, 0.5);
        }
        size[i % 3] = 0.1; // each axis in turn
        box.shape.type = HF_SHAPE_BOX;
        box.shape.size = (hf_vec3){size[0], size[1], size[2]};
        hf_mesh *mesh = i % 2 == 0 ? NULL : mesh_of(box.shape.size);
        if (mesh != NULL) {
            box.shape = (hf_shape){.type = HF_SHAPE_MESH, .mesh = mesh};
        }
        hf_force_def force = hf_force_def_default();
        force.name = "floor";
        force.coupling = hf_coupling_def_default(HF_COUPLING_PLANE);
        force.coupling.on_frame.body = hf_spec_add_rigid(spec, &box, &error);
        assert_int_not_equal(force.coupling.on_frame.body.id, 0);
        hf_rigid_contact_def contact = hf_rigid_contact_def_default();
        hf_force_use_rigid_contact(&force, &contact);
        if (hf_spec_add_force(spec, &force, &error).id == 0) {
            fail_msg("%s", error.text);
        }
        hf_model *model = hf_model_compile(spec, &error);
        if (model == NULL) {
            fail_msg("%s", error.text);
        }
        hf_contact_report report;
        assert_true(hf_model_contact(model, hf_model_find_force(model, "floor"), &report));
        hf_check_near(report.site.size, 0.1, 1e-15, "size", "the smallest length");
        hf_model_destroy(model);
        hf_spec_destroy(spec);
        hf_mesh_destroy(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(size_is_the_smallest_length)};
    return hf_run_tests(tests);
}

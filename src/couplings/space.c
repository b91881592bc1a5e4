// SPDX-License-Identifier: Apache-2.0
// What the tables of couplings in space share.
#include "couplings/space.h"

#include <math.h>

#include "base/error.h"
#include "bodies/body.h"

static bool can_turn(const hf_spec *spec, hf_body body)
{
    return hf_body_ops_of(hf_spec_body_type(spec, body))->turns;
}

static hf_status check(const hf_spec *spec, const hf_coupling_def *def, const char *name,
                       bool turns, hf_error *error)
{
    HF_TRY(hf_coupling_check_frame(spec, &def->on_frame, name, "on", error));
    HF_TRY(hf_coupling_check_frame(spec, &def->to_frame, name, "to", error));
    hf_body on = def->on_frame.body, to = def->to_frame.body;
    if (on.id == 0 || on.id == to.id) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at("force", name),
                           "it must act between two different bodies");
    }
    bool points = !can_turn(spec, on) || (to.id != 0 && !can_turn(spec, to) &&
                                          !hf_body_ops_of(hf_spec_body_type(spec, to))->scenery);
    if (turns && points) {
        return hf_error_at(error, HF_ERROR_UNSUPPORTED, hf_at("force", name),
                           "its coupling needs bodies that can turn: rigid bodies or links");
    }
    double radii[2] = {def->radius, def->to_radius};
    for (int i = 0; i < 2; ++i) {
        if (!(radii[i] >= 0.0) || !isfinite(radii[i])) {
            return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("force", name, "radius"),
                               "radius must not be negative, got %g", radii[i]);
        }
    }
    return HF_OK;
}

hf_status hf_space_check_points(const hf_spec *spec, const hf_coupling_def *def, const char *name,
                                hf_error *error)
{
    return check(spec, def, name, false, error);
}

hf_status hf_space_check_frames(const hf_spec *spec, const hf_coupling_def *def, const char *name,
                                hf_error *error)
{
    return check(spec, def, name, true, error);
}

int hf_space_ends(const hf_coupling_def *def, hf_frame *list)
{
    list[0] = def->on_frame;
    list[1] = def->to_frame;
    return 2;
}

int hf_space_end_and_world(const hf_coupling_def *def, hf_frame *list)
{
    list[0] = def->on_frame;
    list[1] = (hf_frame){.turn = {.w = 1.0}};
    return 2;
}

void hf_space_place(const hf_coupling_def *def, const hf_body_site *sites, hf_coupling_slot slot,
                    void *item)
{
    int on = def->on_frame.body.id, to = def->to_frame.body.id;
    *(hf_space_coupling *)item =
        (hf_space_coupling){.on = on == 0 ? 0 : sites[on - 1].pose,
                            .to = to == 0 ? 0 : sites[to - 1].pose,
                            .row = slot.row,
                            .dim = slot.dim,
                            .memory = slot.memory,
                            .radius = def->radius,
                            .to_radius = def->to_radius,
                            .on_point = def->on_frame.point,
                            .to_point = def->to_frame.point,
                            .on_turn = hf_quat_rotation(def->on_frame.turn),
                            .to_turn = hf_quat_rotation(def->to_frame.turn)};
}

hf_vec3 hf_space_sight(const hf_coupling_sight *sight)
{
    const double *f = sight->force;
    const hf_coupling_ops *ops = hf_coupling_ops_of(sight->def);
    hf_mat3 axes = ops->axes == NULL ? hf_m3_identity()
                                     : ops->axes(sight->item, sight->poses, sight->references);
    return hf_v3_scale(-1.0, hf_m3_mulv(&axes, hf_v3(f[0], f[1], f[2])));
}

const char *hf_space_row_name(const hf_coupling_def *def, const hf_body_site *sites,
                              hf_coupling_quantity quantity, int row)
{
    static const char *const names[] = {"x", "y", "z"};
    (void)def, (void)sites, (void)quantity;
    return names[row];
}

bool hf_space_row_turns(const hf_coupling_def *def, const hf_body_site *sites, int row)
{
    (void)def, (void)sites;
    return row >= 3;
}

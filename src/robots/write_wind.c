// SPDX-License-Identifier: Apache-2.0
// The wind that acts on a link, along the link's own axes.
//
// A direction a of a link is, along a direction e of the world, how much farther the point c + a is
// along e than c. Four laws without force have these places for gaps, at the center of mass and one
// metre from it along each axis of the link; with e along the wind and u its speed,
//
//   s = u (a_x (g_x - g_0) + a_y (g_y - g_0) + a_z (g_z - g_0))
//
// is the wind along a.
#include "math/vec.h"
#include "robots/write.h"

static const char *const NAMES[4] = {"wind-at-", "wind-x-", "wind-y-", "wind-z-"};

static void put_name(hf_text_out *out, const hf_robot *robot, int link, int place)
{
    hf_put(out, robot->options.part ? robot->name : "");
    hf_put(out, robot->options.part ? "-" : "");
    hf_put(out, NAMES[place]);
    hf_put(out, robot->links.items[link].name);
}

bool hf_robot_has_wind(const hf_robot *robot)
{
    bool fluid = robot->fluid_density > 0.0 || robot->fluid_viscosity > 0.0;
    return fluid && hf_v3_norm(robot->wind) > 0.0;
}

void hf_put_wind(hf_text_out *out, const hf_robot *robot, int link)
{
    // Links that a fluid drags on, by their inertia or by an ellipsoid
    const hf_robot_link *of = &robot->links.items[link];
    bool dragged = !of->no_drag && of->mass > 0.0;
    for (size_t i = 0; i < robot->fluids.count; ++i) {
        dragged = dragged || robot->fluids.items[i].link == link;
    }
    if (!dragged || !hf_robot_has_wind(robot)) {
        return;
    }
    // Where four of its points are along the wind
    hf_vec3 along = hf_v3_scale(1.0 / hf_v3_norm(robot->wind), robot->wind);
    const hf_vec3 places[4] = {
        {0}, hf_v3(1.0, 0.0, 0.0), hf_v3(0.0, 1.0, 0.0), hf_v3(0.0, 0.0, 1.0)};
    for (int i = 0; i < 4; ++i) {
        hf_put(out, "  - {name: ");
        put_name(out, robot, link, i);
        hf_put(out, ", type: law, wrench: {on: ");
        hf_put_link_name(out, robot, link);
        hf_put(out, ", point: ");
        hf_put_vec3(out, hf_v3_add(of->center, places[i]));
        hf_put(out, ", to: world, force: ");
        hf_put_vec3(out, along);
        hf_put(out, "}, force: \"0\"}\n");
    }
}

void hf_put_wind_along(hf_text_out *out, const hf_robot *robot, int link, hf_vec3 axis)
{
    double speed = hf_v3_norm(robot->wind);
    const double parts[3] = {axis.x, axis.y, axis.z};
    bool first = true;
    for (int i = 0; i < 3; ++i) {
        if (parts[i] == 0.0) {
            continue;
        }
        hf_put_key_number(out, first ? "" : " + ", speed * parts[i]);
        first = false;
        hf_put(out, "*('");
        put_name(out, robot, link, i + 1);
        hf_put(out, ".gap' - '");
        put_name(out, robot, link, 0);
        hf_put(out, ".gap')");
    }
}

// SPDX-License-Identifier: Apache-2.0
// Drag of a fluid on links, as laws along and about the axes of their inertia.
//
// A link of mass m with the principal moments A, B, C has the edges of the box that has them,
//   a^2 = 6 (B + C - A)/m, ...
// and along each of its axes, with the velocity v of its center of mass and its spin w,
//   force   3 pi d eta v + rho/2 b c |v| v            d = (a + b + c)/3
//   torque  pi d^3 eta w + rho/64 a (b^4 + c^4) |w| w
// against the motion, v less that of the fluid.          [MuJoCo, fluid forces by the inertia box]
#include <math.h>

#include "math/vec.h"
#include "robots/write.h"

#define PI 3.14159265358979323846
// What MuJoCo takes for nothing.
#define LEAST 1e-15

// One law: against the motion along (or about) an axis of the link.
static void put_drag(hf_text_out *out, const hf_robot *robot, int index, int axis, bool turns,
                     hf_vec3 along, double linear, double square)
{
    static const char *const names[2][3] = {{"drag-x-", "drag-y-", "drag-z-"},
                                            {"spin-drag-x-", "spin-drag-y-", "spin-drag-z-"}};
    const hf_robot_link *link = &robot->links.items[index];
    if (linear == 0.0 && square == 0.0) {
        return;
    }
    // Its name and where it acts
    hf_put(out, "  - {name: ");
    hf_put(out, robot->options.part ? robot->name : "");
    hf_put(out, robot->options.part ? "-" : "");
    hf_put(out, names[turns][axis]);
    hf_put(out, link->name);
    hf_put(out, ", type: law, wrench: {on: ");
    hf_put_link_name(out, robot, index);
    if (!turns) {
        hf_put(out, ", point: ");
        hf_put_vec3(out, link->center);
    }
    hf_put(out, turns ? ", torque: " : ", force: ");
    hf_put_vec3(out, along);
    // Its force, by the motion against the fluid
    bool wind = !turns && hf_robot_has_wind(robot);
    if (wind) {
        hf_put(out, "}, inputs: {wind: \"");
        hf_put_wind_along(out, robot, index, along);
        hf_put(out, "\"");
    }
    hf_put_key_number(out, "}, parameters: {linear: ", linear);
    hf_put_key_number(out, ", square: ", square);
    hf_put(out, wind ? "}, force: \"linear*(rate - wind) + square*(rate - wind)*abs(rate - wind)"
                     : "}, force: \"linear*rate + square*rate*abs(rate)");
    hf_put(out, "\"}\n");
}

void hf_put_fluid(hf_text_out *out, const hf_robot *robot, int index)
{
    const hf_robot_link *link = &robot->links.items[index];
    double rho = robot->fluid_density, eta = robot->fluid_viscosity, moments[3], axes[3][3], box[3];
    if ((rho == 0.0 && eta == 0.0) || link->no_drag || !(link->mass >= LEAST)) {
        return;
    }
    // The box
    hf_robot_principal(&link->inertia, link->inertia_axes, moments, axes);
    for (int i = 0; i < 3; ++i) {
        double sum = moments[(i + 1) % 3] + moments[(i + 2) % 3] - moments[i];
        box[i] = sqrt(6.0 * fmax(sum, LEAST) / link->mass);
    }
    // Along and about each of its axes
    double d = (box[0] + box[1] + box[2]) / 3.0;
    for (int i = 0; i < 3; ++i) {
        double b = box[(i + 1) % 3], c = box[(i + 2) % 3];
        hf_vec3 along = {axes[0][i], axes[1][i], axes[2][i]};
        put_drag(out, robot, index, i, false, along, 3.0 * PI * d * eta, 0.5 * rho * b * c);
        put_drag(out, robot, index, i, true, along, PI * d * d * d * eta,
                 rho * box[i] * (b * b * b * b + c * c * c * c) / 64.0);
    }
}

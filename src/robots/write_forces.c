// SPDX-License-Identifier: Apache-2.0
// Tendons and weights as forces of a model file; loops and couplings.
//
// The file counts a joint's coordinate as q + zero. A length sum f_i (q_i + z_i) is that of the
// model's coordinates and a constant, which goes into references, rests and limits.
#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "robots/write.h"

static bool is_single(const hf_robot_sum *sum)
{
    return sum->count == 1;
}

// What the length is where all of the model's coordinates are zero.
double hf_length_at_zero(const hf_robot *robot, const hf_robot_sum *sum)
{
    double length = 0.0;
    bool joints = sum->path == 0 && !sum->wrench.there && !sum->crank.there && !sum->adhesion.there;
    for (int i = 0; i < sum->count && joints; ++i) {
        length += sum->terms[i].factor * robot->links.items[sum->terms[i].link].zero;
    }
    return length;
}

static void put_part_place(hf_text_out *out, const hf_robot *robot, int link, hf_vec3 point)
{
    hf_put(out, "{on: ");
    hf_put_link_name(out, robot, link);
    hf_put(out, ", point: ");
    hf_put_vec3(out, point);
}

// `path: [...]`.
static void put_string(hf_text_out *out, const hf_robot *robot, const hf_robot_tendon *tendon)
{
    hf_put(out, ", path: [");
    for (int i = 0; i < tendon->part_count; ++i) {
        const hf_robot_part *part = &tendon->parts[i];
        hf_put(out, i > 0 ? ", " : "");
        // A pulley
        if (part->kind == HF_PATH_PULLEY) {
            hf_put_key_number(out, "{pulley: ", part->divisor);
            hf_put(out, "}");
            continue;
        }
        // A point, or what is round
        put_part_place(out, robot, part->link, part->point);
        if (part->kind != HF_PATH_POINT) {
            hf_put_key_number(
                out, part->kind == HF_PATH_SPHERE ? ", sphere: " : ", cylinder: ", part->radius);
        }
        if (part->kind == HF_PATH_CYLINDER) {
            hf_put(out, ", axis: ");
            hf_put_vec3(out, part->axis);
        }
        if (part->has_side) {
            hf_put(out, ", side: ");
            put_part_place(out, robot, part->side_link, part->side);
            hf_put(out, "}");
        }
        hf_put(out, "}");
    }
    hf_put(out, "]");
}

static void put_other_end(hf_text_out *out, const hf_robot *robot, int link, hf_vec3 point)
{
    hf_put(out, ", to: ");
    hf_put_link_name(out, robot, link);
    hf_put(out, ", to_point: ");
    hf_put_vec3(out, point);
}

static void put_turn(hf_text_out *out, const char *key, hf_quat turn)
{
    if (!hf_is_unturned(turn)) {
        hf_put(out, key);
        hf_put_quat(out, turn);
    }
}

// `on: LINK` for one joint, whose force is the factor times that on the length; else `ratio:
// {...}`.
void hf_put_place(hf_text_out *out, const hf_robot *robot, const hf_robot_sum *sum)
{
    // A string, a wrench or a rod
    if (sum->path > 0) {
        put_string(out, robot, &robot->tendons.items[sum->path - 1]);
        return;
    }
    if (sum->wrench.there) {
        hf_put(out, ", wrench: {on: ");
        hf_put_link_name(out, robot, sum->wrench.link);
        hf_put(out, ", point: ");
        hf_put_vec3(out, sum->wrench.point);
        hf_put(out, ", force: ");
        hf_put_vec3(out, sum->wrench.force);
        hf_put(out, ", torque: ");
        hf_put_vec3(out, sum->wrench.torque);
        if (sum->wrench.between) {
            put_other_end(out, robot, sum->wrench.to, sum->wrench.to_point);
            put_turn(out, ", orientation: ", sum->wrench.turn);
            put_turn(out, ", to_orientation: ", sum->wrench.to_turn);
        }
        hf_put(out, "}");
        return;
    }
    if (sum->crank.there) {
        hf_put(out, ", crank: ");
        put_part_place(out, robot, sum->crank.link, sum->crank.point);
        put_other_end(out, robot, sum->crank.to, sum->crank.to_point);
        hf_put(out, ", axis: ");
        hf_put_vec3(out, sum->crank.axis);
        hf_put_key_number(out, ", length: ", sum->crank.length);
        hf_put(out, "}");
        return;
    }
    // All that a link touches
    if (sum->adhesion.there) {
        hf_put(out, ", adhesion: {on: ");
        hf_put_link_name(out, robot, sum->adhesion.link);
        if (sum->adhesion.reach > 0.0) {
            hf_put_key_number(out, ", reach: ", sum->adhesion.reach);
        }
        hf_put(out, "}");
        return;
    }
    // One joint, or several
    if (is_single(sum)) {
        hf_put(out, ", on: ");
        hf_put_link_name(out, robot, sum->terms[0].link);
        return;
    }
    hf_put(out, ", ratio: {");
    for (int i = 0; i < sum->count; ++i) {
        hf_put(out, i > 0 ? ", " : "");
        hf_put_link_name(out, robot, sum->terms[i].link);
        hf_put_key_number(out, ": ", sum->terms[i].factor);
    }
    hf_put(out, "}");
}

// The factor between length and coordinate: a ratio has it in its terms.
double hf_gear_of(const hf_robot_sum *sum)
{
    return is_single(sum) ? sum->terms[0].factor : 1.0;
}

void hf_put_limits(hf_text_out *out, double low, double high, double factor)
{
    double a = factor * (factor < 0.0 ? high : low), b = factor * (factor < 0.0 ? low : high);
    if (isfinite(a)) {
        hf_put_key_number(out, ", low: ", a);
    }
    if (isfinite(b)) {
        hf_put_key_number(out, ", high: ", b);
    }
}

// ------------------------------------------------------------------------------------------------
// Tendons and weights

static void put_tendon_head(hf_text_out *out, const hf_robot *robot, const hf_robot_tendon *tendon,
                            const char *what, const char *type)
{
    hf_put(out, "  - {name: ");
    hf_put(out, tendon->name);
    hf_put(out, what);
    hf_put(out, ", type: ");
    hf_put(out, type);
    hf_put_place(out, robot, &tendon->length);
}

// A spring that is slack between two lengths.
static void put_slack_spring(hf_text_out *out, const hf_robot *robot, const hf_robot_tendon *tendon)
{
    put_tendon_head(out, robot, tendon, "-slack", "law");
    hf_put_key_number(out, ", parameters: {gear: ", hf_gear_of(&tendon->length));
    hf_put_key_number(out, ", zero: ", hf_length_at_zero(robot, &tendon->length));
    hf_put_key_number(out, ", k: ", tendon->stiffness);
    hf_put_key_number(out, ", low: ", tendon->slack_low);
    hf_put_key_number(out, ", high: ", tendon->slack_high);
    hf_put(out,
           "}, force: \"gear*k*(max(gear*gap + zero - high, 0) + min(gear*gap + zero - low, 0))"
           "\", stored: \"k/2*(max(gear*gap + zero - high, 0)^2 + min(gear*gap + zero - low, "
           "0)^2)\"}\n");
}

static void put_tendon(hf_text_out *out, hf_robot *robot, const hf_robot_tendon *tendon)
{
    double g = hf_gear_of(&tendon->length), shift = hf_length_at_zero(robot, &tendon->length);
    bool slack = tendon->stiffness > 0.0 && tendon->slack_low != tendon->slack_high;
    double stiffness = slack ? 0.0 : tendon->stiffness;
    if (slack) {
        put_slack_spring(out, robot, tendon);
    }
    if (stiffness > 0.0 || tendon->damping > 0.0) {
        put_tendon_head(out, robot, tendon, "-spring", "spring");
        hf_put_key_number(out, ", stiffness: ", g * g * stiffness);
        hf_put_key_number(out, ", damping: ", g * g * tendon->damping);
        hf_put_key_number(out, ", rest: ", (tendon->slack_low - shift) / g);
        hf_put(out, "}\n");
    }
    if (tendon->friction > 0.0) {
        put_tendon_head(out, robot, tendon, "-friction", "friction");
        hf_put_key_number(out, ", law: coulomb, level: ", fabs(g) * tendon->friction);
        hf_put(out, "}\n");
    }
    if (isfinite(tendon->low) || isfinite(tendon->high)) {
        put_tendon_head(out, robot, tendon, "-limits", "stop");
        hf_put_limits(out, tendon->low - shift, tendon->high - shift, 1.0 / g);
        hf_put(out, "}\n");
    }
}

// Begins the force `kind` of a link: "kind-link", in a part of a model "robot-kind-link".
static void put_name(hf_text_out *out, const hf_robot *robot, const char *kind,
                     const hf_robot_link *link)
{
    hf_put(out, "  - {name: ");
    hf_put(out, robot->options.part ? robot->name : "");
    hf_put(out, robot->options.part ? "-" : "");
    hf_put(out, kind);
    hf_put(out, "-");
    hf_put(out, link->name);
}

// Weight that the file takes off a link: a force up at its center of mass.
static void put_weight_share(hf_text_out *out, const hf_robot *robot, int index)
{
    const hf_robot_link *link = &robot->links.items[index];
    double weight = -link->weight_share * link->mass;
    if (weight == 0.0) {
        return;
    }
    put_name(out, robot, "lift", link);
    hf_put(out, ", type: force, on: ");
    hf_put_link_name(out, robot, index);
    hf_put(out, ", coupling: points, point: ");
    hf_put_vec3(out, link->center);
    hf_put(out, ", value: ");
    hf_put_vec3(out, (hf_vec3){weight * robot->gravity.x, weight * robot->gravity.y,
                               weight * robot->gravity.z});
    hf_put(out, "}\n");
}

// Friction and damping of ball and free joints: torque against the turning, and of free ones force
// against the motion of the body's origin, seen from the parent.
static void put_ball_forces(hf_text_out *out, const hf_robot *robot, int index, bool turning)
{
    const hf_robot_link *link = &robot->links.items[index];
    bool ball = link->type == HF_JOINT_SPHERICAL && turning, free = link->type == HF_JOINT_FREE;
    if ((!ball && !free) || (link->damping == 0.0 && link->friction == 0.0)) {
        return;
    }
    hf_put(out, "  - {name: ");
    hf_put(out, robot->options.part ? robot->name : turning ? "ball" : "free");
    hf_put(out, robot->options.part && !turning ? "-free-" : "-");
    hf_put(out, link->name);
    bool damper = link->friction == 0.0;
    hf_put(out,
           damper ? ", type: spring, coupling: " : ", type: friction, law: coulomb, coupling: ");
    hf_put(out, turning ? "spin, on: " : "points, on: ");
    hf_put_link_name(out, robot, index);
    hf_put(out, ", to: ");
    hf_put_link_name(out, robot, link->parent);
    if (damper) {
        hf_put_key_number(out, ", stiffness: 0, damping: ", link->damping);
    } else {
        hf_put_key_number(out, ", level: {coulomb: ", link->friction);
        hf_put_key_number(out, ", viscous: ", link->damping);
        hf_put(out, "}");
    }
    hf_put(out, "}\n");
}

// The spring of a ball joint: a torque -k r, r its rotation vector, along three axes.
static void put_ball_spring(hf_text_out *out, const hf_robot *robot, int index)
{
    static const char *const axes[] = {"-x", "-y", "-z"};
    const hf_robot_link *link = &robot->links.items[index];
    for (int i = 0; i < 3 && link->type == HF_JOINT_SPHERICAL && link->stiffness > 0.0; ++i) {
        put_name(out, robot, "spring", link);
        hf_put(out, axes[i]);
        hf_put(out, ", type: spring, wrench: {on: ");
        hf_put_link_name(out, robot, index);
        hf_put(out, ", torque: ");
        hf_put_vec3(out, (hf_vec3){i == 0, i == 1, i == 2});
        put_other_end(out, robot, link->parent, link->offset);
        put_turn(out, ", to_orientation: ", link->tilt);
        hf_put_key_number(out, "}, stiffness: ", link->stiffness);
        hf_put(out, "}\n");
    }
}

// The largest angle of a ball joint.
static void put_ball_limit(hf_text_out *out, const hf_robot *robot, int index)
{
    const hf_robot_link *link = &robot->links.items[index];
    if (link->type != HF_JOINT_SPHERICAL || !isfinite(link->high)) {
        return;
    }
    put_name(out, robot, "limit", link);
    hf_put(out, ", type: stop, angle: {on: ");
    hf_put_link_name(out, robot, index);
    hf_put(out, ", to: ");
    hf_put_link_name(out, robot, link->parent);
    put_turn(out, ", to_orientation: ", link->tilt);
    hf_put_key_number(out, "}, high: ", link->high);
    hf_put(out, "}\n");
}

// Velocities that decay: a damper at the center of mass, and one against turning.
static void put_decay(hf_text_out *out, const hf_robot *robot, int index)
{
    const hf_robot_link *link = &robot->links.items[index];
    const hf_sym3 *i = &link->inertia;
    const double damping[2] = {link->decay[0] * link->mass,
                               link->decay[1] * (i->xx + i->yy + i->zz) / 3.0};
    for (int k = 0; k < 2; ++k) {
        if (!(damping[k] > 0.0) || link->type == HF_JOINT_FIXED) {
            continue;
        }
        hf_put(out, "  - {name: ");
        hf_put(out, robot->options.part ? robot->name : "");
        hf_put(out, robot->options.part ? "-" : "");
        hf_put(out, k == 0 ? "decay-" : "spin-decay-");
        hf_put(out, link->name);
        hf_put(out, ", type: spring, on: ");
        hf_put_link_name(out, robot, index);
        hf_put(out, k == 0 ? ", coupling: points, point: " : ", coupling: spin");
        if (k == 0) {
            hf_put_vec3(out, link->center);
        }
        hf_put_key_number(out, ", stiffness: 0, damping: ", damping[k]);
        hf_put(out, "}\n");
    }
}

// Spring b x^2 + c x^3 and damper b v|v| + c v^3 of a joint, beside those of first order.
static void put_polynomials(hf_text_out *out, const hf_robot *robot, int index)
{
    const hf_robot_link *link = &robot->links.items[index];
    const double *k = link->more_stiffness, *d = link->more_damping;
    if (k[0] == 0.0 && k[1] == 0.0 && d[0] == 0.0 && d[1] == 0.0) {
        return;
    }
    put_name(out, robot, "powers", link);
    hf_put(out, ", type: law, on: ");
    hf_put_link_name(out, robot, index);
    hf_put_key_number(out, ", parameters: {rest: ", link->rest - link->zero);
    hf_put_key_number(out, ", k2: ", k[0]);
    hf_put_key_number(out, ", k3: ", k[1]);
    hf_put_key_number(out, ", d2: ", d[0]);
    hf_put_key_number(out, ", d3: ", d[1]);
    hf_put(out,
           "}, force: \"k2*(gap - rest)^2 + k3*(gap - rest)^3 + d2*rate*abs(rate) + d3*rate^3\""
           ", stored: \"k2/3*(gap - rest)^3 + k3/4*(gap - rest)^4\"}\n");
}

void hf_put_forces(hf_text_out *out, hf_robot *robot)
{
    for (size_t i = 0; i < robot->links.count; ++i) {
        put_weight_share(out, robot, (int)i);
        put_ball_forces(out, robot, (int)i, true);
        put_ball_forces(out, robot, (int)i, false);
        put_ball_spring(out, robot, (int)i);
        put_ball_limit(out, robot, (int)i);
        put_polynomials(out, robot, (int)i);
        put_decay(out, robot, (int)i);
        hf_put_wind(out, robot, (int)i);
        hf_put_fluid(out, robot, (int)i);
    }
    for (size_t i = 0; i < robot->fluids.count; ++i) {
        hf_put_ellipsoid(out, robot, (int)i);
    }
    for (size_t i = 0; i < robot->tendons.count; ++i) {
        if (robot->tendons.items[i].length.count > 0) {
            put_tendon(out, robot, &robot->tendons.items[i]);
        }
    }
    for (size_t i = 0; i < robot->drives.count; ++i) {
        hf_put_drive(out, robot, (int)i);
    }
}

// ------------------------------------------------------------------------------------------------
// Loops and couplings

static void put_loop(hf_text_out *out, const hf_robot *robot, const hf_robot_loop *loop)
{
    hf_put(out, loop->name);
    hf_put(out, ": {type: ");
    hf_put(out, hf_loop_type_name(loop->type));
    hf_put(out, ", on: ");
    hf_put_link_name(out, robot, loop->on);
    hf_put(out, ", to: ");
    hf_put_link_name(out, robot, loop->to);
    hf_put(out, ", point: ");
    hf_put_vec3(out, loop->on_point);
    hf_put(out, ", to_point: ");
    hf_put_vec3(out, loop->to_point);
    if (loop->type == HF_LOOP_REVOLUTE) { // by the z axes of its frames
        hf_mat3 on = hf_quat_rotation(loop->on_turn), to = hf_quat_rotation(loop->to_turn);
        hf_put(out, ", axis: ");
        hf_put_vec3(out, hf_m3_mulv(&on, (hf_vec3){0, 0, 1}));
        hf_put(out, ", to_axis: ");
        hf_put_vec3(out, hf_m3_mulv(&to, (hf_vec3){0, 0, 1}));
    } else if (loop->type != HF_LOOP_POINT) {
        hf_put(out, ", orientation: ");
        hf_put_quat(out, loop->on_turn);
        hf_put(out, ", to_orientation: ");
        hf_put_quat(out, loop->to_turn);
    }
    hf_put(out, "}\n");
}

// q_on - a = c0 + c1 x + ... + c4 x^4, x = q_to - b. In the model's coordinates x = y + s, with
// s = zero_to - b: the polynomial is expanded about y = 0, and its constant is the loop's value.
static void put_coupling(hf_text_out *out, const hf_robot *robot, const hf_robot_coupling *coupling)
{
    double moved[5] = {0};
    double on_shift = robot->links.items[coupling->on].zero - coupling->on_zero;
    double s = coupling->to < 0 ? 0.0 : robot->links.items[coupling->to].zero - coupling->to_zero;
    // Horner's scheme on polynomials in y: p = p (y + s) + c_k.
    for (int k = coupling->to < 0 ? 0 : 4; k >= 0; --k) {
        for (int i = 4; i > 0; --i) {
            moved[i] = moved[i] * s + moved[i - 1];
        }
        moved[0] = moved[0] * s + coupling->polynomial[k];
    }
    // The loop
    hf_put(out, coupling->name);
    hf_put(out, ": {type: ratio, ratio: {");
    hf_put_link_name(out, robot, coupling->on);
    hf_put(out, ": 1");
    if (coupling->to >= 0) {
        int degree = 4;
        while (degree > 1 && moved[degree] == 0.0) {
            --degree;
        }
        double factors[4];
        for (int i = 0; i < 4; ++i) {
            factors[i] = -moved[i + 1];
        }
        hf_put(out, ", ");
        hf_put_link_name(out, robot, coupling->to);
        hf_put(out, ": ");
        if (degree == 1) {
            hf_put_number(out, factors[0]);
        } else {
            hf_put_numbers(out, factors, degree);
        }
    }
    hf_put_key_number(out, "}, value: ", moved[0] - on_shift);
    hf_put(out, "}\n");
}

void hf_put_loops(hf_text_out *out, hf_robot *robot)
{
    if (robot->loops.count + robot->couplings.count > 0) {
        hf_put(out, "loops:\n");
    }
    for (size_t i = 0; i < robot->loops.count; ++i) {
        hf_put(out, "  ");
        put_loop(out, robot, &robot->loops.items[i]);
    }
    for (size_t i = 0; i < robot->couplings.count; ++i) {
        hf_put(out, "  ");
        put_coupling(out, robot, &robot->couplings.items[i]);
    }
}

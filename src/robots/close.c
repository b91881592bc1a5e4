// SPDX-License-Identifier: Apache-2.0
// Loops that a start leaves open, as key frames with rounded numbers do: closed before the robot is
// stood on its floor, so that what closes them later does not move its feet into it. Newton's
// method by the least change of all coordinates but those of bases,
//   q <- q - J' (J J')^+ phi
// with J by differences; its error is of second order all the same, as the last steps are small.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bodies/loop.h"
#include "robots/robot.h"
#include "solvers/small/least_norm.h"

// What is open by more is closed; what stays open by more is left as it was [m or rad].
#define OPEN 1e-9
#define STEP 1e-6
enum { MOST_STEPS = 30 };

typedef struct closing {
    hf_robot *robot;
    int rows, columns;
    hf_robot_pose *poses;                    // [links]
    double *phi, *moved, *j, *w, *work, *by; // [rows], [rows], [rows columns], ...
} closing;

// How many ways a joint has to move here: bases stay where they are.
static int ways_of(const hf_robot_link *link)
{
    bool hinge = link->type == HF_JOINT_REVOLUTE || link->type == HF_JOINT_PRISMATIC;
    return link->parent < 0 ? 0 : hinge ? 1 : link->type == HF_JOINT_SPHERICAL ? 3 : 0;
}

// Of a ball joint: a small turn about one of the link's axes.
static void move(hf_robot_link *link, int way, double by)
{
    double *q = link->position;
    if (link->type != HF_JOINT_SPHERICAL) {
        q[0] += by;
        return;
    }
    const hf_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    hf_quat turned =
        hf_quat_mul((hf_quat){q[0], q[1], q[2], q[3]}, hf_quat_from_axis_angle(axes[way], by));
    turned = hf_quat_normalized(turned);
    q[0] = turned.w, q[1] = turned.x, q[2] = turned.y, q[3] = turned.z;
}

static hf_pose pose_at(const closing *c, int link)
{
    hf_pose p = {.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (link >= 0) {
        p.position = c->poses[link].at;
        p.rotation = hf_quat_rotation(c->poses[link].turn);
    }
    return p;
}

// phi of all loops and couplings; returns the largest.
static double find_openings(closing *c, double *phi)
{
    const hf_robot *robot = c->robot;
    double largest = 0.0;
    int row = 0;
    hf_robot_find_poses(robot, c->poses);
    for (size_t i = 0; i < robot->loops.count; ++i) {
        const hf_robot_loop *loop = &robot->loops.items[i];
        const hf_loop_joint joint = {.type = loop->type,
                                     .on_point = loop->on_point,
                                     .to_point = loop->to_point,
                                     .on_turn = hf_quat_rotation(loop->on_turn),
                                     .to_turn = hf_quat_rotation(loop->to_turn)};
        hf_pose on = pose_at(c, loop->on), to = pose_at(c, loop->to);
        hf_loop_rows rows;
        hf_loop_rows_at(&joint, &on, &to, &rows);
        for (int k = 0; k < rows.count; ++k) {
            phi[row++] = rows.phi[k];
        }
    }
    for (size_t i = 0; i < robot->couplings.count; ++i) {
        const hf_robot_coupling *k = &robot->couplings.items[i];
        bool both = k->on >= 0 && k->to >= 0;
        phi[row++] =
            both ? robot->links.items[k->on].position[0] - hf_robot_followed(robot, k) : 0.0;
    }
    c->rows = row;
    for (int i = 0; i < row; ++i) {
        largest = fmax(largest, fabs(phi[i]));
    }
    return largest;
}

// J by differences to both sides.
static void find_rows(closing *c)
{
    int column = 0;
    for (size_t i = 0; i < c->robot->links.count; ++i) {
        hf_robot_link *link = &c->robot->links.items[i];
        for (int way = 0; way < ways_of(link); ++way, ++column) {
            double kept[7];
            memcpy(kept, link->position, sizeof kept);
            for (int side = -1; side <= 1; side += 2) {
                move(link, way, side * STEP);
                (void)find_openings(c, c->moved);
                memcpy(link->position, kept, sizeof kept);
                for (int r = 0; r < c->rows; ++r) {
                    double *entry = &c->j[r * c->columns + column];
                    *entry = (side < 0 ? 0.0 : *entry) + side * c->moved[r] / (2.0 * STEP);
                }
            }
        }
    }
}

static void correct(closing *c)
{
    int n = c->rows, m = c->columns, column = 0;
    for (int a = 0; a < n; ++a) {
        for (int b = 0; b < n; ++b) {
            double sum = 0.0;
            for (int k = 0; k < m; ++k) {
                sum += c->j[a * m + k] * c->j[b * m + k];
            }
            c->w[a * n + b] = sum;
        }
    }
    (void)hf_least_norm_solve(n, c->w, c->phi, c->moved, c->work);
    memset(c->by, 0, (size_t)m * sizeof *c->by);
    for (int r = 0; r < n; ++r) {
        for (int k = 0; k < m; ++k) {
            c->by[k] -= c->j[r * m + k] * c->moved[r];
        }
    }
    for (size_t i = 0; i < c->robot->links.count; ++i) {
        hf_robot_link *link = &c->robot->links.items[i];
        for (int way = 0; way < ways_of(link); ++way) {
            move(link, way, c->by[column++]);
        }
    }
}

// Until it does not come nearer any more. Returns what is left open.
static double close_all(closing *c)
{
    double open = find_openings(c, c->phi);
    for (int i = 0; i < MOST_STEPS && open > OPEN * OPEN; ++i) {
        find_rows(c);
        correct(c);
        double now = find_openings(c, c->phi);
        bool better = now < open;
        open = now;
        if (!better) {
            break;
        }
    }
    return open;
}

bool hf_robot_close(hf_robot *robot)
{
    size_t links = robot->links.count;
    closing c = {.robot = robot};
    // What can move, and what holds
    for (size_t i = 0; i < links; ++i) {
        c.columns += ways_of(&robot->links.items[i]);
    }
    size_t rows = robot->loops.count * HF_LOOP_MAX_ROWS + robot->couplings.count;
    size_t columns = (size_t)c.columns;
    if (robot->loops.count == 0 || c.columns == 0) {
        return true;
    }
    // Room for all of it, and for the start as it was
    c.poses = calloc(links, sizeof *c.poses);
    hf_robot_link *before = calloc(links, sizeof *before);
    size_t numbers =
        2 * rows + rows * columns + rows * rows + hf_least_norm_work((int)rows) + columns;
    double *room = calloc(numbers, sizeof *room);
    bool good = c.poses != NULL && before != NULL && room != NULL;
    if (good) {
        c.phi = room, c.moved = c.phi + rows, c.j = c.moved + rows;
        c.w = c.j + rows * columns, c.by = c.w + rows * rows, c.work = c.by + columns;
        memcpy(before, robot->links.items, links * sizeof *before);
        double open = find_openings(&c, c.phi);
        if (open > OPEN && !(close_all(&c) <= OPEN)) { // what starts it will say what is wrong
            memcpy(robot->links.items, before, links * sizeof *before);
        } else if (open > OPEN) {
            robot->opened = open;
        }
    }
    free(c.poses);
    free(before);
    free(room);
    return good || hf_robot_out_of_memory(robot);
}

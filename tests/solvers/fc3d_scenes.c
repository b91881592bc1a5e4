// SPDX-License-Identifier: Apache-2.0
// Friction-contact problems as a simulation meets them, one step after another.
#include "fc3d_scenes.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double GRAVITY = 9.81, DENSITY = 1000.0;
static const double RADIUS = 0.05;                // of the largest spheres [m]
static const double BRICK[3] = {0.1, 0.05, 0.03}; // half sides [m]
static const double MARGIN = 0.005;               // of gaps that a problem knows of [m]
static const double PUSH_OUT = 0.1;               // share of a penetration that a step removes
static const double PI = 3.14159265358979323846;

typedef struct body {
    double at[3], start[3];
    double turn[9]; // from the body's axes to the world's, row by row
    double v[6];    // of the centre, and angular
    double mass, inertia[3];
    double radius; // of spheres
} body;

struct hf_scene {
    hf_scene_def def;
    int bodies, most;
    double side; // of the box
    body *body;
    // Of bricks: points of the upper one on the top of the lower.
    int points;
    int *upper, *lower; // [points]; lower -1: the floor
    double *point;      // [points][3] in the upper one's axes

    hf_fc3d_problem problem;
    hf_fc3d_bodies parts;
    int *first, *pair;
    double *mass, *inverse, *map, *q, *mu;
    size_t map_used;
    long *key, *last_key; // [most] which contact it is, ascending
    int last_contacts;
    double *r, *last_r; // [3 most]
};

// ------------------------------------------------------------------------------------------------
// Vectors

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static void rotate(const double *turn, const double *x, double *y)
{
    for (int i = 0; i < 3; ++i) {
        y[i] = dot(turn + 3 * i, x);
    }
}

// turn := exp(angle) turn
static void turn_by(double *turn, const double *angle)
{
    double size = sqrt(dot(angle, angle));
    double a = size > 1e-8 ? sin(size) / size : 1.0;
    double b = size > 1e-4 ? (1.0 - cos(size)) / (size * size) : 0.5;
    for (int column = 0; column < 3; ++column) {
        double x[3] = {turn[column], turn[3 + column], turn[6 + column]}, y[3], z[3];
        cross(angle, x, y);
        cross(angle, y, z);
        for (int i = 0; i < 3; ++i) {
            turn[3 * i + column] = x[i] + a * y[i] + b * z[i];
        }
    }
}

// splitmix64
static double uniform(uint64_t *state, double low, double high)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return low + (high - low) * (double)(z >> 11) * 0x1p-53;
}

// ------------------------------------------------------------------------------------------------
// Bodies at the start

static void place_spheres(hf_scene *s)
{
    uint64_t state = 7;
    double pitch = 2.3 * RADIUS;
    int across = s->def.across;
    s->side = across * pitch;
    for (int i = 0; i < s->bodies; ++i) {
        body *b = &s->body[i];
        const double cell[3] = {i % across, i / across % across, i / (across * across)};
        b->radius = RADIUS * uniform(&state, 0.85, 1.0);
        for (int k = 0; k < 3; ++k) {
            b->at[k] = (cell[k] + 0.5) * pitch + 0.1 * RADIUS * uniform(&state, -1, 1);
        }
        b->mass = DENSITY * 4.0 / 3.0 * PI * b->radius * b->radius * b->radius;
        for (int k = 0; k < 3; ++k) {
            b->inertia[k] = 0.4 * b->mass * b->radius * b->radius;
        }
    }
}

// Where the tops of the lower bricks carry the corners that the two have in common.
static void join_bricks(hf_scene *s, int upper, int lower)
{
    const body *a = &s->body[upper], *b = lower < 0 ? NULL : &s->body[lower];
    double low[2], high[2];
    for (int k = 0; k < 2; ++k) {
        low[k] = a->at[k] - BRICK[k];
        high[k] = a->at[k] + BRICK[k];
        if (b != NULL) {
            low[k] = fmax(low[k], b->at[k] - BRICK[k]);
            high[k] = fmin(high[k], b->at[k] + BRICK[k]);
        }
    }
    if (high[0] - low[0] < 1e-3 || high[1] - low[1] < 1e-3) {
        return;
    }
    for (int corner = 0; corner < 4; ++corner) {
        double *x = s->point + 3 * s->points;
        x[0] = (corner & 1 ? high[0] : low[0]) - a->at[0];
        x[1] = (corner & 2 ? high[1] : low[1]) - a->at[1];
        x[2] = -BRICK[2];
        s->upper[s->points] = upper;
        s->lower[s->points++] = lower;
    }
}

// Every second layer is moved by a quarter of a brick along x.
static void place_bricks(hf_scene *s)
{
    int across = s->def.across, floor = across * across;
    for (int i = 0; i < s->bodies; ++i) {
        body *b = &s->body[i];
        int layer = i / floor;
        b->at[0] = BRICK[0] * (2 * (i % across) + 0.5 * (layer % 2));
        b->at[1] = BRICK[1] * 2 * (i / across % across);
        b->at[2] = BRICK[2] * (2 * layer + 1);
        b->mass = DENSITY * 8.0 * BRICK[0] * BRICK[1] * BRICK[2];
        for (int k = 0; k < 3; ++k) {
            double y = BRICK[(k + 1) % 3], z = BRICK[(k + 2) % 3];
            b->inertia[k] = b->mass * (y * y + z * z) / 3.0;
        }
        for (int j = layer == 0 ? -1 : (layer - 1) * floor; j < (layer == 0 ? 0 : layer * floor);
             ++j) {
            join_bricks(s, i, j);
        }
    }
}

static void place(hf_scene *s)
{
    if (s->def.wall) {
        place_bricks(s);
    } else {
        place_spheres(s);
    }
    for (int i = 0; i < s->bodies; ++i) {
        body *b = &s->body[i];
        b->turn[0] = b->turn[4] = b->turn[8] = 1.0;
        memcpy(b->start, b->at, sizeof b->at);
        s->first[i + 1] = 6 * (i + 1);
    }
}

// ------------------------------------------------------------------------------------------------
// Contacts

static void add_side(hf_scene *s, int which, const double *at, double axes[3][3], double sign)
{
    const body *b = &s->body[which];
    double arm[3] = {at[0] - b->at[0], at[1] - b->at[1], at[2] - b->at[2]};
    double *map = s->map + s->map_used;
    for (int i = 0; i < 3; ++i) {
        double turn[3];
        cross(arm, axes[i], turn);
        for (int k = 0; k < 3; ++k) {
            map[6 * i + k] = sign * axes[i][k];
            map[6 * i + 3 + k] = sign * turn[k];
        }
    }
    s->map_used += 18;
}

// A point of body a on body b (-1: fixed), whose surface has the normal `n`; the gap after the
// step shall not be negative.
static void add_contact(hf_scene *s, long key, int a, int b, const double *at, const double *n,
                        double gap)
{
    if (gap >= MARGIN || s->problem.contacts == s->most) {
        return;
    }
    int c = s->problem.contacts++;
    double axes[3][3] = {{n[0], n[1], n[2]}};
    double other[3] = {fabs(n[0]) < 0.7 ? 1.0 : 0.0, fabs(n[0]) < 0.7 ? 0.0 : 1.0, 0.0};
    cross(n, other, axes[1]);
    double size = sqrt(dot(axes[1], axes[1]));
    for (int k = 0; k < 3; ++k) {
        axes[1][k] /= size;
    }
    cross(n, axes[1], axes[2]);
    s->key[c] = key;
    s->pair[2 * c] = a;
    s->pair[2 * c + 1] = b;
    add_side(s, a, at, axes, 1.0);
    if (b >= 0) {
        add_side(s, b, at, axes, -1.0);
    }
    s->mu[c] = s->def.mu;
    s->q[3 * c] = (gap > 0.0 ? gap : PUSH_OUT * gap) / s->def.step;
    s->q[3 * c + 1] = s->q[3 * c + 2] = 0.0;
}

static void touch_walls(hf_scene *s, int i)
{
    const body *b = &s->body[i];
    for (int wall = 0; wall < 5; ++wall) {
        int axis = wall / 2; // x, x, y, y, z: open above
        double sign = wall % 2 == 0 ? 1.0 : -1.0, normal[3] = {0};
        double gap = (sign > 0 ? b->at[axis] : s->side - b->at[axis]) - b->radius;
        double at[3] = {b->at[0], b->at[1], b->at[2]};
        normal[axis] = sign;
        at[axis] -= sign * b->radius;
        add_contact(s, (long)i * (s->bodies + 5) + s->bodies + wall, i, -1, at, normal, gap);
    }
}

static void touch_spheres(hf_scene *s, int i, int j)
{
    const body *a = &s->body[i], *b = &s->body[j];
    double d[3], reach = a->radius + b->radius + MARGIN;
    for (int k = 0; k < 3; ++k) {
        d[k] = a->at[k] - b->at[k];
    }
    double square = dot(d, d);
    if (square >= reach * reach) {
        return;
    }
    double size = sqrt(square), at[3];
    for (int k = 0; k < 3; ++k) {
        d[k] /= size;
        at[k] = b->at[k] + b->radius * d[k];
    }
    add_contact(s, (long)i * (s->bodies + 5) + j, i, j, at, d, size - a->radius - b->radius);
}

static void touch_bricks(hf_scene *s)
{
    for (int i = 0; i < s->points; ++i) {
        const body *a = &s->body[s->upper[i]];
        double at[3], normal[3] = {0, 0, 1}, gap = 0.0;
        rotate(a->turn, s->point + 3 * i, at);
        for (int k = 0; k < 3; ++k) {
            at[k] += a->at[k];
        }
        if (s->lower[i] < 0) {
            gap = at[2];
        } else {
            const body *b = &s->body[s->lower[i]];
            gap = -BRICK[2];
            for (int k = 0; k < 3; ++k) {
                normal[k] = b->turn[3 * k + 2];
                gap += normal[k] * (at[k] - b->at[k]);
            }
        }
        add_contact(s, i, s->upper[i], s->lower[i], at, normal, gap);
    }
}

// ------------------------------------------------------------------------------------------------
// Steps

// M, and the velocities without reactions.
static void set_bodies(hf_scene *s, double *free)
{
    double down[3] = {sin(s->def.slope), 0.0, -cos(s->def.slope)};
    for (int i = 0; i < s->bodies; ++i) {
        const body *b = &s->body[i];
        double *m = s->mass + 36 * i, *inverse = s->inverse + 36 * i;
        memset(m, 0, 36 * sizeof *m);
        memset(inverse, 0, 36 * sizeof *m);
        for (int k = 0; k < 3; ++k) {
            m[7 * k] = b->mass;
            inverse[7 * k] = 1.0 / b->mass;
            for (int j = 0; j < 3; ++j) {
                for (int e = 0; e < 3; ++e) {
                    double both = b->turn[3 * k + e] * b->turn[3 * j + e];
                    m[6 * (3 + k) + 3 + j] += both * b->inertia[e];
                    inverse[6 * (3 + k) + 3 + j] += both / b->inertia[e];
                }
            }
            free[6 * i + k] = (1.0 - s->def.drag) * b->v[k] + s->def.step * GRAVITY * down[k];
            free[6 * i + 3 + k] = (1.0 - s->def.drag) * b->v[3 + k];
        }
    }
}

// Reactions of contacts that were there before; keys ascend.
static void recall(hf_scene *s)
{
    memset(s->r, 0, 3 * (size_t)s->most * sizeof *s->r);
    for (int i = 0, j = 0; i < s->problem.contacts; ++i) {
        while (j < s->last_contacts && s->last_key[j] < s->key[i]) {
            ++j;
        }
        if (j < s->last_contacts && s->last_key[j] == s->key[i]) {
            memcpy(s->r + 3 * i, s->last_r + 3 * j, 3 * sizeof *s->r);
        }
    }
}

const hf_fc3d_problem *hf_scene_problem(hf_scene *s, double **r)
{
    s->problem.contacts = 0;
    s->map_used = 0;
    if (s->def.wall) {
        touch_bricks(s);
    }
    for (int i = 0; !s->def.wall && i < s->bodies; ++i) {
        for (int j = 0; j < i; ++j) {
            touch_spheres(s, i, j);
        }
        touch_walls(s, i);
    }
    double *free = s->last_r + 3 * (size_t)s->most; // behind the reactions
    set_bodies(s, free);
    const double *map = s->map;
    for (int i = 0; i < 2 * s->problem.contacts; ++i) {
        for (int k = 0; s->pair[i] >= 0 && k < 18; ++k) {
            s->q[3 * (i / 2) + k / 6] += *map++ * free[6 * s->pair[i] + k % 6];
        }
    }
    recall(s);
    *r = s->r;
    return &s->problem;
}

void hf_scene_advance(hf_scene *s)
{
    double *v = s->last_r + 3 * (size_t)s->most;
    const double *map = s->map;
    for (int i = 0; i < 2 * s->problem.contacts; ++i) {
        if (s->pair[i] >= 0) {
            const double *inverse = s->inverse + 36 * (size_t)s->pair[i], *r = s->r + 3 * (i / 2);
            for (int k = 0; k < 36; ++k) {
                int e = k % 6;
                v[6 * s->pair[i] + k / 6] +=
                    inverse[k] * (map[e] * r[0] + map[6 + e] * r[1] + map[12 + e] * r[2]);
            }
            map += 18;
        }
    }
    for (int i = 0; i < s->bodies; ++i) {
        body *b = &s->body[i];
        memcpy(b->v, v + 6 * i, sizeof b->v);
        double angle[3];
        for (int k = 0; k < 3; ++k) {
            b->at[k] += s->def.step * b->v[k];
            angle[k] = s->def.step * b->v[3 + k];
        }
        turn_by(b->turn, angle);
    }
    size_t count = (size_t)s->problem.contacts;
    memcpy(s->last_r, s->r, 3 * count * sizeof *s->r);
    memcpy(s->last_key, s->key, count * sizeof *s->key);
    s->last_contacts = s->problem.contacts;
}

// ------------------------------------------------------------------------------------------------
// Scenes

void hf_scene_destroy(hf_scene *s)
{
    if (s == NULL) {
        return;
    }
    free(s->body);
    free(s->upper);
    free(s->lower);
    free(s->point);
    free(s->first);
    free(s->pair);
    free(s->mass);
    free(s->inverse);
    free(s->map);
    free(s->q);
    free(s->mu);
    free(s->key);
    free(s->last_key);
    free(s->r);
    free(s->last_r);
    free(s);
}

hf_scene *hf_scene_create(const hf_scene_def *def)
{
    hf_scene *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->def = *def;
    s->bodies = def->across * def->across * def->layers;
    s->most = 12 * s->bodies + 20;
    size_t n = (size_t)s->bodies, c = (size_t)s->most;
    s->body = calloc(n, sizeof *s->body);
    s->upper = calloc(c, sizeof *s->upper);
    s->lower = calloc(c, sizeof *s->lower);
    s->point = calloc(3 * c, sizeof *s->point);
    s->first = calloc(n + 1, sizeof *s->first);
    s->pair = calloc(2 * c, sizeof *s->pair);
    s->mass = calloc(36 * n, sizeof *s->mass);
    s->inverse = calloc(36 * n, sizeof *s->inverse);
    s->map = calloc(36 * c, sizeof *s->map);
    s->q = calloc(3 * c, sizeof *s->q);
    s->mu = calloc(c, sizeof *s->mu);
    s->key = calloc(c, sizeof *s->key);
    s->last_key = calloc(c, sizeof *s->last_key);
    s->r = calloc(3 * c, sizeof *s->r);
    s->last_r = calloc(3 * c + 6 * n, sizeof *s->last_r);
    if (s->body == NULL || s->upper == NULL || s->lower == NULL || s->point == NULL ||
        s->first == NULL || s->pair == NULL || s->mass == NULL || s->inverse == NULL ||
        s->map == NULL || s->q == NULL || s->mu == NULL || s->key == NULL || s->last_key == NULL ||
        s->r == NULL || s->last_r == NULL) {
        hf_scene_destroy(s);
        return NULL;
    }
    place(s);
    s->parts = (hf_fc3d_bodies){.count = s->bodies,
                                .first = s->first,
                                .mass = s->mass,
                                .inverse = s->inverse,
                                .pair = s->pair,
                                .map = s->map};
    s->problem = (hf_fc3d_problem){.q = s->q, .mu = s->mu, .bodies = &s->parts};
    return s;
}

double hf_scene_speed(const hf_scene *s)
{
    double most = 0.0;
    for (int i = 0; i < s->bodies; ++i) {
        most = fmax(most, sqrt(dot(s->body[i].v, s->body[i].v)));
    }
    return most;
}

double hf_scene_shift(const hf_scene *s, int i)
{
    double d[3];
    for (int k = 0; k < 3; ++k) {
        d[k] = s->body[i].at[k] - s->body[i].start[k];
    }
    return sqrt(dot(d, d));
}

int hf_scene_bodies(const hf_scene *s)
{
    return s->bodies;
}

const hf_fc3d_problem *hf_scene_settle(hf_scene *s, int steps, int sweeps, double **r)
{
    hf_fc3d_def def = hf_fc3d_def_default();
    def.method = HF_FC3D_GAUSS_SEIDEL;
    def.measure = HF_FC3D_SCALED;
    def.iterations = sweeps;
    double *u = calloc(3 * (size_t)s->most, sizeof *u);
    hf_fc3d_solver *solver = NULL;
    bool good = u != NULL;
    for (int k = 0; good && k < steps; ++k) {
        const hf_fc3d_problem *p = hf_scene_problem(s, r);
        if (solver == NULL) {
            solver = hf_fc3d_solver_create(&def, p, NULL);
        }
        good = solver != NULL;
        hf_status status = good ? hf_fc3d_solve(solver, p, *r, u, NULL, NULL) : HF_OK;
        if (status == HF_ERROR_RANGE) {
            good = hf_fc3d_solver_reserve(solver, p, NULL) == HF_OK;
            status = good ? hf_fc3d_solve(solver, p, *r, u, NULL, NULL) : HF_OK;
        }
        good = good && (status == HF_OK || status == HF_ERROR_CONVERGENCE);
        hf_scene_advance(s);
    }
    hf_fc3d_solver_destroy(solver);
    free(u);
    return good ? hf_scene_problem(s, r) : NULL;
}

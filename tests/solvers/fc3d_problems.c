// SPDX-License-Identifier: Apache-2.0
// Random friction-contact problems with a known solution, and piles of spheres.
#include "fc3d_problems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// Random numbers: splitmix64

static double uniform(uint64_t *state, double low, double high)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return low + (high - low) * (double)(z >> 11) * 0x1p-53;
}

static int whole(uint64_t *state, int count)
{
    return (int)uniform(state, 0.0, (double)count);
}

// ------------------------------------------------------------------------------------------------
// The global form, contact by contact

typedef struct vector {
    double x[3];
} vector;

static vector cross(vector a, vector b)
{
    return (vector){{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                     a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

static vector unit(vector a)
{
    double size = sqrt(a.x[0] * a.x[0] + a.x[1] * a.x[1] + a.x[2] * a.x[2]);
    return (vector){{a.x[0] / size, a.x[1] / size, a.x[2] / size}};
}

// Six degrees of freedom a body with a diagonal M; twelve entries a column of H.
typedef struct scene {
    int bodies, contacts, most;
    int *mass_start, *mass_row, *map_start, *map_row;
    double *mass, *map, *f, *w, *mu;
} scene;

static void clear_scene(scene *s)
{
    free(s->mass_start);
    free(s->mass_row);
    free(s->map_start);
    free(s->map_row);
    free(s->mass);
    free(s->map);
    free(s->f);
    free(s->w);
    free(s->mu);
}

static bool make_scene(scene *s, int bodies, int most)
{
    size_t n = 6 * (size_t)bodies, c = 3 * (size_t)most;
    *s = (scene){.bodies = bodies, .most = most};
    s->mass_start = calloc(n + 1, sizeof(int));
    s->mass_row = calloc(n + 1, sizeof(int));
    s->map_start = calloc(c + 1, sizeof(int));
    s->map_row = calloc(12 * c + 1, sizeof(int));
    s->mass = calloc(n + 1, sizeof(double));
    s->map = calloc(12 * c + 1, sizeof(double));
    s->f = calloc(n + 1, sizeof(double));
    s->w = calloc(c + 1, sizeof(double));
    s->mu = calloc(c + 1, sizeof(double));
    if (s->mass_start == NULL || s->mass_row == NULL || s->map_start == NULL ||
        s->map_row == NULL || s->mass == NULL || s->map == NULL || s->f == NULL || s->w == NULL ||
        s->mu == NULL) {
        clear_scene(s);
        return false;
    }
    for (int i = 0; i < (int)n; ++i) {
        s->mass_start[i + 1] = i + 1;
        s->mass_row[i] = i;
    }
    return true;
}

// `sign` times the velocity of a body's point, along `axis`, as a column of H.
static int add_body(scene *s, int at, int body, vector arm, vector axis, double sign)
{
    vector turn = cross(arm, axis);
    for (int k = 0; body >= 0 && k < 6; ++k) {
        s->map_row[at] = 6 * body + k;
        s->map[at++] = sign * (k < 3 ? axis.x[k] : turn.x[k - 3]);
    }
    return at;
}

// u = velocity of a's point less that of b's, along normal and two tangents. Body -1: the ground.
static void add_contact(scene *s, int a, int b, vector arm_a, vector arm_b, vector normal,
                        double gap_rate, double mu)
{
    int c = s->contacts++;
    vector other = fabs(normal.x[0]) < 0.7 ? (vector){{1, 0, 0}} : (vector){{0, 1, 0}};
    vector axes[3] = {normal, unit(cross(normal, other)), {{0}}};
    axes[2] = cross(normal, axes[1]);
    for (int k = 0; k < 3; ++k) {
        int at = s->map_start[3 * c + k];
        at = add_body(s, at, a, arm_a, axes[k], 1.0);
        s->map_start[3 * c + k + 1] = add_body(s, at, b, arm_b, axes[k], -1.0);
        s->w[3 * c + k] = k == 0 ? gap_rate : 0.0;
    }
    s->mu[c] = mu;
}

static hf_fc3d_global global_of(const scene *s)
{
    int n = 6 * s->bodies;
    return (hf_fc3d_global){.contacts = s->contacts,
                            .mass = {.rows = n,
                                     .columns = n,
                                     .start = s->mass_start,
                                     .row = s->mass_row,
                                     .value = s->mass},
                            .map = {.rows = n,
                                    .columns = 3 * s->contacts,
                                    .start = s->map_start,
                                    .row = s->map_row,
                                    .value = s->map},
                            .f = s->f,
                            .w = s->w,
                            .mu = s->mu};
}

// ------------------------------------------------------------------------------------------------
// Random problems

static vector random_vector(uint64_t *state)
{
    return (vector){{uniform(state, -1, 1), uniform(state, -1, 1), uniform(state, -1, 1)}};
}

static void draw_solution(const hf_random_fc3d *def, uint64_t *state, int i, double mu, double *r,
                          double *u)
{
    double angle = uniform(state, 0.0, 6.283185307179586);
    double c = cos(angle), d = sin(angle), kind = uniform(state, 0.0, 1.0);
    double force = uniform(state, 0.1, 2.0), speed = uniform(state, 0.01, 1.0);
    double share = uniform(state, 0.0, 0.95);
    r += 3 * i;
    u += 3 * i;
    memset(r, 0, 3 * sizeof *r);
    memset(u, 0, 3 * sizeof *u);
    if (kind < def->share_open) {
        u[0] = force;
        u[1] = speed * c;
        u[2] = speed * d;
    } else if (kind < 0.5 * (1.0 + def->share_open)) {
        r[0] = force;
        r[1] = share * mu * force * c;
        r[2] = share * mu * force * d;
    } else {
        r[0] = force;
        r[1] = -mu * force * c;
        r[2] = -mu * force * d;
        u[1] = speed * c;
        u[2] = speed * d;
    }
}

hf_fc3d_problem *hf_random_fc3d_create(const hf_random_fc3d *def, double *r, double *u)
{
    uint64_t state = def->seed;
    scene s;
    if (!make_scene(&s, def->bodies, def->contacts)) {
        return NULL;
    }
    for (int b = 0; b < def->bodies; ++b) {
        double mass = exp(uniform(&state, 0.0, log(def->mass_ratio)));
        for (int k = 0; k < 6; ++k) {
            s.mass[6 * b + k] = k < 3 ? mass : mass * uniform(&state, 0.2, 0.6);
        }
    }
    uint64_t before = state;
    for (int i = 0; i < def->contacts; ++i) {
        uint64_t here = state;
        state = def->repeat && i % 2 == 1 ? before : state;
        int a = whole(&state, def->bodies), b = whole(&state, def->bodies + 1) - 1;
        b = b == a ? -1 : b;
        vector arm_a = random_vector(&state), arm_b = random_vector(&state);
        vector normal = unit(random_vector(&state));
        add_contact(&s, a, b, arm_a, arm_b, normal, 0.0,
                    uniform(&state, def->mu_least, def->mu_most));
        before = here;
        draw_solution(def, &state, i, s.mu[i], r, u);
        if (def->repeat && i % 2 == 1) { // the same place moves the same way
            memcpy(u + 3 * i, u + 3 * i - 3, 3 * sizeof *u);
            memcpy(r + 3 * i, r + 3 * i - 3, 3 * sizeof *r);
            state = here + 1;
        }
    }
    hf_fc3d_global global = global_of(&s);
    hf_fc3d_problem *bare = hf_fc3d_problem_reduce(&global, NULL), *problem = NULL;
    if (bare != NULL) {
        // q = u - W r goes in as w.
        hf_fc3d_velocity(bare, r, s.w);
        for (int i = 0; i < 3 * def->contacts; ++i) {
            s.w[i] = u[i] - (s.w[i] - bare->q[i]);
        }
        problem = hf_fc3d_problem_reduce(&global, NULL);
    }
    hf_fc3d_problem_destroy(bare);
    clear_scene(&s);
    return problem;
}

// ------------------------------------------------------------------------------------------------
// Piles. They settle by Gauss-Seidel with few sweeps from the last reactions, and some drag: what
// counts is the problem at the end.

typedef struct sphere {
    vector at, velocity, spin;
    double radius;
} sphere;

static const double STEP = 5e-3, GRAVITY = 9.81, RADIUS = 0.05, MARGIN = 0.005;
static const double DRAG = 0.95; // of the velocity that a step leaves
enum { SWEEPS = 40 };

typedef struct pile {
    const hf_pile_fc3d *def;
    sphere *spheres;
    int count;
    double side; // of the box
    scene scene;
    long *key, *last_key; // [scene.most] which bodies a contact is of
    int last_contacts;
    double *r, *last_r, *u; // [3 scene.most]
} pile;

static void place_spheres(pile *p)
{
    uint64_t state = 7;
    double pitch = 2.3 * RADIUS;
    int across = p->def->across;
    p->side = across * pitch;
    for (int i = 0; i < p->count; ++i) {
        sphere *s = &p->spheres[i];
        int layer = i / (across * across), row = i / across % across, column = i % across;
        *s = (sphere){.radius = RADIUS * uniform(&state, 0.85, 1.0)};
        const double cell[3] = {column, row, layer};
        for (int k = 0; k < 3; ++k) {
            s->at.x[k] = (cell[k] + 0.5) * pitch + 0.1 * RADIUS * uniform(&state, -1, 1);
        }
        double mass = 1000.0 * 4.18879 * s->radius * s->radius * s->radius;
        for (int k = 0; k < 6; ++k) {
            p->scene.mass[6 * i + k] = k < 3 ? mass : 0.4 * mass * s->radius * s->radius;
        }
    }
}

static void touch_walls(pile *p, int i)
{
    const sphere *s = &p->spheres[i];
    for (int wall = 0; wall < 5; ++wall) {
        int axis = wall / 2; // x, x, y, y, z: open above
        double sign = wall % 2 == 0 ? 1.0 : -1.0;
        double gap = (sign > 0 ? s->at.x[axis] : p->side - s->at.x[axis]) - s->radius;
        if (gap < MARGIN && p->scene.contacts < p->scene.most) {
            vector normal = {{0}}, arm = {{0}};
            normal.x[axis] = sign;
            arm.x[axis] = -sign * s->radius;
            p->key[p->scene.contacts] = (long)i * (p->count + 5) + p->count + wall;
            add_contact(&p->scene, i, -1, arm, arm, normal, gap / STEP, p->def->mu);
        }
    }
}

static void touch_spheres(pile *p, int i, int j)
{
    const sphere *a = &p->spheres[i], *b = &p->spheres[j];
    vector d;
    double sum = 0.0, reach = a->radius + b->radius;
    for (int k = 0; k < 3; ++k) {
        d.x[k] = a->at.x[k] - b->at.x[k];
        sum += d.x[k] * d.x[k];
    }
    double gap = sqrt(sum) - reach;
    if (gap < MARGIN && p->scene.contacts < p->scene.most) {
        vector normal = unit(d), arm_a, arm_b;
        for (int k = 0; k < 3; ++k) {
            arm_a.x[k] = -a->radius * normal.x[k];
            arm_b.x[k] = b->radius * normal.x[k];
        }
        p->key[p->scene.contacts] = (long)i * (p->count + 5) + j;
        add_contact(&p->scene, i, j, arm_a, arm_b, normal, gap / STEP, p->def->mu);
    }
}

// Contacts that a step may close: 0 <= gap + STEP u_N. Their keys ascend.
static void find_contacts(pile *p)
{
    p->scene.contacts = 0;
    for (int i = 0; i < p->count; ++i) {
        for (int j = 0; j < i; ++j) {
            touch_spheres(p, i, j);
        }
        touch_walls(p, i);
        for (int k = 0; k < 3; ++k) {
            double mass = p->scene.mass[6 * i];
            double fall = k == 2 ? STEP * GRAVITY : 0.0;
            p->scene.f[6 * i + k] = mass * (DRAG * p->spheres[i].velocity.x[k] - fall);
            p->scene.f[6 * i + 3 + k] =
                p->scene.mass[6 * i + 3 + k] * DRAG * p->spheres[i].spin.x[k];
        }
    }
}

// Reactions of contacts that were there before.
static void recall(pile *p)
{
    memset(p->r, 0, 3 * (size_t)p->scene.most * sizeof *p->r);
    for (int i = 0, j = 0; i < p->scene.contacts; ++i) {
        while (j < p->last_contacts && p->last_key[j] < p->key[i]) {
            ++j;
        }
        if (j < p->last_contacts && p->last_key[j] == p->key[i]) {
            memcpy(p->r + 3 * i, p->last_r + 3 * j, 3 * sizeof *p->r);
        }
    }
}

static void remember(pile *p)
{
    size_t count = (size_t)p->scene.contacts;
    memcpy(p->last_r, p->r, 3 * count * sizeof *p->r);
    memcpy(p->last_key, p->key, count * sizeof *p->key);
    p->last_contacts = p->scene.contacts;
}

// M v = f + H r, and the positions with the new velocities.
static void advance(pile *p)
{
    scene *s = &p->scene;
    for (int j = 0; j < 3 * s->contacts; ++j) {
        for (int k = s->map_start[j]; k < s->map_start[j + 1]; ++k) {
            s->f[s->map_row[k]] += s->map[k] * p->r[j];
        }
    }
    for (int i = 0; i < p->count; ++i) {
        for (int k = 0; k < 3; ++k) {
            p->spheres[i].velocity.x[k] = s->f[6 * i + k] / s->mass[6 * i + k];
            p->spheres[i].spin.x[k] = s->f[6 * i + 3 + k] / s->mass[6 * i + 3 + k];
            p->spheres[i].at.x[k] += STEP * p->spheres[i].velocity.x[k];
        }
    }
}

// One step; NULL on failure, otherwise its problem.
static hf_fc3d_problem *step(pile *p)
{
    find_contacts(p);
    hf_fc3d_global global = global_of(&p->scene);
    hf_fc3d_problem *problem = hf_fc3d_problem_reduce(&global, NULL);
    hf_fc3d_def def = hf_fc3d_def_default();
    def.method = HF_FC3D_GAUSS_SEIDEL;
    def.iterations = SWEEPS;
    def.measure = HF_FC3D_SCALED;
    hf_fc3d_solver *solver = problem == NULL ? NULL : hf_fc3d_solver_create(&def, problem, NULL);
    if (solver == NULL) {
        hf_fc3d_problem_destroy(problem);
        return NULL;
    }
    recall(p);
    (void)!hf_fc3d_solve(solver, problem, p->r, p->u, NULL, NULL);
    hf_fc3d_solver_destroy(solver);
    remember(p);
    advance(p);
    return problem;
}

static bool make_pile(pile *p)
{
    int most = 8 * p->count + 20;
    size_t n = (size_t)most;
    p->spheres = calloc((size_t)p->count, sizeof *p->spheres);
    p->r = calloc(3 * n, sizeof *p->r);
    p->last_r = calloc(3 * n, sizeof *p->r);
    p->u = calloc(3 * n, sizeof *p->u);
    p->key = calloc(n, sizeof *p->key);
    p->last_key = calloc(n, sizeof *p->key);
    return p->spheres != NULL && p->r != NULL && p->last_r != NULL && p->u != NULL &&
           p->key != NULL && p->last_key != NULL && make_scene(&p->scene, p->count, most);
}

hf_fc3d_problem *hf_pile_fc3d_create(const hf_pile_fc3d *def, double *speed)
{
    pile p = {.def = def, .count = def->across * def->across * def->layers};
    hf_fc3d_problem *problem = NULL;
    *speed = 0.0;
    if (make_pile(&p)) {
        place_spheres(&p);
        for (int k = 0; k < def->steps; ++k) {
            hf_fc3d_problem_destroy(problem);
            problem = step(&p);
            if (problem == NULL) {
                break;
            }
        }
        for (int i = 0; i < p.count; ++i) {
            const double *v = p.spheres[i].velocity.x;
            *speed = fmax(*speed, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
        }
        clear_scene(&p.scene);
    }
    free(p.spheres);
    free(p.r);
    free(p.last_r);
    free(p.u);
    free(p.key);
    free(p.last_key);
    return problem;
}

// SPDX-License-Identifier: Apache-2.0
// The space of the bodies' velocities: what a problem's parts are, and products with them.
#include "fc3d_space.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "laws/batch.h"
#include "math/dense.h"

// Six freedoms are the usual case; as a constant the compiler can unroll the loops.
#define HF_SIX(n, call_six, call_any)                                                              \
    do {                                                                                           \
        if ((n) == 6) {                                                                            \
            call_six;                                                                              \
        } else {                                                                                   \
            call_any;                                                                              \
        }                                                                                          \
    } while (false)

static int freedoms(const hf_fc3d_bodies *b, int body)
{
    return b->first[body + 1] - b->first[body];
}

static int rows_for(int freedoms)
{
    return (freedoms + 2) / 3;
}

// ------------------------------------------------------------------------------------------------
// Memory

typedef struct sizes {
    int bodies, rows, contacts;
    size_t mass, map, blocks;
} sizes;

static sizes measure(const hf_fc3d_problem *p)
{
    const hf_fc3d_bodies *b = p->bodies;
    sizes s = {.bodies = b->count, .contacts = p->contacts};
    for (int i = 0; i < b->count; ++i) {
        size_t n = (size_t)freedoms(b, i), rows = (size_t)rows_for((int)n);
        s.rows += (int)rows;
        s.mass += b->mass == NULL ? 0 : n * n;
        s.blocks += rows * rows;
    }
    for (int i = 0; i < p->contacts; ++i) {
        size_t both = 2;
        for (int k = 0; k < 2; ++k) {
            int body = b->pair[2 * i + k];
            size_t n = body < 0 ? 0 : 3 * (size_t)freedoms(b, body);
            size_t end = b->place == NULL || body < 0 ? s.map + n : b->place[2 * i + k] + n;
            s.map = end > s.map ? end : s.map;
            both *= body < 0 ? 0 : (size_t)rows_for(freedoms(b, body));
        }
        s.blocks += both;
    }
    s.map = b->mass == NULL ? 0 : s.map;
    return s;
}

static bool fits(const hf_fc3d_space *t, const sizes *s)
{
    return s->bodies <= t->most_bodies && s->rows <= t->most_rows &&
           s->contacts <= t->most_contacts && s->mass <= t->most_mass && s->map <= t->most_map &&
           s->blocks <= (size_t)t->most_blocks;
}

static size_t more(size_t old, size_t wanted)
{
    return wanted > old ? wanted + wanted / 4 : old;
}

static bool allocate(hf_fc3d_space *t, const sizes *s)
{
    // Room for this problem and for the largest before it
    size_t bodies = more((size_t)t->most_bodies, (size_t)s->bodies);
    size_t rows = more((size_t)t->most_rows, (size_t)s->rows);
    size_t contacts = more((size_t)t->most_contacts, (size_t)s->contacts);
    size_t blocks = more((size_t)t->most_blocks, s->blocks);
    size_t mass = more(t->most_mass, s->mass), map = more(t->most_map, s->map);
    hf_fc3d_space_free(t);
    if (blocks > INT32_MAX / 9 || rows > INT32_MAX / 9) {
        return false;
    }
    const hf_arena_want wanted[] = {{&t->row, bodies + 1, sizeof(int)},
                                    {&t->mass_at, bodies + 1, sizeof(size_t)},
                                    {&t->map_at, 2 * contacts + 1, sizeof(size_t)},
                                    {&t->inverted, mass + 1, sizeof(double)},
                                    {&t->turned, map + 1, sizeof(double)},
                                    {&t->diagonal, 9 * contacts + 1, sizeof(double)},
                                    {&t->touch_start, bodies + 2, sizeof(int)},
                                    {&t->touch, 2 * contacts + 1, sizeof(int)},
                                    {&t->near_start, bodies + 1, sizeof(int)},
                                    {&t->near, bodies + 2 * contacts + 1, sizeof(int)},
                                    {&t->place, bodies + 1, sizeof(int)},
                                    {&t->offset, 2 * contacts + 1, sizeof(int)},
                                    {&t->own, bodies + 1, sizeof(int)},
                                    {&t->tile_at, bodies + 2 * contacts + 1, sizeof(size_t)},
                                    {&t->tiles, 9 * blocks + 1, sizeof(double)},
                                    {&t->stiffened, 9 * rows + 1, sizeof(double)},
                                    {&t->start, rows + 1, sizeof(int)},
                                    {&t->column, blocks + 1, sizeof(int)},
                                    {&t->blocks, 9 * blocks + 1, sizeof(double)},
                                    {&t->node_start, bodies + 1, sizeof(int)},
                                    {&t->node, bodies + 2 * contacts + 1, sizeof(int)}};
    bool good = hf_arena_take(&t->arena, wanted, sizeof wanted / sizeof *wanted);
    // Its factorizations, or nothing at all
    const hf_allocator *allocator = &t->arena.allocator;
    t->lu = good ? hf_block_lu_create((int)rows, (int)blocks, allocator) : NULL;
    t->rigid = t->lu == NULL
                   ? NULL
                   : hf_tile_lu_create((int)bodies, (int)(bodies + 2 * contacts), allocator);
    if (t->rigid == NULL) {
        hf_fc3d_space_free(t);
        return false;
    }
    t->most_bodies = (int)bodies;
    t->most_rows = (int)rows;
    t->most_contacts = (int)contacts;
    t->most_blocks = (int)blocks;
    t->most_mass = mass;
    t->most_map = map;
    return true;
}

hf_status hf_fc3d_space_open(hf_fc3d_space *t, const hf_fc3d_problem *p)
{
    sizes s = measure(p);
    if (!fits(t, &s) && !allocate(t, &s)) {
        return HF_ERROR_MEMORY;
    }
    return hf_fc3d_space_start(t, p);
}

hf_status hf_fc3d_space_reserve(hf_fc3d_space *t, const hf_fc3d_problem *p)
{
    HF_TRY(hf_fc3d_space_open(t, p));
    HF_TRY(hf_fc3d_space_plan(t, true));
    return hf_fc3d_space_rigid(t) ? hf_fc3d_space_rigid_plan(t, true) : HF_OK;
}

void hf_fc3d_space_free(hf_fc3d_space *t)
{
    hf_block_lu_destroy(t->lu);
    hf_tile_lu_destroy(t->rigid);
    hf_arena_free(&t->arena);
    *t = (hf_fc3d_space){.arena = t->arena}; // empty now, with its allocator
}

// ------------------------------------------------------------------------------------------------
// Parts

// out := A M^-1 for A of [3][n]
static inline void turn(const double *map, const double *inverse, int n, double *out)
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < n; ++j) {
            out[i * n + j] = 0.0;
        }
        for (int k = 0; k < n; ++k) {
            double factor = map[i * n + k];
            for (int j = 0; j < n; ++j) {
                out[i * n + j] += factor * inverse[k * n + j];
            }
        }
    }
}

// w += A B' for two of [3][n]
static inline void couple(const double *a, const double *b, int n, double *w)
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double sum = 0.0;
            for (int k = 0; k < n; ++k) {
                sum += a[i * n + k] * b[j * n + k];
            }
            w[3 * i + j] += sum;
        }
    }
}

hf_status hf_fc3d_space_start(hf_fc3d_space *t, const hf_fc3d_problem *p)
{
    const hf_fc3d_bodies *b = p->bodies;
    sizes s = measure(p);
    if (!fits(t, &s)) {
        return HF_ERROR_RANGE;
    }
    t->b = b;
    t->contacts = p->contacts;
    t->near_known = t->planned = false;
    // Which bodies are touched
    memset(t->row, 0, ((size_t)b->count + 1) * sizeof *t->row);
    for (int i = 0; i < 2 * p->contacts; ++i) {
        if (b->pair[i] >= 0) {
            t->row[b->pair[i] + 1] = 1;
        }
    }
    // Rows of the touched ones, and M^-1 of each
    t->mass_at[0] = 0;
    t->six = true;
    for (int i = 0; i < b->count; ++i) {
        int n = freedoms(b, i);
        bool touched = t->row[i + 1] != 0;
        t->row[i + 1] = t->row[i] + (touched ? rows_for(n) : 0);
        t->six = t->six && (!touched || n == HF_TILE);
        t->mass_at[i + 1] = t->mass_at[i] + (size_t)n * (size_t)n;
        if (touched && b->mass != NULL && b->inverse == NULL &&
            !hf_dense_invert(b->mass + t->mass_at[i], (size_t)n, t->inverted + t->mass_at[i])) {
            return HF_ERROR_INPUT;
        }
    }
    t->rows = t->row[b->count];
    // Blocks of W on the diagonal: the maps of a contact's bodies with M^-1 between them
    const double *inverse = b->inverse == NULL ? t->inverted : b->inverse;
    t->moves = b->mass == NULL ? b->map : t->turned;
    size_t at = 0;
    for (int i = 0; i < p->contacts; ++i) {
        double *w = t->diagonal + 9 * (size_t)i;
        memset(w, 0, 9 * sizeof *w);
        for (int k = 0; k < 2; ++k) {
            int body = b->pair[2 * i + k];
            at = b->place == NULL || body < 0 ? at : b->place[2 * i + k];
            t->map_at[2 * i + k] = at;
            if (body < 0) {
                continue;
            }
            int n = freedoms(b, body);
            const double *map = b->map + at, *moves = t->moves + at;
            if (b->mass != NULL) {
                const double *inverted = inverse + t->mass_at[body];
                double *turned = t->turned + at;
                HF_SIX(n, turn(map, inverted, 6, turned), turn(map, inverted, n, turned));
            }
            HF_SIX(n, couple(moves, map, 6, w), couple(moves, map, n, w));
            at += 3 * (size_t)n;
        }
        for (int k = 0; b->idle != NULL && k < 3; ++k) {
            w[4 * k] += b->idle[3 * i + k];
        }
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Products

HF_BATCH_BODY void move_all(const hf_fc3d_space *t, const double *maps, const double *r, double *v)
{
    const int *pair = t->b->pair;
    memset(v, 0, 3 * (size_t)t->rows * sizeof *v);
    for (int i = 0; i < 2 * t->contacts; ++i) {
        int body = pair[i];
        const double *ri = r + 3 * (i / 2);
        if (body >= 0 && (ri[0] != 0.0 || ri[1] != 0.0 || ri[2] != 0.0)) {
            const double *map = maps + t->map_at[i];
            double *to = v + 3 * (size_t)t->row[body];
            int n = freedoms(t->b, body);
            HF_SIX(n, hf_fc3d_six_move(map, ri, to), hf_fc3d_part_move(map, n, ri, to));
        }
    }
}

HF_BATCH_BODY void feel_all(const hf_fc3d_space *t, const double *v, double *u)
{
    const int *pair = t->b->pair;
    memset(u, 0, 3 * (size_t)t->contacts * sizeof *u);
    for (int i = 0; i < 2 * t->contacts; ++i) {
        int body = pair[i];
        if (body >= 0) {
            const double *map = t->b->map + t->map_at[i], *from = v + 3 * (size_t)t->row[body];
            double *ui = u + 3 * (i / 2);
            int n = freedoms(t->b, body);
            HF_SIX(n, hf_fc3d_six_feel(map, from, ui), hf_fc3d_part_feel(map, n, from, ui));
        }
    }
}

static void move_by(const hf_fc3d_space *t, const double *maps, const double *r, double *v);
HF_BATCH(move_by, move_all,
         (const hf_fc3d_space *t, const double *maps, const double *r, double *v), (t, maps, r, v))

void hf_fc3d_space_move(const hf_fc3d_space *t, const double *r, double *v)
{
    move_by(t, t->moves, r, v);
}

void hf_fc3d_space_push(const hf_fc3d_space *t, const double *r, double *f)
{
    move_by(t, t->b->map, r, f);
}

HF_BATCH(hf_fc3d_space_feel, feel_all, (const hf_fc3d_space *t, const double *v, double *u),
         (t, v, u))

void hf_fc3d_space_idle(const hf_fc3d_space *t, const double *r, double *u)
{
    for (int i = 0; t->b->idle != NULL && i < 3 * t->contacts; ++i) {
        u[i] += t->b->idle[i] * r[i];
    }
}

// SPDX-License-Identifier: Apache-2.0
// From the global form to the local one: W = H' M^-1 H, q = H' M^-1 f + w.
//
// M falls apart into bodies: degrees of freedom that it couples. Each body b with its contacts adds
// H_bi' M_b^-1 H_bj to block (i, j) of W.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sets.h"
#include "fc3d_internal.h"
#include "math/dense.h"

typedef struct reduction {
    const hf_fc3d_global *g;
    hf_arena arena;
    int bodies;
    int *body;       // [freedoms] that a degree of freedom belongs to
    int *local;      // [freedoms] its number within the body
    int *size;       // [bodies] degrees of freedom
    int *first;      // [bodies + 1] its first number in `free`
    size_t *factor;  // [bodies + 1] where a body's Cholesky factor is
    double *factors; // lower triangles, row by row
    // Contacts and bodies that touch: pair k is of contact pair_contact[k]; by body in touch.
    int pairs;
    int *pair_start;   // [contacts + 1] pairs of a contact
    int *pair_body;    // [pairs]
    int *pair_contact; // [pairs]
    int *touch_start;  // [bodies + 1]
    int *touch;        // [pairs] pairs of a body
    size_t *pair_map;  // [pairs] where H_bc and M_b^-1 H_bc are, both size x 3
    double *map, *solved;
    double *free; // M^-1 f, body by body
} reduction;

// Whether freedoms in groups of `size`, one after another, are bodies: M couples none of different
// groups, and a contact is of two at most.
static bool are_bodies(const hf_fc3d_global *g, int size)
{
    bool good = g->mass.columns % size == 0;
    for (int j = 0; good && j < g->mass.columns; ++j) {
        for (int k = g->mass.start[j]; good && k < g->mass.start[j + 1]; ++k) {
            good = g->mass.row[k] / size == j / size || g->mass.value[k] == 0.0;
        }
    }
    for (int c = 0; good && c < g->contacts; ++c) {
        int seen[2] = {-1, -1};
        for (int k = g->map.start[3 * c]; good && k < g->map.start[3 * c + 3]; ++k) {
            int body = g->map.row[k] / size, at = seen[0] < 0 || seen[0] == body ? 0 : 1;
            good = seen[at] < 0 || seen[at] == body;
            seen[at] = body;
        }
    }
    return good;
}

static bool find_bodies(reduction *r)
{
    const hf_fc3d_matrix *m = &r->g->mass;
    size_t n = (size_t)m->columns;
    int *parent = hf_arena_alloc(&r->arena, n + 1, sizeof(int));
    r->body = hf_arena_alloc(&r->arena, n + 1, sizeof(int));
    r->local = hf_arena_alloc(&r->arena, n + 1, sizeof(int));
    r->size = hf_arena_alloc(&r->arena, n + 1, sizeof(int));
    if (parent == NULL || r->body == NULL || r->local == NULL || r->size == NULL) {
        return false;
    }
    // Rigid bodies, in space or in the plane, are whole even where their M is diagonal.
    int size = are_bodies(r->g, 6) ? 6 : are_bodies(r->g, 3) ? 3 : 1;
    for (int i = 0; i < m->columns; ++i) {
        parent[i] = i - i % size;
        r->body[i] = -1;
    }
    // Freedoms that M joins are of one body
    for (int j = 0; j < m->columns; ++j) {
        for (int k = m->start[j]; k < m->start[j + 1]; ++k) {
            if (m->value[k] != 0.0) {
                hf_sets_join(parent, j, m->row[k]);
            }
        }
    }
    // Bodies by rising number, and places of freedoms in them
    for (int i = 0; i < m->columns; ++i) {
        int root = hf_sets_root(parent, i); // the lowest number of its body
        if (r->body[root] < 0) {
            r->body[root] = r->bodies++;
        }
        r->body[i] = r->body[root];
        r->local[i] = r->size[r->body[i]]++;
    }
    r->first = hf_arena_alloc(&r->arena, (size_t)r->bodies + 1, sizeof(int));
    for (int b = 0; r->first != NULL && b < r->bodies; ++b) {
        r->first[b + 1] = r->first[b] + r->size[b];
    }
    return r->first != NULL;
}

static hf_status factorize(reduction *r, hf_error *error)
{
    const hf_fc3d_matrix *m = &r->g->mass;
    size_t total = 0, n = (size_t)m->columns;
    r->factor = hf_arena_alloc(&r->arena, (size_t)r->bodies + 1, sizeof(size_t));
    // Room for a dense matrix of each body
    for (int b = 0; r->factor != NULL && b < r->bodies; ++b) {
        if (r->size[b] > HF_FC3D_MAX_COUPLED) {
            return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                                "friction-contact problem: M couples %d degrees of freedom with "
                                "each other, more than %d",
                                r->size[b], HF_FC3D_MAX_COUPLED);
        }
        r->factor[b] = total;
        total += (size_t)r->size[b] * (size_t)r->size[b];
    }
    r->factors = hf_arena_alloc(&r->arena, total + 1, sizeof(double));
    r->free = hf_arena_alloc(&r->arena, n + 1, sizeof(double));
    if (r->factor == NULL || r->factors == NULL || r->free == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a friction-contact problem");
    }
    // M, body by body, to its Cholesky factor
    for (int j = 0; j < m->columns; ++j) {
        size_t size = (size_t)r->size[r->body[j]];
        double *a = r->factors + r->factor[r->body[j]];
        for (int k = m->start[j]; k < m->start[j + 1]; ++k) {
            if (m->value[k] != 0.0) {
                a[(size_t)r->local[m->row[k]] * size + (size_t)r->local[j]] += m->value[k];
            }
        }
    }
    for (int b = 0; b < r->bodies; ++b) {
        if (!hf_cholesky(r->factors + r->factor[b], (size_t)r->size[b])) {
            return hf_error_set(error, HF_ERROR_RANGE,
                                "friction-contact problem: M is not positive definite");
        }
    }
    // M^-1 f: velocities without contacts
    for (int i = 0; i < m->columns; ++i) {
        r->free[r->first[r->body[i]] + r->local[i]] = r->g->f[i];
    }
    for (int b = 0; b < r->bodies; ++b) {
        hf_cholesky_solve(r->factors + r->factor[b], (size_t)r->size[b], r->free + r->first[b], 1);
    }
    return HF_OK;
}

// Which contacts touch which bodies, with the blocks of H.
static bool find_pairs(reduction *r)
{
    const hf_fc3d_matrix *h = &r->g->map;
    size_t contacts = (size_t)r->g->contacts, bodies = (size_t)r->bodies;
    size_t most = (size_t)h->start[h->columns];                     // a pair has an entry at least
    int *seen = hf_arena_alloc(&r->arena, bodies + 1, sizeof(int)); // last pair of a body
    r->pair_start = hf_arena_alloc(&r->arena, contacts + 1, sizeof(int));
    r->pair_body = hf_arena_alloc(&r->arena, most + 1, sizeof(int));
    r->pair_map = hf_arena_alloc(&r->arena, most + 1, sizeof(size_t));
    r->touch_start = hf_arena_alloc(&r->arena, bodies + 2, sizeof(int));
    if (seen == NULL || r->pair_start == NULL || r->pair_body == NULL || r->pair_map == NULL ||
        r->touch_start == NULL) {
        return false;
    }
    // A pair for each body that a contact's columns name
    memset(seen, -1, (bodies + 1) * sizeof(int));
    size_t numbers = 0;
    for (int c = 0; c < r->g->contacts; ++c) {
        for (int k = h->start[3 * c]; k < h->start[3 * c + 3]; ++k) {
            int b = r->body[h->row[k]];
            if (seen[b] < r->pair_start[c]) {
                seen[b] = r->pairs;
                r->pair_body[r->pairs] = b;
                r->pair_map[r->pairs++] = numbers;
                numbers += 3 * (size_t)r->size[b];
                ++r->touch_start[b + 1];
            }
        }
        r->pair_start[c + 1] = r->pairs;
    }
    // The same by body: which pairs touch it
    r->map = hf_arena_alloc(&r->arena, numbers + 1, sizeof(double));
    r->solved = hf_arena_alloc(&r->arena, numbers + 1, sizeof(double));
    r->touch = hf_arena_alloc(&r->arena, (size_t)r->pairs + 1, sizeof(int));
    r->pair_contact = hf_arena_alloc(&r->arena, (size_t)r->pairs + 1, sizeof(int));
    if (r->map == NULL || r->solved == NULL || r->touch == NULL || r->pair_contact == NULL) {
        return false;
    }
    for (int b = 0; b < r->bodies; ++b) {
        r->touch_start[b + 1] += r->touch_start[b];
        seen[b] = r->touch_start[b];
    }
    for (int c = 0; c < r->g->contacts; ++c) {
        for (int k = r->pair_start[c]; k < r->pair_start[c + 1]; ++k) {
            r->touch[seen[r->pair_body[k]]++] = k;
            r->pair_contact[k] = c;
        }
    }
    return true;
}

static void fill_pairs(reduction *r)
{
    const hf_fc3d_matrix *h = &r->g->map;
    for (int j = 0; j < h->columns; ++j) {
        for (int k = h->start[j]; k < h->start[j + 1]; ++k) {
            int pair = r->pair_start[j / 3], b = r->body[h->row[k]];
            while (r->pair_body[pair] != b) {
                ++pair;
            }
            r->map[r->pair_map[pair] + 3 * (size_t)r->local[h->row[k]] + (size_t)(j % 3)] +=
                h->value[k];
        }
    }
    for (int pair = 0; pair < r->pairs; ++pair) {
        size_t size = (size_t)r->size[r->pair_body[pair]];
        double *x = r->solved + r->pair_map[pair];
        memcpy(x, r->map + r->pair_map[pair], 3 * size * sizeof *x);
        hf_cholesky_solve(r->factors + r->factor[r->pair_body[pair]], size, x, 3);
    }
}

// W as compressed columns, in which entries of contacts with two bodies in common repeat.
static hf_fc3d_problem *assemble(reduction *r, hf_error *error)
{
    int n = 3 * r->g->contacts;
    size_t total = 0;
    for (int b = 0; b < r->bodies; ++b) {
        size_t count = 3 * (size_t)(r->touch_start[b + 1] - r->touch_start[b]);
        total += count * count;
    }
    // Room for W by columns
    int *start = hf_arena_alloc(&r->arena, (size_t)n + 1, sizeof(int));
    int *row = hf_arena_alloc(&r->arena, total + 1, sizeof(int));
    double *value = hf_arena_alloc(&r->arena, total + 1, sizeof(double));
    double *q = hf_arena_alloc(&r->arena, (size_t)n + 1, sizeof(double));
    if (start == NULL || row == NULL || value == NULL || q == NULL || total > INT32_MAX) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a friction-contact problem");
        return NULL;
    }
    // W = H' M^-1 H column by column, over the bodies that a contact shares; q = w + H' M^-1 f
    int used = 0;
    for (int j = 0; j < n; ++j) {
        q[j] = r->g->w[j];
        for (int k = r->pair_start[j / 3]; k < r->pair_start[j / 3 + 1]; ++k) {
            int b = r->pair_body[k];
            const double *column = r->solved + r->pair_map[k] + j % 3;
            const double *own = r->map + r->pair_map[k] + j % 3;
            for (int e = 0; e < r->size[b]; ++e) {
                q[j] += own[3 * e] * r->free[r->first[b] + e];
            }
            for (int t = r->touch_start[b]; t < r->touch_start[b + 1]; ++t) {
                const double *other = r->map + r->pair_map[r->touch[t]];
                for (int a = 0; a < 3; ++a) {
                    double sum = 0.0;
                    for (int e = 0; e < r->size[b]; ++e) {
                        sum += other[3 * e + a] * column[3 * e];
                    }
                    row[used] = 3 * r->pair_contact[r->touch[t]] + a;
                    value[used++] = sum;
                }
            }
        }
        start[j + 1] = used;
    }
    hf_fc3d_matrix w = {.rows = n, .columns = n, .start = start, .row = row, .value = value};
    return hf_fc3d_problem_build(&w, q, r->g->mu, error);
}

// Bodies that have contacts get a number and a place in M, the others -1.
static int number_bodies(const reduction *r, int *number, size_t *place, int *first)
{
    int kept = 0;
    size_t mass = 0;
    for (int b = 0; b < r->bodies; ++b) {
        number[b] = -1;
        if (r->touch_start[b + 1] > r->touch_start[b]) {
            first[kept + 1] = first[kept] + r->size[b];
            place[b] = mass;
            mass += (size_t)r->size[b] * (size_t)r->size[b];
            number[b] = kept++;
        }
    }
    place[r->bodies] = mass;
    return kept;
}

// The bodies as a part of the problem, where no contact is of more than two. True: done, or not
// possible for this problem; false: out of memory.
static bool attach(reduction *r, hf_fc3d_problem *problem)
{
    hf_fc3d_owned *o = (hf_fc3d_owned *)(void *)problem;
    size_t contacts = (size_t)r->g->contacts, bodies = (size_t)r->bodies, map = 0;
    for (int c = 0; c < r->g->contacts; ++c) {
        if (r->pair_start[c + 1] - r->pair_start[c] > 2) {
            return true;
        }
    }
    // Room for the maps, and for the bodies that are kept
    for (int k = 0; k < r->pairs; ++k) {
        map += 3 * (size_t)r->size[r->pair_body[k]];
    }
    int *number = hf_arena_alloc(&r->arena, bodies + 1, sizeof(int));
    size_t *place = hf_arena_alloc(&r->arena, bodies + 1, sizeof(size_t));
    int *first = hf_arena_alloc(&o->arena, bodies + 1, sizeof(int));
    int *pair = hf_arena_alloc(&o->arena, 2 * contacts, sizeof(int));
    double *h = hf_arena_alloc(&o->arena, map, sizeof(double));
    if (number == NULL || place == NULL || first == NULL || pair == NULL || h == NULL) {
        return false;
    }
    int kept = number_bodies(r, number, place, first);
    double *m = hf_arena_alloc(&o->arena, place[r->bodies], sizeof(double));
    if (m == NULL) {
        return false;
    }
    // Mass matrices, dense, body by body
    for (int j = 0; j < r->g->mass.columns; ++j) {
        int b = r->body[j];
        for (int k = r->g->mass.start[j]; number[b] >= 0 && k < r->g->mass.start[j + 1]; ++k) {
            if (r->g->mass.value[k] != 0.0) {
                size_t row = (size_t)r->local[r->g->mass.row[k]];
                m[place[b] + row * (size_t)r->size[b] + (size_t)r->local[j]] += r->g->mass.value[k];
            }
        }
    }
    // Bodies and maps of each contact
    for (int c = 0; c < r->g->contacts; ++c) {
        pair[2 * c] = pair[2 * c + 1] = -1;
        for (int k = r->pair_start[c]; k < r->pair_start[c + 1]; ++k) {
            int n = r->size[r->pair_body[k]];
            pair[2 * c + k - r->pair_start[c]] = number[r->pair_body[k]];
            for (int e = 0; e < 3 * n; ++e) { // from [n][3] to [3][n]
                *h++ = r->map[r->pair_map[k] + 3 * (size_t)(e % n) + (size_t)(e / n)];
            }
        }
    }
    o->bodies =
        (hf_fc3d_bodies){.count = kept, .first = first, .mass = m, .pair = pair, .map = h - map};
    problem->bodies = &o->bodies;
    return true;
}

// Of a problem whose parts have been checked, with all of M.
static hf_fc3d_problem *reduce(const hf_fc3d_global *g, hf_error *error)
{
    reduction r = {.g = g};
    hf_fc3d_problem *problem = NULL;
    if (!find_bodies(&r)) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a friction-contact problem");
    } else if (factorize(&r, error) == HF_OK) {
        if (find_pairs(&r)) {
            fill_pairs(&r);
            problem = assemble(&r, error);
            if (problem != NULL && !attach(&r, problem)) {
                hf_fc3d_problem_destroy(problem);
                problem = NULL;
                (void)hf_error_set(error, HF_ERROR_MEMORY,
                                   "out of memory for a friction-contact problem");
            }
        } else {
            (void)hf_error_set(error, HF_ERROR_MEMORY,
                               "out of memory for a friction-contact problem");
        }
    }
    hf_arena_free(&r.arena);
    return problem;
}

hf_fc3d_problem *hf_fc3d_problem_reduce(const hf_fc3d_global *g, hf_error *error)
{
    if (hf_fc3d_matrix_check("M", &g->mass, error) != HF_OK ||
        hf_fc3d_matrix_check("H", &g->map, error) != HF_OK) {
        return NULL;
    }
    if (g->mass.rows != g->mass.columns || g->map.rows != g->mass.rows || g->map.columns % 3 != 0 ||
        g->map.columns / 3 != g->contacts) {
        (void)hf_error_set(error, HF_ERROR_INPUT,
                           "friction-contact problem: M is %d x %d and H %d x %d for %d contacts",
                           g->mass.rows, g->mass.columns, g->map.rows, g->map.columns, g->contacts);
        return NULL;
    }
    hf_arena arena = {0};
    hf_fc3d_global whole = *g;
    hf_fc3d_problem *problem = NULL;
    if (hf_fc3d_matrix_complete("M", &arena, &whole.mass, error) == HF_OK) {
        problem = reduce(&whole, error);
    }
    hf_arena_free(&arena);
    return problem;
}

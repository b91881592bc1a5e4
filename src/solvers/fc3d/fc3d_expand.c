// SPDX-License-Identifier: Apache-2.0
// From bodies to W, by way of the global form: M, H, f = 0 and w = q.
#include <stdint.h>

#include "base/error.h"
#include "fc3d_internal.h"

// M as compressed columns, ones on its diagonal where none is given.
static bool fill_mass(const hf_fc3d_bodies *b, hf_arena *arena, hf_fc3d_matrix *m)
{
    int n = b->first[b->count];
    size_t total = 0, at = 0;
    for (int i = 0; i < b->count; ++i) {
        size_t size = (size_t)(b->first[i + 1] - b->first[i]);
        total += size * size;
    }
    int *start = hf_arena_alloc(arena, (size_t)n + 1, sizeof(int));
    int *row = hf_arena_alloc(arena, total, sizeof(int));
    double *value = hf_arena_alloc(arena, total, sizeof(double));
    if (start == NULL || row == NULL || value == NULL || total > INT32_MAX) {
        return false;
    }
    for (int i = 0; i < b->count; ++i) {
        int first = b->first[i], size = b->first[i + 1] - first;
        for (int k = 0; k < size * size; ++k, ++at) { // symmetric: rows are columns
            row[at] = first + k % size;
            value[at] = b->mass != NULL ? b->mass[at] : (double)(k / size == k % size);
            start[first + k / size + 1] = (int)at + 1;
        }
    }
    *m = (hf_fc3d_matrix){.rows = n, .columns = n, .start = start, .row = row, .value = value};
    return true;
}

// H as compressed columns.
static bool fill_map(const hf_fc3d_problem *p, hf_arena *arena, hf_fc3d_matrix *m)
{
    const hf_fc3d_bodies *b = p->bodies;
    size_t total = 0, at = 0, used = 0;
    // How many numbers
    for (int i = 0; i < 2 * p->contacts; ++i) {
        int body = b->pair[i];
        total += body < 0 ? 0 : 3 * (size_t)(b->first[body + 1] - b->first[body]);
    }
    int *start = hf_arena_alloc(arena, 3 * (size_t)p->contacts + 1, sizeof(int));
    int *row = hf_arena_alloc(arena, total, sizeof(int));
    double *value = hf_arena_alloc(arena, total, sizeof(double));
    if (start == NULL || row == NULL || value == NULL || total > INT32_MAX) {
        return false;
    }
    // Three columns of a contact, over the freedoms of its two bodies
    for (int i = 0; i < p->contacts; ++i) {
        size_t place[2] = {0, 0};
        for (int k = 0; k < 2; ++k) {
            int body = b->pair[2 * i + k];
            place[k] = b->place == NULL ? at : b->place[2 * i + k];
            at += body < 0 ? 0 : 3 * (size_t)(b->first[body + 1] - b->first[body]);
        }
        for (int e = 0; e < 6; ++e) {
            int body = b->pair[2 * i + e % 2], axis = e / 2;
            int size = body < 0 ? 0 : b->first[body + 1] - b->first[body];
            for (int j = 0; j < size; ++j) {
                row[used] = b->first[body] + j;
                value[used++] = b->map[place[e % 2] + (size_t)(axis * size + j)];
            }
            start[3 * i + axis + 1] = (int)used;
        }
    }
    *m = (hf_fc3d_matrix){.rows = b->first[b->count],
                          .columns = 3 * p->contacts,
                          .start = start,
                          .row = row,
                          .value = value};
    return true;
}

// C joins W's diagonal, and stays with the bodies.
static bool add_idle(const hf_fc3d_problem *from, hf_fc3d_problem *to)
{
    if (from->bodies->idle == NULL) {
        return true;
    }
    hf_fc3d_owned *o = (hf_fc3d_owned *)(void *)to;
    double *w =
        hf_arena_copy(&o->arena, to->w, 9 * (size_t)to->start[to->contacts], sizeof(double));
    double *idle =
        hf_arena_copy(&o->arena, from->bodies->idle, 3 * (size_t)to->contacts, sizeof(double));
    if (w == NULL || idle == NULL) {
        return false;
    }
    for (int i = 0; i < to->contacts; ++i) {
        for (int k = to->start[i]; k < to->start[i + 1]; ++k) {
            for (int e = 0; to->column[k] == i && e < 3; ++e) {
                w[9 * (size_t)k + 4 * (size_t)e] += idle[3 * i + e];
            }
        }
    }
    to->w = w;
    o->bodies.idle = idle;
    return true;
}

hf_fc3d_problem *hf_fc3d_problem_expand(const hf_fc3d_problem *p, hf_error *error)
{
    if (hf_fc3d_problem_check(p, error) != HF_OK) {
        return NULL;
    }
    if (p->bodies == NULL) {
        (void)hf_error_set(error, HF_ERROR_INPUT, "friction-contact problem: it has no bodies");
        return NULL;
    }
    hf_arena arena = {0};
    hf_fc3d_global g = {.contacts = p->contacts, .w = p->q, .mu = p->mu};
    double *f = hf_arena_alloc(&arena, (size_t)p->bodies->first[p->bodies->count], sizeof(double));
    hf_fc3d_problem *whole = NULL;
    if (f == NULL || !fill_mass(p->bodies, &arena, &g.mass) || !fill_map(p, &arena, &g.map)) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a friction-contact problem");
    } else {
        g.f = f;
        whole = hf_fc3d_problem_reduce(&g, error);
    }
    if (whole != NULL && !add_idle(p, whole)) {
        hf_fc3d_problem_destroy(whole);
        whole = NULL;
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a friction-contact problem");
    }
    hf_arena_free(&arena);
    return whole;
}

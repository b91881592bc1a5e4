// SPDX-License-Identifier: Apache-2.0
// M + H G H' of rigid bodies with M = 1, by tiles of six freedoms: where each contact adds to.
#include "fc3d_space.h"

#include "base/error.h"
#include "laws/batch.h"

bool hf_fc3d_space_rigid(const hf_fc3d_space *t)
{
    return t->six && t->b->mass == NULL;
}

hf_status hf_fc3d_space_rigid_plan(hf_fc3d_space *t, bool grow)
{
    hf_fc3d_space_find_near(t);
    // Bodies that are touched, one after another; the order of `near` stays as it is
    int nodes = 0;
    for (int b = 0; b < t->b->count; ++b) {
        if (t->row[b + 1] > t->row[b]) {
            t->node_start[nodes++] = t->near_start[b];
        }
    }
    int used = t->node_start[nodes] = t->near_start[t->b->count];
    for (int k = 0; k < used; ++k) {
        t->node[k] = t->row[t->near[k]] / 2;
    }
    return hf_tile_lu_plan(t->rigid, nodes, t->node_start, t->node, grow);
}

// Six numbers of a body side by side.
typedef struct six {
    hf_four head;
    hf_two tail;
} six;

HF_BATCH_BODY six load_six(const double *from)
{
    six x;
    HF_LANES_LOAD(x.head, from);
    HF_LANES_LOAD(x.tail, from + 4);
    return x;
}

// c := G A of A [3][6]
HF_BATCH_BODY void stiffen(const double *g, const double *map, six c[3])
{
    six x = load_six(map), y = load_six(map + 6), z = load_six(map + 12);
    for (int i = 0; i < 3; ++i, g += 3) {
        c[i].head = g[0] * x.head + g[1] * y.head + g[2] * z.head;
        c[i].tail = g[0] * x.tail + g[1] * y.tail + g[2] * z.tail;
    }
}

// out += A'C of A [3][6] and C [3][6]
HF_BATCH_BODY void add_product(const double *a, const six c[3], double *out)
{
    for (int i = 0; i < HF_TILE; ++i, out += HF_TILE) {
        double x = a[i], y = a[HF_TILE + i], z = a[2 * HF_TILE + i];
        six sum = load_six(out);
        sum.head += x * c[0].head + y * c[1].head + z * c[2].head;
        sum.tail += x * c[0].tail + y * c[1].tail + z * c[2].tail;
        HF_LANES_STORE(out, sum.head);
        HF_LANES_STORE(out + 4, sum.tail);
    }
}

// A contact's H G H': with each body's rows and columns.
HF_BATCH_BODY void add_contact(const hf_fc3d_space *t, const int *place, int contact,
                               const double *g, double *tiles)
{
    const int *pair = t->b->pair + 2 * contact;
    const size_t *at = t->map_at + 2 * contact;
    for (int k = 0; k < 2; ++k) {
        if (pair[k] < 0) {
            continue;
        }
        // G H' of one body, and H of both times it
        six c[3];
        stiffen(g, t->b->map + at[k], c);
        add_product(t->b->map + at[k], c, tiles + HF_TILE_SIZE * (size_t)place[t->own[pair[k]]]);
        int other = 1 - k;
        if (pair[other] >= 0) {
            int where = place[t->offset[2 * contact + other]];
            add_product(t->b->map + at[other], c, tiles + HF_TILE_SIZE * (size_t)where);
        }
    }
}

HF_BATCH_BODY void add_contacts(const hf_fc3d_space *t, const int *place, const double *g,
                                double *tiles)
{
    for (int i = 0; i < t->contacts; ++i, g += 9) {
        bool some = false;
        for (int k = 0; k < 9; ++k) {
            some = some || g[k] != 0.0;
        }
        if (some) {
            add_contact(t, place, i, g, tiles);
        }
    }
}

static void add_all(const hf_fc3d_space *t, const int *place, const double *g, double *tiles);
HF_BATCH(add_all, add_contacts,
         (const hf_fc3d_space *t, const int *place, const double *g, double *tiles),
         (t, place, g, tiles))

bool hf_fc3d_space_rigid_factorize(hf_fc3d_space *t, const double *g)
{
    const int *place = NULL;
    double *tiles = hf_tile_lu_clear(t->rigid, &place);
    for (int b = 0; b < t->b->count; ++b) {
        if (t->row[b + 1] > t->row[b]) {
            double *own = tiles + HF_TILE_SIZE * (size_t)place[t->own[b]];
            for (int k = 0; k < HF_TILE; ++k) {
                own[(HF_TILE + 1) * k] = 1.0;
            }
        }
    }
    add_all(t, place, g, tiles);
    return hf_tile_lu_factorize(t->rigid);
}

// SPDX-License-Identifier: Apache-2.0
// Approximate minimum degree on a quotient graph                          [AmestoyDavisDuff1996].
//
// An eliminated group becomes an element: the clique of the groups it leaves. A group i that is
// left has lists of the elements E_i and the groups A_i next to it. Eliminating p:
//   L_p = (A_p + union of L_e over e in E_p) - p;      all e in E_p are absorbed by p
//   for i in L_p:  E_i := E_i - E_p + p,  A_i := A_i - L_p - p
//   degree d_i <= |A_i| + |L_p - i| + sum over e in E_i - p of |L_e - L_p|
// Sizes are counted in block rows.
#include <string.h>

#include "block_lu_internal.h"

typedef struct quotient {
    int n;
    const int *weight;
    int *pool, pool_size, pool_used;
    int *begin;    // list of group or element i in the pool
    int *length;   // its length
    int *elements; // of a group: how many of them, at the head of the list, are elements
    int *kind;     // LIVE, ELEMENT or GONE
    int *degree;   // of a group, or weight of an element's list
    int *head, *next, *before; // groups by degree
    int *mark, stamp;
    int *outside, *outside_stamp; // |L_e - L_p|
    int least;
} quotient;

enum { LIVE, ELEMENT, GONE };

static void insert(quotient *q, int i)
{
    int d = q->degree[i];
    q->next[i] = q->head[d];
    q->before[i] = -1;
    if (q->head[d] >= 0) {
        q->before[q->head[d]] = i;
    }
    q->head[d] = i;
    if (d < q->least) {
        q->least = d;
    }
}

static void withdraw(quotient *q, int i)
{
    if (q->before[i] >= 0) {
        q->next[q->before[i]] = q->next[i];
    } else {
        q->head[q->degree[i]] = q->next[i];
    }
    if (q->next[i] >= 0) {
        q->before[q->next[i]] = q->before[i];
    }
}

// Moves all lists to the front of the pool. Every list's first item is replaced by a mark that
// leads back to its owner, while begin[] keeps the item.
static void compact(quotient *q)
{
    for (int i = 0; i < q->n; ++i) {
        if (q->kind[i] != GONE && q->length[i] > 0) {
            int first = q->begin[i];
            q->begin[i] = q->pool[first];
            q->pool[first] = -i - 1;
        }
    }
    int to = 0;
    for (int from = 0; from < q->pool_used;) {
        int owner = -q->pool[from] - 1;
        if (owner < 0) {
            ++from;
            continue;
        }
        int first = to;
        q->pool[to++] = q->begin[owner];
        for (int k = 1; k < q->length[owner]; ++k) {
            q->pool[to++] = q->pool[from + k];
        }
        q->begin[owner] = first;
        from += q->length[owner];
    }
    q->pool_used = to;
}

static void collect(quotient *q, int from, int count)
{
    for (int k = 0; k < count; ++k) {
        int i = q->pool[from + k];
        if (q->kind[i] == LIVE && q->mark[i] != q->stamp) {
            q->mark[i] = q->stamp;
            q->pool[q->pool_used++] = i;
        }
    }
}

// Builds L_p at the end of the pool and marks its groups.
static void make_element(quotient *q, int p)
{
    int most = q->length[p] - q->elements[p];
    for (int k = 0; k < q->elements[p]; ++k) {
        most += q->length[q->pool[q->begin[p] + k]];
    }
    most = most < q->n ? most : q->n;
    if (q->pool_used + most > q->pool_size) {
        compact(q);
    }
    int begin = q->pool_used;
    q->kind[p] = ELEMENT;
    ++q->stamp;
    for (int k = 0; k < q->elements[p]; ++k) {
        int e = q->pool[q->begin[p] + k];
        collect(q, q->begin[e], q->length[e]);
        q->kind[e] = GONE;
    }
    collect(q, q->begin[p] + q->elements[p], q->length[p] - q->elements[p]);
    q->begin[p] = begin;
    q->length[p] = q->pool_used - begin;
    q->degree[p] = 0;
    for (int k = 0; k < q->length[p]; ++k) {
        q->degree[p] += q->weight[q->pool[begin + k]];
    }
}

// outside[e] = |L_e - L_p| for every element e next to L_p.
static void measure_elements(quotient *q, int p)
{
    for (int k = 0; k < q->length[p]; ++k) {
        int i = q->pool[q->begin[p] + k];
        for (int m = 0; m < q->elements[i]; ++m) {
            int e = q->pool[q->begin[i] + m];
            if (q->kind[e] != ELEMENT) {
                continue;
            }
            if (q->outside_stamp[e] != q->stamp) {
                q->outside_stamp[e] = q->stamp;
                q->outside[e] = q->degree[e];
            }
            q->outside[e] -= q->weight[i];
        }
    }
}

// Renews the lists and the degree of group i in L_p.
static void update(quotient *q, int p, int i, int remaining)
{
    int *list = q->pool + q->begin[i];
    int old_elements = q->elements[i], old_length = q->length[i];
    int kept = 0, degree = q->degree[p] - q->weight[i];
    // Elements that p does not absorb
    for (int k = 0; k < old_elements; ++k) {
        int e = list[k];
        if (q->kind[e] != ELEMENT) {
            continue;
        }
        if (q->outside[e] <= 0) { // L_e lies within L_p
            q->kind[e] = GONE;
            continue;
        }
        degree += q->outside[e];
        list[kept++] = e;
    }
    int elements = kept;
    if (elements == old_elements) {
        // No element was absorbed, so p was next to i itself: it comes first of the groups.
        int at = old_elements;
        while (list[at] != p) {
            ++at;
        }
        list[at] = list[old_elements];
        old_elements += 1;
    }
    // p comes first; then groups that are not in L_p
    list[elements] = p;
    kept = elements + 1;
    for (int k = old_elements; k < old_length; ++k) {
        int j = list[k];
        if (q->kind[j] == LIVE && q->mark[j] != q->stamp) {
            degree += q->weight[j];
            list[kept++] = j;
        }
    }
    q->elements[i] = elements + 1;
    q->length[i] = kept;
    int most = remaining - q->weight[i];
    q->degree[i] = degree < most ? degree : most;
}

static void start(quotient *q, const hf_block_graph *graph)
{
    int used = 0;
    for (int i = 0; i < q->n; ++i) {
        int count = graph->start[i + 1] - graph->start[i];
        memcpy(q->pool + used, graph->next + graph->start[i], (size_t)count * sizeof(int));
        q->begin[i] = used;
        q->length[i] = count;
        used += count;
        q->elements[i] = 0;
        q->kind[i] = LIVE;
        q->mark[i] = q->outside_stamp[i] = q->outside[i] = 0;
        q->degree[i] = 0;
        for (int k = graph->start[i]; k < graph->start[i + 1]; ++k) {
            q->degree[i] += graph->weight[graph->next[k]];
        }
    }
    q->pool_used = used;
    for (int i = q->n - 1; i >= 0; --i) { // equal degrees: lower numbers first
        insert(q, i);
    }
}

void hf_block_order(const hf_block_graph *graph, int *order, int *const work[HF_BLOCK_LU_WORK],
                    int *pool, int pool_size)
{
    int remaining = 0;
    for (int i = 0; i < graph->groups; ++i) {
        remaining += graph->weight[i];
    }
    // The quotient graph in the scratch memory
    quotient q = {.n = graph->groups,
                  .weight = graph->weight,
                  .pool = pool,
                  .pool_size = pool_size,
                  .begin = work[0],
                  .length = work[1],
                  .elements = work[2],
                  .kind = work[3],
                  .degree = work[4],
                  .next = work[5],
                  .before = work[6],
                  .mark = work[7],
                  .outside = work[8],
                  .outside_stamp = work[9],
                  .head = work[10],
                  .least = remaining};
    for (int d = 0; d <= remaining; ++d) {
        q.head[d] = -1;
    }
    start(&q, graph);
    // Of least degree first: it becomes an element, and its neighbours get new degrees
    for (int k = 0; k < q.n; ++k) {
        while (q.head[q.least] < 0) {
            ++q.least;
        }
        int p = q.head[q.least];
        withdraw(&q, p);
        order[k] = p;
        remaining -= q.weight[p];
        make_element(&q, p);
        measure_elements(&q, p);
        for (int m = 0; m < q.length[p]; ++m) {
            int i = q.pool[q.begin[p] + m];
            withdraw(&q, i);
            update(&q, p, i, remaining);
            insert(&q, i);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Which fronts a pattern needs: groups, order, elimination tree, supernodes.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "block_lu_internal.h"

// Fronts that follow each other are joined when the zeros this stores stay below this share.
static const double JOIN_SHARE = 0.2;

// ------------------------------------------------------------------------------------------------
// Pattern

static int find_block(const hf_block_lu *lu, int row, int column)
{
    int low = lu->start[row], high = lu->start[row + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (lu->column[middle] < column) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < lu->start[row + 1] && lu->column[low] == column ? low : -1;
}

static bool transpose(hf_block_lu *lu)
{
    for (int i = 0; i < lu->n; ++i) {
        bool diagonal = false;
        for (int k = lu->start[i]; k < lu->start[i + 1]; ++k) {
            int at = find_block(lu, lu->column[k], i);
            if (at < 0) {
                return false;
            }
            lu->transposed[k] = at;
            diagonal = diagonal || lu->column[k] == i;
        }
        if (!diagonal) {
            return false;
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Groups

static bool same_neighbours(const hf_block_lu *lu, int a, int b)
{
    int count = lu->start[a + 1] - lu->start[a];
    return count == lu->start[b + 1] - lu->start[b] &&
           memcmp(lu->column + lu->start[a], lu->column + lu->start[b],
                  (size_t)count * sizeof(int)) == 0;
}

// group[i] for every block row: its neighbours of lower number are the only candidates.
static void make_groups(hf_block_lu *lu, int *group, int *first)
{
    hf_block_graph *g = &lu->graph;
    g->groups = 0;
    // Rows with the same neighbours are one group
    for (int i = 0; i < lu->n; ++i) {
        group[i] = -1;
        for (int k = lu->start[i]; k < lu->start[i + 1] && lu->column[k] < i; ++k) {
            int j = lu->column[k];
            if (first[group[j]] == j && same_neighbours(lu, i, j)) {
                group[i] = group[j];
                ++g->weight[group[i]];
                break;
            }
        }
        if (group[i] < 0) {
            group[i] = g->groups;
            g->weight[g->groups] = 1;
            first[g->groups++] = i;
        }
    }
    // Which groups are neighbours
    int used = 0;
    for (int a = 0; a < g->groups; ++a) {
        g->start[a] = used;
        int i = first[a];
        for (int k = lu->start[i]; k < lu->start[i + 1]; ++k) {
            int j = lu->column[k];
            if (group[j] != a && first[group[j]] == j) {
                g->next[used++] = group[j];
            }
        }
    }
    g->start[g->groups] = used;
}

// ------------------------------------------------------------------------------------------------
// Elimination tree

// parent of every place, -1: a root. [Liu1990]
static void make_tree(const hf_block_graph *g, const int *order, const int *place, int *parent,
                      int *ancestor)
{
    for (int k = 0; k < g->groups; ++k) {
        parent[k] = ancestor[k] = -1;
        int a = order[k];
        for (int m = g->start[a]; m < g->start[a + 1]; ++m) {
            int i = place[g->next[m]];
            while (i >= 0 && i < k) {
                int above = ancestor[i];
                ancestor[i] = k;
                if (above < 0) {
                    parent[i] = k;
                }
                i = above;
            }
        }
    }
}

// Children before parents, each subtree together. post[k]: the place that becomes k-th.
static void make_postorder(int n, const int *parent, int *post, int *head, int *next, int *stack)
{
    // Children of each
    for (int i = 0; i < n; ++i) {
        head[i] = -1;
    }
    for (int i = n - 1; i >= 0; --i) {
        if (parent[i] >= 0) {
            next[i] = head[parent[i]];
            head[parent[i]] = i;
        }
    }
    // Depth first from each root
    int done = 0;
    for (int root = 0; root < n; ++root) {
        if (parent[root] >= 0) {
            continue;
        }
        int top = 0;
        stack[top] = root;
        while (top >= 0) {
            int i = stack[top], child = head[i];
            if (child >= 0) {
                head[i] = next[child];
                stack[++top] = child;
            } else {
                post[done++] = i;
                --top;
            }
        }
    }
}

// Rows below the diagonal of every column, by walking up the tree from every neighbour.
static void count_rows(hf_block_lu *lu, int *mark)
{
    const hf_block_graph *g = &lu->graph;
    for (int k = 0; k < g->groups; ++k) {
        lu->count[k] = lu->count_groups[k] = 0;
        mark[k] = -1;
    }
    for (int k = 0; k < g->groups; ++k) {
        int a = lu->order[k];
        mark[k] = k;
        for (int m = g->start[a]; m < g->start[a + 1]; ++m) {
            for (int i = lu->place[g->next[m]]; i < k && mark[i] != k; i = lu->parent[i]) {
                mark[i] = k;
                lu->count[i] += 3 * g->weight[a];
                ++lu->count_groups[i];
            }
        }
    }
}

static void make_order(hf_block_lu *lu)
{
    hf_block_graph *g = &lu->graph;
    int n = g->groups, *post = lu->work[0], *renamed = lu->work[1];
    hf_block_order(g, lu->order, lu->work, lu->pool, lu->pool_size);
    for (int pass = 0; pass < 2; ++pass) {
        for (int k = 0; k < n; ++k) {
            lu->place[lu->order[k]] = k;
        }
        make_tree(g, lu->order, lu->place, lu->parent, lu->work[2]);
        if (pass == 0) {
            make_postorder(n, lu->parent, post, lu->work[2], lu->work[3], lu->work[4]);
            for (int k = 0; k < n; ++k) {
                renamed[k] = lu->order[post[k]];
            }
            memcpy(lu->order, renamed, (size_t)n * sizeof *renamed);
        }
    }
    count_rows(lu, lu->work[0]);
}

// ------------------------------------------------------------------------------------------------
// Fronts

static void place_members(hf_block_lu *lu, const int *group)
{
    const hf_block_graph *g = &lu->graph;
    lu->member_start[0] = lu->offset[0] = 0;
    for (int k = 0; k < g->groups; ++k) {
        lu->member_start[k + 1] = lu->member_start[k] + g->weight[lu->order[k]];
        lu->offset[k + 1] = 3 * lu->member_start[k + 1];
        lu->work[0][k] = lu->member_start[k];
    }
    for (int i = 0; i < lu->n; ++i) {
        int k = lu->place[group[i]], at = lu->work[0][k]++;
        lu->members[at] = i;
        lu->scalar[i] = 3 * at;
    }
}

static void make_fronts(hf_block_lu *lu)
{
    int n = lu->graph.groups;
    lu->front_count = 0;
    for (int first = 0; first < n;) {
        int last = first, width = lu->offset[first + 1] - lu->offset[first];
        double zeros = 0.0;
        while (last + 1 < n && lu->parent[last] == last + 1) {
            int next = lu->offset[last + 2] - lu->offset[last + 1];
            int rows = lu->count[last + 1] + next;
            double more = zeros + 2.0 * width * (rows - lu->count[last]);
            double all = (double)(width + rows) * (width + rows) -
                         (double)lu->count[last + 1] * lu->count[last + 1];
            if (more > JOIN_SHARE * all) {
                break;
            }
            zeros = more;
            width += next;
            ++last;
        }
        lu->fronts[lu->front_count++] = (hf_block_front){.first = first,
                                                         .last = last,
                                                         .row_count = lu->count_groups[last],
                                                         .pivots = width,
                                                         .others = lu->count[last]};
        first = last + 1;
    }
}

static void count_children(hf_block_lu *lu, int *front_of)
{
    for (int f = 0; f < lu->front_count; ++f) {
        for (int k = lu->fronts[f].first; k <= lu->fronts[f].last; ++k) {
            front_of[k] = f;
        }
    }
    for (int f = 0; f < lu->front_count; ++f) {
        int parent = lu->parent[lu->fronts[f].last];
        lu->fronts[f].parent = parent < 0 ? -1 : front_of[parent];
        if (parent >= 0) {
            ++lu->fronts[front_of[parent]].children;
        }
    }
}

// Sizes of everything that depends on the fill. Fronts are in postorder: a front's children are
// the last ones that left a remainder on the stack.
static void measure(hf_block_lu *lu)
{
    int *left = lu->work[1], left_count = 0;
    size_t stack = 0;
    lu->rows_needed = lu->factor_needed = lu->stack_needed = lu->front_needed = 0;
    lu->size = (hf_block_lu_size){.groups = lu->graph.groups, .fronts = lu->front_count};
    for (int f = 0; f < lu->front_count; ++f) {
        hf_block_front *front = &lu->fronts[f];
        size_t p = (size_t)front->pivots, m = (size_t)front->others, all = (p + m) * (p + m);
        // Places of its rows and factors
        front->rows = (int)lu->rows_needed;
        front->factor = lu->factor_needed;
        lu->rows_needed += (size_t)front->row_count;
        lu->factor_needed += p * (p + 2 * m);
        // The stack of what fronts leave
        for (int c = 0; c < front->children; ++c) {
            size_t others = (size_t)lu->fronts[left[--left_count]].others;
            stack -= others * others;
        }
        if (front->parent >= 0) {
            stack += m * m;
            left[left_count++] = f;
        }
        lu->stack_needed = stack > lu->stack_needed ? stack : lu->stack_needed;
        lu->front_needed = all > lu->front_needed ? all : lu->front_needed;
        // Work, for those who choose between methods
        double d = (double)front->pivots, e = (double)front->others;
        lu->size.factor_work += d * d * d / 3.0 + d * d * e + d * e * e;
        if (front->pivots + front->others > lu->size.largest_front) {
            lu->size.largest_front = front->pivots + front->others;
        }
    }
    lu->size.factor_size = (double)lu->factor_needed;
}

// A quarter more than needed, for patterns that change a little; and one item more: there is memory
// even where nothing is needed.
static bool resize(const hf_allocator *allocator, void **items, size_t *capacity, size_t needed,
                   size_t size, bool grow)
{
    if (needed < *capacity) {
        return true;
    }
    if (!grow || needed >= SIZE_MAX / 4 / size) {
        return false;
    }
    needed += needed / 4;
    void *fresh = hf_memory_take(allocator, (needed + 1) * size);
    if (fresh == NULL) {
        return false;
    }
    hf_memory_give(allocator, *items);
    *items = fresh;
    *capacity = needed + 1;
    return true;
}

// Shell's sort: libc's may allocate.
static void sort(int *items, int count)
{
    static const int gaps[] = {701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; ++g) {
        int gap = gaps[g];
        for (int i = gap; i < count; ++i) {
            int item = items[i], at = i;
            for (; at >= gap && items[at - gap] > item; at -= gap) {
                items[at] = items[at - gap];
            }
            items[at] = item;
        }
    }
}

// The groups behind each front's pivots: neighbours of its pivots, and its children's rows.
static void fill_rows(hf_block_lu *lu, int *mark)
{
    const hf_block_graph *g = &lu->graph;
    int *left = lu->work[1], left_count = 0;
    for (int k = 0; k < g->groups; ++k) {
        mark[k] = -1;
    }
    for (int f = 0; f < lu->front_count; ++f) {
        hf_block_front *front = &lu->fronts[f];
        int *rows = lu->rows + front->rows, count = 0;
        // Neighbours of its pivots
        for (int k = front->first; k <= front->last; ++k) {
            int a = lu->order[k];
            for (int m = g->start[a]; m < g->start[a + 1]; ++m) {
                int i = lu->place[g->next[m]];
                if (i > front->last && mark[i] != f) {
                    mark[i] = f;
                    rows[count++] = i;
                }
            }
        }
        // and what its children left
        for (int c = 0; c < front->children; ++c) {
            const hf_block_front *child = &lu->fronts[left[--left_count]];
            for (int m = 0; m < child->row_count; ++m) {
                int i = lu->rows[child->rows + m];
                if (i > front->last && mark[i] != f) {
                    mark[i] = f;
                    rows[count++] = i;
                }
            }
        }
        HF_ASSERT(count == front->row_count);
        sort(rows, count);
        if (front->parent >= 0) {
            left[left_count++] = f;
        }
    }
}

static bool same_pattern(const hf_block_lu *lu, const hf_block_pattern *pattern)
{
    return lu->n == pattern->n && pattern->start[pattern->n] == lu->start[lu->n] &&
           memcmp(lu->start, pattern->start, (size_t)(lu->n + 1) * sizeof(int)) == 0 &&
           memcmp(lu->column, pattern->column, (size_t)lu->start[lu->n] * sizeof(int)) == 0;
}

hf_status hf_block_lu_plan(hf_block_lu *lu, const hf_block_pattern *pattern, bool grow)
{
    // It must fit
    if (pattern->n > lu->most_rows || pattern->start[pattern->n] > lu->most_blocks) {
        return HF_ERROR_RANGE;
    }
    // Another pattern: groups, their order, fronts and sizes
    if (!same_pattern(lu, pattern)) {
        lu->n = pattern->n;
        memcpy(lu->start, pattern->start, (size_t)(lu->n + 1) * sizeof(int));
        memcpy(lu->column, pattern->column, (size_t)lu->start[lu->n] * sizeof(int));
        if (!transpose(lu)) {
            lu->n = -1;
            return HF_ERROR_INPUT;
        }
        make_groups(lu, lu->group, lu->work[0]);
        make_order(lu);
        place_members(lu, lu->group);
        make_fronts(lu);
        count_children(lu, lu->work[0]);
        measure(lu);
        lu->planned = false;
    }
    // Memory for the fill
    if (!lu->planned) {
        if (!resize(&lu->arena.allocator, (void **)&lu->rows, &lu->rows_capacity, lu->rows_needed,
                    sizeof(int), grow) ||
            !resize(&lu->arena.allocator, (void **)&lu->factor, &lu->factor_capacity,
                    lu->factor_needed, sizeof(double), grow) ||
            !resize(&lu->arena.allocator, (void **)&lu->stack, &lu->stack_capacity,
                    lu->stack_needed, sizeof(double), grow) ||
            !resize(&lu->arena.allocator, (void **)&lu->front, &lu->front_capacity,
                    lu->front_needed, sizeof(double), grow)) {
            return HF_ERROR_MEMORY;
        }
        fill_rows(lu, lu->work[0]);
        lu->planned = true;
    }
    return HF_OK;
}

hf_block_lu_size hf_block_lu_plan_size(const hf_block_lu *lu)
{
    return lu->size;
}

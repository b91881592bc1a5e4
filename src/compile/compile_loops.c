// SPDX-License-Identifier: Apache-2.0
// Loops: their order, and the clusters of bodies that they join.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sets.h"
#include "compile/model_data.h"

static int by_cluster_and_name(const void *a, const void *b)
{
    const hf_loop_place *x = a, *y = b;
    return x->cluster != y->cluster ? (x->cluster < y->cluster ? -1 : 1)
                                    : hf_name_compare(x->name, y->name);
}

// The mover that a body belongs to; -1: it does not move.
static int mover_of_body(const hf_model *model, hf_body body)
{
    return body.id == 0 ? -1 : model->bodies[body.id - 1].mover;
}

// The index of a driven body; -1: it is another.
static int driven_of(const hf_model *model, hf_body body)
{
    return body.id > 0 && model->bodies[body.id - 1].ops->drive != NULL ? body.id - 1 : -1;
}

static hf_loop_end end_of(const hf_model *model, const hf_frame *frame)
{
    int mover = mover_of_body(model, frame->body);
    const hf_body_place *place = mover < 0 ? NULL : &model->bodies[frame->body.id - 1];
    return (hf_loop_end){.mover = mover,
                         .body = driven_of(model, frame->body),
                         .driver = -1,
                         .pose = frame->body.id == 0 ? 0 : model->bodies[frame->body.id - 1].pose,
                         .link = place == NULL ? -1 : place->link};
}

static void fill_loop(hf_model *model, const hf_loop_def *def, int id, hf_loop_place *loop)
{
    *loop = (hf_loop_place){.name = hf_arena_string(&model->arena, def->name),
                            .id = id,
                            .on_frame = def->on_frame,
                            .to_frame = def->to_frame,
                            .joint = {.type = def->type,
                                      .on_point = def->on_frame.point,
                                      .to_point = def->to_frame.point,
                                      .on_turn = hf_quat_rotation(def->on_frame.turn),
                                      .to_turn = hf_quat_rotation(def->to_frame.turn),
                                      .length = def->length},
                            .on = end_of(model, &def->on_frame),
                            .to = end_of(model, &def->to_frame),
                            .rows = hf_loop_rows_of(def->type)};
}

// The summands of a ratio.
static hf_status fill_terms(hf_model *model, const hf_loop_def *def, hf_loop_place *loop,
                            hf_error *error)
{
    hf_loop_sum_term *terms;
    HF_ALLOC(terms, def->term_count);
    loop->turns = true;
    for (int i = 0; i < def->term_count; ++i) {
        const hf_loop_term *from = &def->terms[i];
        hf_coordinate c = from->coordinate;
        const hf_body_place *body = &model->bodies[c.body.id - 1];
        terms[i] = (hf_loop_sum_term){.mover = body->mover,
                                      .place = -1,
                                      .body = driven_of(model, c.body),
                                      .driver = -1,
                                      .q = from->spin ? -1 : body->q + c.axis,
                                      .v = from->spin ? -1 : body->v + c.axis,
                                      .reference = from->reference,
                                      .pose = from->spin ? body->pose : -1,
                                      .axis = {c.axis == 0, c.axis == 1, c.axis == 2},
                                      .coordinate = c};
        memcpy(terms[i].p, from->coefficients, sizeof terms[i].p);
        loop->turns = loop->turns && (from->spin || hf_place_turns(body, c.axis));
        loop->rates = loop->rates || from->spin;
    }
    loop->terms = terms;
    loop->term_count = def->term_count;
    loop->value = def->value;
    for (int i = 0; i < def->term_count && def->from_start; ++i) {
        double p[3] = {0.0};
        if (terms[i].q >= 0) {
            hf_loop_polynomial(terms[i].p, model->initial[terms[i].q] - terms[i].reference, p);
        }
        loop->value = i == 0 ? p[0] : loop->value + p[0];
    }
    loop->on_frame.body = def->terms[0].coordinate.body;
    loop->to_frame.body = def->term_count > 1 ? def->terms[1].coordinate.body : (hf_body){0};
    return HF_OK;
}

// One of the movers that a loop acts on; -1: none of its bodies moves.
static int first_mover(const hf_loop_place *loop)
{
    for (int k = 0; k < loop->term_count; ++k) {
        if (loop->terms[k].mover >= 0) {
            return loop->terms[k].mover;
        }
    }
    return loop->term_count > 0 ? -1 : loop->on.mover >= 0 ? loop->on.mover : loop->to.mover;
}

// Movers that loops join get the number of their cluster; the others -1.
static void number_clusters(hf_model *model, int *parent, int *clusters, hf_loop_place *loops)
{
    int movers = model->mover_count;
    hf_sets_clear(parent, movers);
    for (int i = 0; i < movers; ++i) {
        clusters[i] = -1;
    }
    for (int i = 0; i < model->loop_count; ++i) {
        int on = loops[i].on.mover, to = loops[i].to.mover;
        if (on >= 0 && to >= 0) {
            hf_sets_join(parent, on, to);
        }
        for (int k = 0; k < loops[i].term_count; ++k) {
            if (loops[i].terms[k].mover >= 0) {
                hf_sets_join(parent, first_mover(&loops[i]), loops[i].terms[k].mover);
            }
        }
    }
    for (int i = 0; i < model->loop_count; ++i) {
        clusters[hf_sets_root(parent, first_mover(&loops[i]))] = 0;
    }
    for (int i = 0; i < movers; ++i) { // a root is the first of its cluster
        int root = hf_sets_root(parent, i);
        clusters[i] = root == i && clusters[i] >= 0 ? model->cluster_count++ : clusters[root];
    }
}

static hf_cluster_mover mover_place(const hf_model *model, int number, int column)
{
    const hf_mover *mover = &model->movers[number];
    return (hf_cluster_mover){.mover = number,
                              .q = mover->q,
                              .nq = mover->nq,
                              .v = mover->v,
                              .nv = mover->nv,
                              .column = column};
}

// The number of a driven body in its cluster, which gets it if it is new; -1: it is none.
static int driver_of(hf_model *model, hf_cluster *cluster, int body, hf_cluster_driver *drivers)
{
    if (body < 0) {
        return -1;
    }
    int end = cluster->first_driver + cluster->driver_count;
    for (int i = cluster->first_driver; i < end; ++i) {
        if (drivers[i].body == body) {
            return i;
        }
    }
    const hf_body_place *place = &model->bodies[body];
    drivers[end] = (hf_cluster_driver){.body = body,
                                       .q = place->q,
                                       .nq = place->nq,
                                       .v = place->v,
                                       .nv = place->nv,
                                       .column = cluster->columns};
    cluster->columns += place->nv;
    cluster->coordinates += place->nq;
    cluster->driver_count += 1;
    model->cluster_driver_count += 1;
    return end;
}

// The driven bodies of a cluster's loops.
static void add_drivers(hf_model *model, hf_cluster *cluster, hf_loop_place *loops,
                        hf_cluster_driver *drivers)
{
    cluster->first_driver = model->cluster_driver_count;
    cluster->free_columns = cluster->columns;
    for (int i = cluster->first_loop; i < cluster->first_loop + cluster->loop_count; ++i) {
        loops[i].on.driver = driver_of(model, cluster, loops[i].on.body, drivers);
        loops[i].to.driver = driver_of(model, cluster, loops[i].to.body, drivers);
        for (int k = 0; k < loops[i].term_count; ++k) {
            hf_loop_sum_term *term = (hf_loop_sum_term *)&loops[i].terms[k];
            term->driver = driver_of(model, cluster, term->body, drivers);
        }
    }
}

// Most driven bodies in clusters: each end and each summand may be one.
static size_t most_drivers(const hf_model *model, const hf_loop_place *loops)
{
    size_t count = 0;
    for (int i = 0; i < model->loop_count; ++i) {
        count += 2 + (size_t)loops[i].term_count;
    }
    return count;
}

static hf_status fill_clusters(hf_model *model, const int *clusters, hf_loop_place *loops,
                               hf_error *error)
{
    hf_cluster *list;
    hf_cluster_mover *movers;
    hf_cluster_driver *drivers;
    int used = 0;
    HF_ALLOC(list, model->cluster_count);
    HF_ALLOC(drivers, most_drivers(model, loops));
    HF_ALLOC(movers, model->mover_count);
    for (int c = 0, first = 0; c < model->cluster_count; ++c) {
        hf_cluster *cluster = &list[c];
        *cluster =
            (hf_cluster){.first_loop = first, .first_mover = used, .row = model->loop_row_count};
        // Rows of its loops
        for (; first < model->loop_count && loops[first].cluster == c; ++first) {
            loops[first].row = model->loop_row_count;
            model->loop_row_count += loops[first].rows;
            cluster->loop_count += 1;
            cluster->rows += loops[first].rows;
        }
        // Columns of its movers
        for (int i = 0; i < model->mover_count; ++i) {
            if (clusters[i] != c) {
                continue;
            }
            movers[used] = mover_place(model, i, cluster->columns);
            cluster->columns += movers[used].nv;
            cluster->coordinates += movers[used].nq;
            cluster->mover_count += 1;
            used += 1;
        }
        add_drivers(model, cluster, loops, drivers);
        model->largest_cluster =
            cluster->columns > model->largest_cluster ? cluster->columns : model->largest_cluster;
    }
    model->clusters = list;
    model->cluster_movers = movers;
    model->cluster_drivers = drivers;
    return HF_OK;
}

// Where a cluster has a mover, in cluster_movers; -1: it does not move.
static int place_of(const hf_model *model, const hf_cluster *cluster, int mover)
{
    int place = -1;
    for (int u = 0; u < cluster->mover_count && mover >= 0; ++u) {
        if (model->cluster_movers[cluster->first_mover + u].mover == mover) {
            place = cluster->first_mover + u;
        }
    }
    return place;
}

// The columns of each end's mover, or of each summand, in its cluster.
static void find_columns(const hf_model *model, hf_loop_place *loops)
{
    for (int i = 0; i < model->loop_count; ++i) {
        const hf_cluster *cluster = &model->clusters[loops[i].cluster];
        loops[i].on.place = place_of(model, cluster, loops[i].on.mover);
        loops[i].to.place = place_of(model, cluster, loops[i].to.mover);
        for (int k = 0; k < loops[i].term_count; ++k) {
            hf_loop_sum_term *term = (hf_loop_sum_term *)&loops[i].terms[k];
            term->place = place_of(model, cluster, term->mover);
            term->column = -1;
            if (term->v >= 0 && term->place >= 0) {
                const hf_cluster_mover *mover = &model->cluster_movers[term->place];
                term->column = mover->column + term->v - mover->v;
            } else if (term->v >= 0 && term->driver >= 0) {
                const hf_cluster_driver *driver = &model->cluster_drivers[term->driver];
                term->column = driver->column + term->v - driver->v;
            }
        }
    }
}

hf_status hf_compile_loops(hf_model *model, const hf_spec *spec, hf_error *error)
{
    if (spec->loop_count == 0) {
        return HF_OK;
    }
    hf_loop_place *loops;
    int *parent, *clusters, *order;
    HF_ALLOC(loops, spec->loop_count);
    HF_ALLOC(order, spec->loop_count);
    HF_ALLOC(parent, model->mover_count);
    HF_ALLOC(clusters, model->mover_count);
    model->loop_count = (int)spec->loop_count;
    // Each loop by itself
    for (int i = 0; i < model->loop_count; ++i) {
        fill_loop(model, &spec->loops[i], i, &loops[i]);
        if (loops[i].name == NULL) {
            return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        }
        if (spec->loops[i].type == HF_LOOP_RATIO) {
            HF_TRY(fill_terms(model, &spec->loops[i], &loops[i], error));
        }
        if (first_mover(&loops[i]) < 0) {
            return hf_error_at(error, HF_ERROR_INPUT, hf_at("loop", loops[i].name),
                               "neither of its bodies moves");
        }
    }
    HF_TRY(hf_check_ratios(model, spec, loops, error));
    // Clusters, and the loops in their order
    number_clusters(model, parent, clusters, loops);
    for (int i = 0; i < model->loop_count; ++i) {
        loops[i].cluster = clusters[first_mover(&loops[i])];
    }
    qsort(loops, spec->loop_count, sizeof *loops, by_cluster_and_name);
    for (int i = 0; i < model->loop_count; ++i) {
        order[loops[i].id] = i;
    }
    // Rows and columns
    HF_TRY(fill_clusters(model, clusters, loops, error));
    find_columns(model, loops);
    model->loops = loops;
    model->loop_order = order;
    model->mover_clusters = clusters;
    return HF_OK;
}

// SPDX-License-Identifier: Apache-2.0
// Contacts are sorted by island, and so are the bodies: each island is a stretch of the same
// arrays. What two islands have in common is the map H' alone, which is only read.
#include "fc3d_islands.h"

#include <string.h>

#include "base/carve.h"
#include "base/error.h"
#include "base/sets.h"
#include "base/team.h"

typedef struct island {
    int contact, contact_count; // a stretch of the sorted contacts,
    int body, body_count;       // of the sorted bodies,
    int follower, follower_count;
    hf_fc3d_info info;
    hf_status status;
    hf_error error;
} island;

struct hf_fc3d_islands {
    hf_allocator allocator;
    hf_team *team;
    hf_fc3d_solver **solvers; // one for each thread
    int solver_count;
    // For problems of up to so many contacts and bodies, in one block, which begins with `islands`
    size_t contacts, bodies;
    island *islands; // [contacts]
    int count;
    int *root;  // [bodies + contacts] of hf_sets: bodies, then contacts without any
    int *name;  // [bodies + contacts] the island of a root
    int *local; // [bodies] a body's number within its island
    int *order; // [contacts] the contacts by island
    int *back;  // [contacts] a contact's place in it
    double *q, *r, *u, *idle, *mu;
    int *pair;
    size_t *place;
    int *first; // [bodies + contacts] freedoms, one more than bodies for each island
    hf_fc3d_follower *followers;
    // Of the present problem
    const hf_fc3d_problem *problem;
};

static void lay_out(hf_fc3d_islands *x, hf_carver *c, size_t contacts, size_t bodies)
{
    x->islands = hf_carve(c, contacts, sizeof *x->islands);
    x->root = hf_carve(c, contacts + bodies, sizeof *x->root);
    x->name = hf_carve(c, contacts + bodies, sizeof *x->name);
    x->local = hf_carve(c, bodies, sizeof *x->local);
    x->order = hf_carve(c, contacts, sizeof *x->order);
    x->back = hf_carve(c, contacts, sizeof *x->back);
    double **by_row[] = {&x->q, &x->r, &x->u, &x->idle};
    for (size_t i = 0; i < sizeof by_row / sizeof *by_row; ++i) {
        *by_row[i] = hf_carve_matrix(c, 3, contacts, sizeof(double));
    }
    x->mu = hf_carve(c, contacts, sizeof *x->mu);
    x->pair = hf_carve_matrix(c, 2, contacts, sizeof *x->pair);
    x->place = hf_carve_matrix(c, 2, contacts, sizeof *x->place);
    x->first = hf_carve(c, contacts + bodies, sizeof *x->first);
    x->followers = hf_carve(c, contacts, sizeof *x->followers);
}

static hf_status reserve(hf_fc3d_islands *x, const hf_fc3d_problem *p, hf_error *error)
{
    size_t contacts = (size_t)p->contacts, bodies = (size_t)p->bodies->count;
    if (contacts <= x->contacts && bodies <= x->bodies) {
        return HF_OK;
    }
    contacts = contacts > x->contacts ? 2 * contacts : x->contacts;
    bodies = bodies > x->bodies ? bodies : x->bodies;
    hf_carver counter = {0};
    hf_fc3d_islands counted;
    lay_out(&counted, &counter, contacts, bodies);
    void *block =
        counter.overflow ? NULL : x->allocator.allocate(x->allocator.context, counter.used);
    if (block == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for %d contacts", p->contacts);
    }
    if (x->islands != NULL) {
        x->allocator.release(x->allocator.context, x->islands);
    }
    lay_out(x, &(hf_carver){.base = block}, contacts, bodies);
    x->contacts = contacts;
    x->bodies = bodies;
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Taking apart

// The set that a contact is in: of a body, or of its own number behind the bodies.
static int set_of(const hf_fc3d_problem *p, int contact)
{
    const int *pair = p->bodies->pair + 2 * contact;
    return pair[0] >= 0 ? pair[0] : pair[1] >= 0 ? pair[1] : p->bodies->count + contact;
}

static void join(hf_fc3d_islands *x, const hf_fc3d_solver *like)
{
    const hf_fc3d_problem *p = x->problem;
    hf_sets_clear(x->root, p->bodies->count + p->contacts);
    for (int i = 0; i < p->contacts; ++i) {
        const int *pair = p->bodies->pair + 2 * i;
        if (pair[0] >= 0 && pair[1] >= 0) {
            hf_sets_join(x->root, pair[0], pair[1]);
        }
    }
    for (int i = 0; i < like->follower_count; ++i) {
        const hf_fc3d_follower *f = &like->followers[i];
        hf_sets_join(x->root, set_of(p, f->contact), set_of(p, f->owner));
    }
}

// Islands in the order of their first contacts; how many contacts and bodies each has.
static void name_islands(hf_fc3d_islands *x)
{
    const hf_fc3d_problem *p = x->problem;
    x->count = 0;
    for (int i = 0; i < p->bodies->count + p->contacts; ++i) {
        x->name[i] = -1;
    }
    for (int i = 0; i < p->contacts; ++i) {
        int *name = &x->name[hf_sets_root(x->root, set_of(p, i))];
        if (*name < 0) {
            *name = x->count;
            x->islands[x->count++] = (island){0};
        }
        x->islands[*name].contact_count += 1;
    }
    for (int i = 0; i < p->bodies->count; ++i) {
        int name = x->name[hf_sets_root(x->root, i)];
        if (name >= 0) { // else it touches nothing
            x->local[i] = x->islands[name].body_count++;
        }
    }
    // Stretches one after another; `first` has one more number for each island
    int contact = 0, body = 0;
    for (int i = 0; i < x->count; ++i) {
        island *now = &x->islands[i];
        now->contact = contact;
        now->body = body;
        contact += now->contact_count;
        body += now->body_count + 1;
        now->contact_count = 0; // counted again as they are put in
    }
}

// Freedoms of bodies, from zero in each island.
static void put_bodies(hf_fc3d_islands *x)
{
    const hf_fc3d_bodies *b = x->problem->bodies;
    for (int i = 0; i < x->count; ++i) {
        x->first[x->islands[i].body] = 0;
    }
    for (int i = 0; i < b->count; ++i) {
        int name = x->name[hf_sets_root(x->root, i)];
        if (name >= 0) {
            int *first = x->first + x->islands[name].body + x->local[i];
            first[1] = first[0] + b->first[i + 1] - b->first[i];
        }
    }
}

static void put_contacts(hf_fc3d_islands *x, const double *r)
{
    const hf_fc3d_problem *p = x->problem;
    const hf_fc3d_bodies *b = p->bodies;
    for (int i = 0; i < p->contacts; ++i) {
        island *in = &x->islands[x->name[hf_sets_root(x->root, set_of(p, i))]];
        int at = in->contact + in->contact_count++;
        x->order[at] = i;
        x->back[i] = at;
        x->mu[at] = p->mu[i];
        for (int k = 0; k < 3; ++k) {
            x->q[3 * at + k] = p->q[3 * i + k];
            x->r[3 * at + k] = r[3 * i + k];
            x->idle[3 * at + k] = b->idle == NULL ? 0.0 : b->idle[3 * i + k];
        }
        for (int k = 0; k < 2; ++k) {
            int body = b->pair[2 * i + k];
            x->pair[2 * at + k] = body < 0 ? -1 : x->local[body];
            x->place[2 * at + k] = b->place[2 * i + k];
        }
    }
}

// Followers, which come in the order of contacts, with numbers within their islands.
static void put_followers(hf_fc3d_islands *x, const hf_fc3d_solver *like)
{
    const hf_fc3d_problem *p = x->problem;
    int total = 0;
    for (int i = 0; i < like->follower_count; ++i) {
        int contact = like->followers[i].contact;
        x->islands[x->name[hf_sets_root(x->root, set_of(p, contact))]].follower_count += 1;
    }
    for (int i = 0; i < x->count; ++i) {
        x->islands[i].follower = total;
        total += x->islands[i].follower_count;
        x->islands[i].follower_count = 0;
    }
    for (int i = 0; i < like->follower_count; ++i) {
        hf_fc3d_follower f = like->followers[i];
        island *in = &x->islands[x->name[hf_sets_root(x->root, set_of(p, f.contact))]];
        f.contact = x->back[f.contact] - in->contact;
        f.owner = x->back[f.owner] - in->contact;
        x->followers[in->follower + in->follower_count++] = f;
    }
}

// ------------------------------------------------------------------------------------------------
// Solution

static hf_fc3d_bodies bodies_of(const hf_fc3d_islands *x, const island *in)
{
    return (hf_fc3d_bodies){.count = in->body_count,
                            .first = x->first + in->body,
                            .pair = x->pair + 2 * in->contact,
                            .map = x->problem->bodies->map,
                            .place = x->place + 2 * in->contact,
                            .idle = x->idle + 3 * in->contact};
}

static hf_fc3d_problem problem_of(const hf_fc3d_islands *x, const island *in,
                                  const hf_fc3d_bodies *bodies)
{
    return (hf_fc3d_problem){.contacts = in->contact_count,
                             .q = x->q + 3 * in->contact,
                             .mu = x->mu + in->contact,
                             .bodies = bodies};
}

static void solve_one(void *context, int worker, int index)
{
    hf_fc3d_islands *x = context;
    island *in = &x->islands[index];
    if (in->status != HF_ERROR_RANGE) { // solved in an earlier round
        return;
    }
    hf_fc3d_solver *solver = x->solvers[worker];
    hf_fc3d_bodies bodies = bodies_of(x, in);
    hf_fc3d_problem problem = problem_of(x, in, &bodies);
    solver->followers = x->followers + in->follower;
    solver->follower_count = in->follower_count;
    solver->followed_q = x->q + 3 * in->contact;
    in->status = hf_fc3d_solve(solver, &problem, x->r + 3 * in->contact, x->u + 3 * in->contact,
                               &in->info, &in->error);
    // What followers changed is as it was, so that the next round begins as this one did
    for (int i = 0; in->status == HF_ERROR_RANGE && i < 3 * in->contact_count; ++i) {
        int at = in->contact + i / 3;
        x->q[3 * in->contact + i] = x->problem->q[3 * x->order[at] + i % 3];
    }
}

// Room in every solver for the islands that had too little.
static hf_status make_room(hf_fc3d_islands *x, bool *needed, hf_error *error)
{
    *needed = false;
    for (int i = 0; i < x->count; ++i) {
        const island *in = &x->islands[i];
        if (in->status != HF_ERROR_RANGE) {
            continue;
        }
        hf_fc3d_bodies bodies = bodies_of(x, in);
        hf_fc3d_problem problem = problem_of(x, in, &bodies);
        for (int k = 0; k < x->solver_count; ++k) {
            HF_TRY(hf_fc3d_solver_reserve(x->solvers[k], &problem, error));
        }
        *needed = true;
    }
    return HF_OK;
}

// What all islands came to. The worst failure is that of the whole.
static hf_status gather(hf_fc3d_islands *x, const hf_fc3d_solver *like, double *r, double *u,
                        hf_fc3d_info *info, hf_error *error)
{
    // The worst residual, the longest solution, the sums of the rest
    const island *failed = NULL;
    *info = (hf_fc3d_info){0};
    for (int i = 0; i < x->count; ++i) {
        const island *in = &x->islands[i];
        if (i == 0 || in->info.iterations > info->iterations) {
            info->method = in->info.method;
            info->iterations = in->info.iterations;
        }
        for (int k = 0; k < HF_FC3D_METHOD_COUNT; ++k) {
            info->of_method[k] += in->info.of_method[k];
        }
        info->factorizations += in->info.factorizations;
        info->residual = fmax(info->residual, in->info.residual);
        info->natural = fmax(info->natural, in->info.natural);
        info->scaled = fmax(info->scaled, in->info.scaled);
        info->open += in->info.open;
        info->sticking += in->info.sticking;
        info->sliding += in->info.sliding;
        bool worse = failed == NULL || failed->status == HF_ERROR_CONVERGENCE;
        failed = in->status != HF_OK && worse ? in : failed;
    }
    // Numbers back to where their contacts are
    for (int i = 0; i < x->problem->contacts; ++i) {
        memcpy(r + 3 * i, x->r + 3 * x->back[i], 3 * sizeof *r);
        memcpy(u + 3 * i, x->u + 3 * x->back[i], 3 * sizeof *u);
    }
    for (int i = 0; i < like->follower_count; ++i) {
        int contact = like->followers[i].contact;
        like->followed_q[3 * contact] = x->q[3 * x->back[contact]];
    }
    if (failed != NULL && error != NULL) {
        *error = failed->error;
    }
    return failed == NULL ? HF_OK : failed->status;
}

hf_status hf_fc3d_islands_solve(hf_fc3d_islands *x, const hf_fc3d_solver *like,
                                const hf_fc3d_problem *problem, double *r, double *u,
                                hf_fc3d_info *info, hf_error *error)
{
    bool again = true;
    HF_TRY(reserve(x, problem, error));
    x->problem = problem;
    join(x, like);
    name_islands(x);
    put_bodies(x);
    put_contacts(x, r);
    put_followers(x, like);
    // All begin as those that had no room; rounds go on until all had some
    for (int i = 0; i < x->count; ++i) {
        x->islands[i].status = HF_ERROR_RANGE;
    }
    for (int i = 0; i < x->solver_count; ++i) {
        hf_allocator own = x->solvers[i]->def.allocator;
        x->solvers[i]->def = like->def;
        x->solvers[i]->brief = like->brief;
        x->solvers[i]->mix.calm = like->mix.calm;
        x->solvers[i]->def.allocator = own;
    }
    while (again) {
        hf_team_run(x->team, x->count, solve_one, x);
        HF_TRY(make_room(x, &again, error));
    }
    return gather(x, like, r, u, info, error);
}

int hf_fc3d_islands_count(const hf_fc3d_islands *islands)
{
    return islands->count;
}

// ------------------------------------------------------------------------------------------------

hf_fc3d_islands *hf_fc3d_islands_create(const hf_fc3d_def *def, int threads,
                                        const hf_fc3d_problem *small, hf_error *error)
{
    const hf_allocator *allocator = &def->allocator;
    hf_fc3d_islands *x = allocator->allocate(allocator->context, sizeof *x);
    if (x == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    *x = (hf_fc3d_islands){.allocator = *allocator};
    x->team = hf_team_create(allocator, threads);
    size_t size = x->team == NULL ? 0 : (size_t)hf_team_size(x->team);
    x->solvers =
        size == 0 ? NULL : allocator->allocate(allocator->context, size * sizeof *x->solvers);
    bool good = x->solvers != NULL;
    while (good && x->solver_count < (int)size) {
        x->solvers[x->solver_count] = hf_fc3d_solver_create(def, small, error);
        good = x->solvers[x->solver_count] != NULL;
        x->solver_count += good ? 1 : 0;
    }
    if (!good) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory for %d threads", threads);
        hf_fc3d_islands_destroy(x);
        return NULL;
    }
    return x;
}

void hf_fc3d_islands_destroy(hf_fc3d_islands *x)
{
    if (x == NULL) {
        return;
    }
    hf_team_destroy(x->team);
    for (int i = 0; i < x->solver_count; ++i) {
        hf_fc3d_solver_destroy(x->solvers[i]);
    }
    hf_allocator allocator = x->allocator;
    if (x->solvers != NULL) {
        allocator.release(allocator.context, x->solvers);
    }
    if (x->islands != NULL) {
        allocator.release(allocator.context, x->islands);
    }
    allocator.release(allocator.context, x);
}

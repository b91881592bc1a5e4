// SPDX-License-Identifier: Apache-2.0
// Which method solves a problem, and what comes when it does not.
//
// First what is cheap: sweeps, Newton's method, interior points, each from where the best so far
// has led. Then what is stubborn. A point that is best among its neighbours, and solves nothing,
// stops them all when all begin there; so at last methods take turns of growing budget, from zero
// and from other reactions of their own. Each has the budget that it has alone once, as if it had
// been chosen: what any of them solves is solved.
#include <stdint.h>
#include <string.h>

#include "fc3d_internal.h"

enum {
    GAUSS_SEIDEL_MOST = 10000,
    NEWTON_MOST = 200,
    NEWTON_FIRST = 20, // steps and failures before something else is tried
    FAILURES_FIRST = 1,
    NEWTON_MORE = 60,
    FAILURES_MORE = 10,
    NEWTON_HEAVY = 300,
    INTERIOR_MOST = 200,
    PROXIMAL_MOST = 1000,
    PROXIMAL_BRIEF = 100,
    CONTINUATION_MOST = 4000,
    ADMM_MOST = 10000,
    LEMKE_MOST = 100000,
    FEW = 64,          // contacts
    PATH_MOST = 150,   // of problems whose path is followed whatever their friction
    SWEEPS_FIRST = 20, // of few contacts; more of many, whose matrices take time to plan
    SWEEPS_MANY = 100,
    NEWTON_STEPS = 8, // that a solution takes, for choosing
    TURNS = 24,
    STEPS_LEAST = 20 // of a method's turn, however long each takes
};

// Newton's method comes early where a solution takes less than so many sweeps.
static const double HANDY = 150.0;
static const double DEAR = 1000.0; // sweeps for a solution by Newton's method
// Before Newton's method is tried sweeping goes on while it promises to take less than this share
// of Newton's time, by a look every so many sweeps.
static const double CHEAP = 0.5;
enum { LOOK = 20 };
// In steps of a simulation of rigid bodies, that begin near a solution: after so many sweeps, more
// for as long as takes this share of the time of proximal points, which take about so many steps of
// Newton's method. Contacts whose normal and tangents do not couple (of spheres) are less
// redundant, and sweeps solve them more often.
enum { SWEEPS_NEAR = 20, NEAR_STEPS = 25, NEAR_MOST = 300 };
static const double SHARE_ALIKE = 0.8, SHARE_OTHER = 0.15;
// [ns] of a contact's turn, of a step for each contact, and for each multiplication
static const double TURN_ALIKE = 30.0, TURN_OTHER = 60.0, STEP_CONTACT = 200.0, STEP_WORK = 0.1;
// Later it goes on as long as the best residual halves within sweeps that take this many times
// Newton's time, or, of many contacts, within so many sweeps: in moving heaps nothing falls for
// hundreds of sweeps, until one contact opens or begins to slide, and all other methods take
// longer. Twice as many where bounds follow loads, which no other method lets them do.
static const double PATIENCE = 6.0, HALF = 0.5;
enum { LOOK_LATER = 50, PATIENT_SWEEPS = 800, PATIENT_MOST = 4000 };
// Turns: of each method the first takes this long, each of the following somewhat longer, until
// all together would take longer than that [ns, as the costs below are].
static const double TURN_FIRST = 1e9, TURN_GROWTH = 1.25, TURNS_LAST = 12e9;
static const double EVEN_SIZE = 0.1; // of reactions to begin with, in units of rho |q|
// The same for the anchors of paths.
static const double ANCHOR_SIZE = 10.0;

// Who has a turn: for how many steps at first, and with which weight, of a path: the mean one times
// the ratio of the largest to it, to the power of so many eighths. OWN: each contact has its own.
typedef enum turn_kind { TURN_EVEN, TURN_PATH, TURN_PROXIMAL, TURN_NEWTON } turn_kind;
enum { OWN = -1 };
static const struct {
    turn_kind kind;
    int steps, eighths;
    bool whole; // its first turn is as long as the method's budget alone
} WHO[] = {{TURN_PATH, 1000, 5, false},
           {TURN_EVEN, 2500, 0, false},
           {TURN_PATH, 1000, 7, false},
           {TURN_PATH, 1000, 4, false},
           {TURN_PATH, CONTINUATION_MOST, OWN, true},
           {TURN_PATH, 1000, 8, false},
           {TURN_PATH, 1000, 1, false},
           {TURN_PROXIMAL, 200, 0, false},
           {TURN_NEWTON, 200, 0, false}};

// The best reactions so far.
void hf_fc3d_restore_best(hf_fc3d_run *run)
{
    if (run->best < run->residual || isnan(run->residual)) {
        memcpy(run->r, run->s->best_r, 3 * (size_t)run->p->contacts * sizeof *run->r);
        hf_fc3d_follow(run);
        hf_fc3d_run_velocity(run, run->r, run->u);
        run->residual = run->best;
    }
}

static bool finished(hf_fc3d_run *run, hf_fc3d_method method, bool done)
{
    run->info->method = method;
    if (!done) {
        hf_fc3d_restore_best(run);
    }
    return done || run->no_room || hf_fc3d_out_of_time(run);
}

// [ns] of a sweep and of a solution by Newton's method, as measured; only their ratio matters.
typedef struct costs {
    double sweep, newton;
} costs;

static bool find_costs(hf_fc3d_run *run, costs *c)
{
    const hf_fc3d_problem *p = run->p;
    double contacts = p->contacts, blocks = p->start == NULL ? 0 : p->start[p->contacts];
    if (!hf_fc3d_plan(run)) {
        return false;
    }
    c->sweep = 40.0 * contacts + (run->space == NULL ? 6.0 * blocks : 0.0);
    c->newton = NEWTON_STEPS *
                (0.3 * hf_fc3d_plan_size(run).factor_work + 60.0 * blocks + 200.0 * contacts);
    return true;
}

// Sweeps for as long as they promise to be cheaper than a share of Newton's method: the number that
// the present rate still needs is known from the residuals before and after. Sweeps that are mixed
// or drift do not get on evenly, so a few disappointments are none, more where the other way is
// long.
static bool sweep_while_cheap(hf_fc3d_run *run, const costs *c)
{
    int disappointments = 0, most = c->newton > DEAR * c->sweep ? 8 : 5;
    for (int done = 0; done < GAUSS_SEIDEL_MOST && disappointments < most; done += LOOK) {
        double before = run->best;
        if (hf_fc3d_gauss_seidel(run, hf_fc3d_left(run, LOOK))) {
            return true;
        }
        if (hf_fc3d_out_of_time(run)) {
            return false;
        }
        double needed = LOOK * log(run->tolerance / run->best) / log(run->best / before);
        bool cheap = run->best < before && needed * c->sweep < CHEAP * c->newton;
        disappointments = cheap ? 0 : disappointments + 1;
    }
    return false;
}

static bool is_near(const hf_fc3d_run *run)
{
    return run->s->mix.near && run->space != NULL && hf_fc3d_space_rigid(run->space) &&
           run->s->follower_count == 0;
}

// Sweeps while they are cheap beside proximal points, then these.
static bool solve_near(hf_fc3d_run *run)
{
    double turns = 0.0, shares = 0.0;
    run->no_room = hf_fc3d_space_rigid_plan(run->space, false) != HF_OK;
    if (run->no_room) {
        return false;
    }
    for (int i = 0; i < run->p->contacts; ++i) {
        bool alike = run->s->own[i].over_tangent > 0.0;
        turns += alike ? TURN_ALIKE : TURN_OTHER;
        shares += alike ? SHARE_ALIKE : SHARE_OTHER;
    }
    // The mean share of so many steps, in sweeps
    double step = STEP_WORK * hf_tile_lu_work(run->space->rigid) + STEP_CONTACT * run->p->contacts;
    double sweeps = fmin(shares / run->p->contacts * NEAR_STEPS * step / turns, GAUSS_SEIDEL_MOST);
    int left = (int)sweeps - run->info->of_method[HF_FC3D_GAUSS_SEIDEL];
    return (left > 0 && finished(run, HF_FC3D_GAUSS_SEIDEL,
                                 hf_fc3d_gauss_seidel(run, hf_fc3d_left(run, left)))) ||
           finished(run, HF_FC3D_PROXIMAL, hf_fc3d_proximal_near(run, NEAR_MOST));
}

// Sweeps for as long as they get on at all.
static bool sweep_patiently(hf_fc3d_run *run, const costs *c)
{
    double follows = run->s->follower_count > 0 ? 2.0 : 1.0, mark = run->best;
    double patience = PATIENCE * c->newton / c->sweep;
    if (run->p->contacts > FEW) {
        patience = fmax(patience, PATIENT_SWEEPS);
    }
    for (int done = 0, since = 0; done < PATIENT_MOST && since < follows * patience;
         done += LOOK_LATER) {
        if (hf_fc3d_gauss_seidel(run, hf_fc3d_left(run, LOOK_LATER))) {
            return true;
        }
        if (hf_fc3d_out_of_time(run)) {
            return false;
        }
        bool halved = run->best <= HALF * mark;
        mark = halved ? run->best : mark;
        since = halved ? 0 : since + LOOK_LATER;
    }
    return false;
}

// Continuation is worth its steps where they are cheap, or where friction is what stops the others:
// in large piles of ordinary friction it takes thousands and ends no better.
static bool worth_a_path(const hf_fc3d_problem *p)
{
    const double large = 1.0; // mu
    bool worth = p->contacts <= PATH_MOST;
    for (int i = 0; i < p->contacts && !worth; ++i) {
        worth = p->mu[i] > large;
    }
    return worth;
}

// A number between 0 and 1 that looks drawn: the same for the same problem.
static double draw(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
}

// Where a turn begins. The first: without reactions. The others: reactions inside the cones, about
// as large as those that would stop each contact alone, or all of one `size` [rho |q|] if this is
// not zero. What jams has solutions of which nothing tells how large they are.
static void begin_turn(hf_fc3d_run *run, int turn, double size)
{
    const hf_fc3d_problem *p = run->p;
    uint64_t state = (uint64_t)turn;
    hf_fc3d_set_weights(run); // a path has its own
    memset(run->r, 0, 3 * (size_t)p->contacts * sizeof *run->r);
    double mean = size * run->rho * run->norm_q / sqrt((double)p->contacts);
    for (int i = 0; turn > 0 && i < p->contacts; ++i) {
        const double *q = p->q + 3 * i;
        double own = run->s->weight[i] * sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
        double normal = 2.0 * (size > 0.0 ? mean : own) * draw(&state);
        double most = fmin(p->mu[i], 1.0) * normal;
        run->r[3 * i] = normal;
        run->r[3 * i + 1] = most * (draw(&state) - 0.5);
        run->r[3 * i + 2] = most * (draw(&state) - 0.5);
    }
    hf_fc3d_follow(run);
}

// A path that is drawn towards the beginning of a turn.
static bool follow_path(hf_fc3d_run *run, int turn, int eighths, int iterations)
{
    double most = 0.0, even = eighths == OWN ? 0.0 : run->rho;
    begin_turn(run, turn, ANCHOR_SIZE);
    memcpy(run->s->anchor, run->r, 3 * (size_t)run->p->contacts * sizeof *run->r);
    for (int i = 0; i < run->p->contacts; ++i) {
        most = fmax(most, run->s->weight[i]);
    }
    double root = sqrt(sqrt(sqrt(most / run->rho))); // no power that machines round differently
    for (int i = 0; i < eighths; ++i) {
        even *= root;
    }
    return hf_fc3d_continuation(run, run->s->anchor, even, iterations);
}

// One of them, from the beginning of its turn.
static bool take_turn(hf_fc3d_run *run, int who, int turn, int steps)
{
    switch (WHO[who].kind) {
    case TURN_EVEN:
        begin_turn(run, turn / 2, EVEN_SIZE);
        run->info->method = HF_FC3D_PROXIMAL;
        return (turn % 2 == 1 && hf_fc3d_gauss_seidel(run, hf_fc3d_left(run, SWEEPS_FIRST))) ||
               hf_fc3d_proximal_even(run, steps);
    case TURN_PATH:
        run->info->method = HF_FC3D_CONTINUATION;
        return follow_path(run, turn, WHO[who].eighths, steps);
    case TURN_PROXIMAL:
        begin_turn(run, turn, 0.0);
        run->info->method = HF_FC3D_PROXIMAL;
        return hf_fc3d_gauss_seidel(run, hf_fc3d_left(run, SWEEPS_FIRST)) ||
               hf_fc3d_proximal(run, steps);
    default:
        begin_turn(run, turn, 0.0);
        run->info->method = HF_FC3D_NEWTON;
        return hf_fc3d_gauss_seidel(run, hf_fc3d_left(run, SWEEPS_FIRST)) ||
               hf_fc3d_newton(run, steps, steps);
    }
}

// From where a turn has led: better than half of what was best before lies near a solution.
static bool go_on(hf_fc3d_run *run, double before)
{
    if (!(run->best < HALF * before)) {
        return false;
    }
    hf_fc3d_restore_best(run);
    hf_fc3d_set_weights(run);
    run->info->method = HF_FC3D_NEWTON;
    if (hf_fc3d_newton(run, NEWTON_MORE, FAILURES_MORE)) {
        return true;
    }
    hf_fc3d_restore_best(run);
    run->info->method = HF_FC3D_PROXIMAL;
    return hf_fc3d_proximal(run, PROXIMAL_BRIEF);
}

// Each method from zero, with the budget that it has when it is chosen; but the path, which has had
// it as a turn.
static bool each_alone(hf_fc3d_run *run)
{
    static const hf_fc3d_method methods[] = {HF_FC3D_NEWTON, HF_FC3D_INTERIOR, HF_FC3D_PROXIMAL,
                                             HF_FC3D_GAUSS_SEIDEL, HF_FC3D_ADMM};
    for (int i = 0; i < (int)(sizeof methods / sizeof *methods); ++i) {
        double before = run->best;
        begin_turn(run, 0, 0.0);
        run->info->method = methods[i];
        if (hf_fc3d_solve_by(run, methods[i]) || go_on(run, before)) {
            return true;
        }
        if (run->no_room || hf_fc3d_out_of_time(run)) {
            return false;
        }
    }
    return false;
}

// Methods in turns of growing budget, all from the same beginnings.
static bool take_turns(hf_fc3d_run *run, const costs *c, bool path)
{
    double step = c->newton / NEWTON_STEPS, length = TURN_FIRST, sum = 0.0;
    bool alone = false;
    for (int turn = 0; turn < TURNS && sum <= TURNS_LAST; ++turn, length *= TURN_GROWTH) {
        // A turn of each
        bool whole = turn == 0 && run->p->contacts <= PATH_MOST;
        for (int who = 0; who < (int)(sizeof WHO / sizeof *WHO); ++who) {
            if (WHO[who].kind == TURN_PATH && !path) {
                continue;
            }
            double steps = fmin(fmax(length / step, STEPS_LEAST), WHO[who].steps * (1.0 + turn));
            steps = whole && WHO[who].whole ? WHO[who].steps : steps;
            int before = run->info->factorizations;
            double best = run->best;
            if (take_turn(run, who, turn, (int)steps) || go_on(run, best)) {
                return true;
            }
            if (run->no_room || hf_fc3d_out_of_time(run)) {
                return false;
            }
            sum += step * (run->info->factorizations - before);
        }
        // Once, what each finds by itself
        if (!alone && (turn == 1 || sum > TURNS_LAST)) {
            alone = true;
            if (each_alone(run)) {
                return true;
            }
        }
        if (run->no_room || hf_fc3d_out_of_time(run)) {
            return false;
        }
    }
    return false;
}

// What stopped the quick methods: cheap ones with more patience.
static bool solve_patiently(hf_fc3d_run *run)
{
    int points = run->s->brief ? PROXIMAL_BRIEF : PROXIMAL_MOST;
    return (run->p->contacts <= FEW &&
            (finished(run, HF_FC3D_NEWTON, hf_fc3d_newton(run, NEWTON_MORE, FAILURES_MORE)) ||
             finished(run, HF_FC3D_NEWTON, hf_fc3d_newton_heavy(run, NEWTON_HEAVY)))) ||
           finished(run, HF_FC3D_PROXIMAL, hf_fc3d_proximal(run, points));
}

// What points that are best among their neighbours cannot stop, and all that is left.
static bool solve_stubborn(hf_fc3d_run *run, const costs *c)
{
    return take_turns(run, c, worth_a_path(run->p)) ||
           finished(run, HF_FC3D_ADMM, hf_fc3d_admm(run, ADMM_MOST)) ||
           finished(run, HF_FC3D_GAUSS_SEIDEL, hf_fc3d_gauss_seidel(run, GAUSS_SEIDEL_MOST));
}

// Each method continues where the best so far has led.
static bool solve_auto(hf_fc3d_run *run)
{
    costs c = {0};
    bool near = is_near(run);
    int first = run->p->contacts <= FEW ? SWEEPS_FIRST : near ? SWEEPS_NEAR : SWEEPS_MANY;
    if (finished(run, HF_FC3D_GAUSS_SEIDEL, hf_fc3d_gauss_seidel(run, hf_fc3d_left(run, first))) ||
        (near && solve_near(run)) || run->no_room || !find_costs(run, &c)) {
        return run->best <= run->tolerance;
    }
    bool handy = c.newton < HANDY * c.sweep && run->s->follower_count == 0;
    if (handy &&
        (finished(run, HF_FC3D_GAUSS_SEIDEL, sweep_while_cheap(run, &c)) ||
         finished(run, HF_FC3D_NEWTON, hf_fc3d_newton(run, NEWTON_FIRST, FAILURES_FIRST)))) {
        return run->best <= run->tolerance;
    }
    return finished(run, HF_FC3D_GAUSS_SEIDEL, sweep_patiently(run, &c)) ||
           finished(run, HF_FC3D_INTERIOR, hf_fc3d_interior(run, INTERIOR_MOST)) ||
           solve_patiently(run) ||
           (!run->s->brief && !hf_fc3d_none(run) && solve_stubborn(run, &c));
}

bool hf_fc3d_solve_by(hf_fc3d_run *run, hf_fc3d_method method)
{
    switch (method) {
    case HF_FC3D_GAUSS_SEIDEL:
        return hf_fc3d_gauss_seidel(run, hf_fc3d_left(run, GAUSS_SEIDEL_MOST));
    case HF_FC3D_NEWTON:
        return hf_fc3d_gauss_seidel(run, hf_fc3d_left(run, SWEEPS_FIRST)) ||
               hf_fc3d_newton(run, NEWTON_MOST, NEWTON_MOST);
    case HF_FC3D_PROXIMAL:
        return hf_fc3d_gauss_seidel(run, hf_fc3d_left(run, SWEEPS_FIRST)) ||
               hf_fc3d_proximal(run, PROXIMAL_MOST);
    case HF_FC3D_INTERIOR:
        return hf_fc3d_interior(run, INTERIOR_MOST);
    case HF_FC3D_CONTINUATION:
        return follow_path(run, 0, OWN, CONTINUATION_MOST);
    case HF_FC3D_ADMM:
        return hf_fc3d_admm(run, hf_fc3d_left(run, ADMM_MOST));
    case HF_FC3D_LEMKE:
        return hf_fc3d_lemke(run, hf_fc3d_left(run, LEMKE_MOST));
    default:
        return solve_auto(run);
    }
}

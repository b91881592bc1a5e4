// SPDX-License-Identifier: Apache-2.0
// How far a run can be trusted: what it accounts for, against what it should. Each reason names its
// number and the bound that it passed.
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include <holdfast/laws/rigid_contact_choice.h>

#include "sim/method_info.h"
#include "sim/sim_data.h"

// Share of the energy turned over that may be unaccounted for. Methods of first order at usual
// steps stay within it; a run that lost or made more has another motion than the machine.
#define LEDGER_SHARE 0.02
// The same of methods to a tolerance: so many times that, and at least the other one.
#define LEDGER_TOLERANCES 1000.0
#define LEDGER_LEAST      1e-3
// Energies below it are rounding [J].
#define LEAST_TURNOVER 1e-9
// Of a sum of energies, by the largest of them.
#define SUM_ROUNDING 1e-9
// Of a place, as a share of it: less than one rounding.
#define ROUNDING 1e-17
// Residual of a step's contacts, relative to the reactions, above which they are not solved for any
// purpose. A budget of iterations may leave the tolerance, but not this.
#define WORST_RESIDUAL 1e-2
// Share of steps that may end above the tolerance where no budget was set.
#define UNSOLVED_SHARE 1e-3
// How deep bodies may go into each other, by the smallest length of any of them.
#define DEEP_SHARE 0.1
// Of two bodies between which friction, a stop or a contact is solved for: beyond it what the
// lighter one does hides the heavier one in the last of 16 digits.
#define MOST_RATIO 3e10
// Restitution that implicit steps may take from a contact law.
#define LOST_BOUNCE 0.1
#define PI          3.14159265358979323846
// At most so many forces are examined for their stable step.
#define MOST_FORCES 2000

// Adds a reason to the verdict; the first one makes it doubtful.
static void doubt(hf_verdict *verdict, const char *format, ...)
{
    size_t used = 0;
    while (used < sizeof verdict->why && verdict->why[used] != '\0') {
        ++used;
    }
    size_t room = sizeof verdict->why - used;
    if (verdict->reasons > 0 && room > 2) {
        (void)snprintf(verdict->why + used, room, "; ");
        used += 2;
        room -= 2;
    }
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(verdict->why + used, room, format, arguments);
    va_end(arguments);
    verdict->reasons += 1;
    verdict->trustworthy = false;
}

// Work of the largest forces over a rounding of the places that coordinates have: what a machine
// that is held still turns over.
static double rounding_work(const hf_sim *sim)
{
    double forces = 0.0, farthest = 0.0;
    for (int i = 0; i < sim->model->force_count; ++i) {
        forces += sqrt(sim->tallies[i].largest_squared);
    }
    for (int i = 0; i < sim->model->nq; ++i) {
        farthest = fmax(farthest, fabs(sim->x[i]));
    }
    return ROUNDING * forces * farthest;
}

// Heat of forces that hold a machine still over steps: each gives its mass a velocity, f h/m, which
// the others take back but for a rounding of it, and works on that.
static double held_work(hf_sim *sim)
{
    const hf_model *model = sim->model;
    const hf_sim_core *core = sim->core;
    double sum = 0.0;
    int stride = 1 + (model->force_count - 1) / MOST_FORCES;
    for (int i = 0; i < model->force_count && sim->takes_steps; i += stride) {
        const hf_force_place *force = &model->forces[i];
        if (force->item != NULL && force->dim > 0) {
            double inverse = hf_force_inverse_mass(sim, force, 0);
            sum += sim->tallies[i].largest_squared * fmax(0.0, inverse);
        }
    }
    sim->fresh = false;
    return fmin(LEAST_TURNOVER, DBL_EPSILON * core->method.step * core->time * sum);
}

static double largest_energy(const hf_energy *e)
{
    double size = fmax(fabs(e->start), fmax(fabs(e->kinetic), fabs(e->potential)));
    return fmax(fmax(size, fabs(e->stored)), fmax(fabs(e->input), fabs(e->dissipated)));
}

static double ledger_share(const hf_sim *sim)
{
    const hf_method_def *method = &sim->core->method;
    bool tolerance = hf_method_info_get(method->type)->locates_events;
    double share = fmax(LEDGER_LEAST, LEDGER_TOLERANCES * method->rtol);
    return tolerance ? fmin(LEDGER_SHARE, share) : LEDGER_SHARE;
}

static void judge_ledger(hf_sim *sim, hf_verdict *verdict)
{
    hf_energy energy = hf_sim_energy(sim);
    // What was turned over, or lost without a trace; of small machines, whose energies are all
    // below 1 J, rounding is by these
    double size = largest_energy(&energy), off = fabs(energy.residual);
    double least = fmax(LEAST_TURNOVER * fmin(1.0, size), rounding_work(sim));
    double turned = fmax(energy.turnover, off > SUM_ROUNDING * size ? off : 0.0);
    verdict->ledger = turned > least ? off / turned : 0.0;
    if (turned < LEAST_TURNOVER && turned <= held_work(sim)) {
        verdict->ledger = 0.0;
    }
    if (!isfinite(energy.turnover) || !isfinite(energy.residual)) {
        verdict->ledger = INFINITY;
        doubt(verdict, "its energies left the finite numbers");
    } else if (!(verdict->ledger <= ledger_share(sim))) {
        doubt(verdict, "the energy ledger is off by %.2g J, %.2g %% of the %.3g J turned over", off,
              100.0 * verdict->ledger, turned);
    }
}

// Forces whose stable step is shorter than the method's.
static void judge_step(hf_sim *sim, hf_verdict *verdict)
{
    const hf_model *model = sim->model;
    double step = sim->core->method.step, least = INFINITY;
    int worst = 0, count = 0, stride = 1 + (model->force_count - 1) / MOST_FORCES;
    for (int id = 1; id <= model->force_count; id += stride) {
        double largest = hf_sim_stability_to(sim, (hf_force){id}, step).largest_step;
        count += step > largest ? 1 : 0;
        if (step > largest && largest < least) {
            least = largest;
            worst = id;
        }
    }
    verdict->largest_step = least;
    if (worst > 0 && !(least > 0.0)) {
        doubt(verdict, "method %s is unstable at any step for '%s'%s",
              hf_method_name(sim->core->method.type), hf_model_force_name(model, (hf_force){worst}),
              count > 1 ? ", and others" : "");
    } else if (worst > 0) {
        doubt(verdict, "the step, %g s, is larger than the largest stable step of '%s', %.3g s%s",
              step, hf_model_force_name(model, (hf_force){worst}), least,
              count > 1 ? ", and of others" : "");
    }
}

static void judge_contacts(const hf_sim *sim, hf_verdict *verdict)
{
    // Problems that were not solved
    const hf_sim_stats *stats = &sim->core->stats;
    bool budget = sim->core->method.iterations > 0;
    long long above = stats->unsolved_steps;
    double share = stats->steps > 0 ? (double)stats->unsolved_steps / (double)stats->steps : 0.0;
    if (!(stats->worst_residual <= WORST_RESIDUAL)) {
        doubt(verdict, "contacts of a step were left with a residual of %.2g",
              stats->worst_residual);
    } else if (!budget && share > UNSOLVED_SHARE) {
        doubt(verdict, "%lld of %lld steps ended above the tolerance of their contacts", above,
              stats->steps);
    } else if (budget && above > 0) {
        (void)snprintf(verdict->within, sizeof verdict->within,
                       "a residual of %.2g, where the tolerance is %g: %lld of %lld steps reached "
                       "the end of their budget of %d iterations",
                       stats->worst_residual, sim->core->method.tolerance, above, stats->steps,
                       sim->core->method.iterations);
    }
    double unmet = stats->steps > 0 ? (double)stats->unmet_steps / (double)stats->steps : 0.0;
    if (!(stats->worst_unmet <= WORST_RESIDUAL) || unmet > UNSOLVED_SHARE) {
        doubt(
            verdict,
            "implicit forces of %lld of %lld steps are not what their laws say, by %.2g of them at "
            "worst",
            stats->unmet_steps, stats->steps, stats->worst_unmet);
    }
    // Steps that were too long for what moves
    if (stats->unsettled_turn > 0.0) {
        doubt(verdict, "a joint turned by %.2g rad in a step, too far for its velocity products",
              stats->unsettled_turn);
    }
    if (stats->passages > 0) {
        doubt(verdict, "bodies went through each other in %lld pieces of steps", stats->passages);
    }
    if (stats->nlp_programs > stats->nlp_solved) {
        doubt(verdict, "%lld of %lld nonlinear programs were not solved",
              stats->nlp_programs - stats->nlp_solved, stats->nlp_programs);
    }
}

// Bodies that went so deep into each other that they may have passed through; that lie so deep in
// each other that they are not where they should be.
static void judge_depth(const hf_sim *sim, hf_verdict *verdict)
{
    if (sim->core->start_limit > 0) {
        doubt(verdict,
              "'%s' began %.2g m (or rad) beyond its limit and was brought back in the first step: "
              "begin within it",
              sim->model->forces[sim->core->start_limit - 1].name, sim->core->start_depth);
    } else if (sim->core->start_depth > 0.0) {
        doubt(verdict,
              "bodies began %.2g m deep in each other and were pushed apart in the first step: set "
              "them apart at the start",
              sim->core->start_depth);
    }
    double depth = sim->core->stats.largest_penetration, smallest = INFINITY;
    for (int i = 0; i < sim->model->force_count; ++i) {
        const hf_contact_site *site = sim->model->forces[i].site;
        smallest = site != NULL && site->size > 0.0 ? fmin(smallest, site->size) : smallest;
    }
    if (depth > DEEP_SHARE * smallest) {
        doubt(verdict, "bodies went %.2g m deep into each other; the smallest is %.2g m", depth,
              smallest);
        return;
    }
    const hf_sim_core *core = sim->core;
    double mean = core->sunk_seconds > 0.0 ? core->sunk / core->sunk_seconds : 0.0;
    if (mean > HF_SUNK_SHARE * smallest) {
        doubt(verdict,
              "bodies lie %.2g m deep in each other, the smallest is %.2g m: at this step contacts "
              "are too soft for their load",
              mean, smallest);
    }
}

// Contact laws that are springs, taken implicitly: the bounce that the law gives a mass in free
// flight, exp(-pi zeta/(1 - zeta^2)^(1/2)), times what implicit steps of theta leave of an
// oscillation over its half period, exp(-(theta - 1/2) pi h omega). Told where the energy lost in
// its hardest impact counts.
static bool judge_bounce(hf_sim *sim, int i, double turnover, hf_verdict *verdict)
{
    const hf_force_place *force = &sim->model->forces[i];
    double h = sim->core->method.step, impact = sim->tallies[i].impact;
    double stiffness = 0.0, damping = 0.0, inverse = hf_force_inverse_mass(sim, force, 0);
    force->info->linear(force->def, 0, &stiffness, &damping);
    double omega = sqrt(stiffness * inverse);
    double zeta = omega > 0.0 ? 0.5 * damping * inverse / omega : 1.0;
    double bounce = zeta < 1.0 ? exp(-PI * zeta / sqrt(1.0 - zeta * zeta)) : 0.0;
    double left = bounce * exp(-(sim->core->method.theta - 0.5) * PI * h * omega);
    double lost = 0.5 * impact * impact * (bounce * bounce - left * left);
    if (!(lost > LEDGER_SHARE * turnover * inverse) || !(bounce - left > LOST_BOUNCE)) {
        return false;
    }
    doubt(verdict, "steps of %g s leave a restitution of %.2g of the %.2g that '%s' has", h, left,
          bounce, force->name);
    return true;
}

// A force that was soft enough to be explicit when the method chose, at the start, and is not any
// more: velocities first, then positions, are stable for h^2 K/m + 2 h B/m up to 4.
static bool judge_stiffened(hf_sim *sim, int i, hf_verdict *verdict)
{
    const hf_force_place *force = &sim->model->forces[i];
    double h = sim->core->method.step, worst = 0.0;
    for (int axis = 0; axis < force->dim; ++axis) {
        double stiffness = 0.0, damping = 0.0, inverse = hf_force_inverse_mass(sim, force, axis);
        force->info->linear(force->def, axis, &stiffness, &damping);
        worst = fmax(worst, h * inverse * (h * stiffness + 2.0 * damping));
    }
    if (worst > 4.0) {
        doubt(verdict, "'%s' has become too stiff for the step, %g s, since the start", force->name,
              h);
    }
    return worst > 4.0;
}

// Methods that take stiff forces implicitly: the first of each fault.
static void judge_implicit(hf_sim *sim, hf_verdict *verdict)
{
    const hf_model *model = sim->model;
    bool lost = false, stiffened = false;
    double turnover = hf_sim_energy(sim).turnover;
    int stride = 1 + (model->force_count - 1) / MOST_FORCES;
    bool some = sim->plugged != NULL && sim->plugged->implicit != NULL;
    for (int id = 1; id <= model->force_count && some; id += stride) {
        int i = model->force_order[id - 1];
        const hf_force_place *force = &model->forces[i];
        if (force->info == NULL || force->item == NULL || force->info->linear == NULL ||
            force->exact != HF_EXACT_NONE) {
            continue;
        }
        bool implicit = hf_force_is_implicit(sim, i);
        if (implicit && !lost && force->info->kind == HF_KIND_CONTACT) {
            lost = judge_bounce(sim, i, turnover, verdict);
        } else if (!implicit && !stiffened && force->info->tau_axes == 0 &&
                   sim->mode_before[i] != HF_MODE_OPEN) {
            stiffened = judge_stiffened(sim, i, verdict);
        }
    }
    sim->fresh = false;
}

// Heat that fell, forces beyond their bounds, contacts that a step may have passed over: the first
// of each by name.
static void judge_forces(hf_sim *sim, hf_verdict *verdict)
{
    const hf_model *model = sim->model;
    double turnover = hf_sim_energy(sim).turnover;
    const char *fell = NULL, *beyond = NULL, *passed = NULL, *slid = NULL, *swung = NULL,
               *reversed = NULL;
    double largest = 0.0;
    long long passes = 0;
    // The first force, by its name, of each kind of doubt
    for (int id = model->force_count; id >= 1; --id) {
        int i = model->force_order[id - 1];
        const hf_force_tally *tally = &sim->tallies[i];
        const char *name = model->forces[i].name;
        bool cools = !hf_force_is_active(&model->forces[i]) &&
                     tally->fallen > fmax(LEAST_TURNOVER, LEDGER_SHARE * turnover);
        if (cools && tally->fallen >= largest) {
            fell = name;
            largest = tally->fallen;
        }
        beyond = tally->beyond > 0 ? name : beyond;
        passed = tally->passes > 0 ? name : passed;
        slid = tally->slid ? name : slid;
        swung = tally->swung ? name : swung;
        reversed = tally->reversed > LEDGER_SHARE * turnover ? name : reversed;
        passes += tally->passes;
    }
    // Each as a sentence
    if (fell != NULL) {
        doubt(verdict, "the heat of '%s' fell, by %.2g J in all", fell, largest);
    }
    if (beyond != NULL) {
        doubt(verdict, "the force of '%s' was more than 10 %% beyond what its law can give",
              beyond);
    }
    if (slid != NULL) {
        doubt(verdict,
              "'%s' lay still at the start and slid while it swung into its load: exact contacts "
              "(switch, timestep, nlp) tell whether its static level holds it",
              slid);
    }
    if (swung != NULL) {
        doubt(verdict,
              "'%s' let go while it swung into a load that its static level would hold: exact "
              "contacts (switch, timestep, nlp) hold it",
              swung);
    }
    if (reversed != NULL) {
        doubt(verdict,
              "in an impact of '%s' the normal drove its slip against friction: exact contacts "
              "(switch, timestep, nlp) have one impulse for it, and come to another end",
              reversed);
    }
    if (passed != NULL) {
        doubt(verdict, "bodies moved farther than their size in %lld steps, through '%s' perhaps",
              passes, passed);
    }
}

// Bodies so unlike that what is solved for between them is rounding.
static void judge_masses(hf_sim *sim, hf_verdict *verdict)
{
    const hf_model *model = sim->model;
    int stride = 1 + (model->force_count - 1) / MOST_FORCES;
    for (int id = 1; id <= model->force_count; id += stride) {
        const hf_force_place *force = &model->forces[model->force_order[id - 1]];
        if (force->exact == HF_EXACT_NONE || force->item == NULL) {
            continue;
        }
        double ratio = hf_force_mass_ratio(sim, force, 0);
        if (ratio > MOST_RATIO) {
            doubt(verdict, "of the two bodies of '%s' one is %.2g times as light as the other",
                  force->name, ratio);
            break;
        }
    }
    sim->fresh = false;
}

// A spring between driven and other bodies that began the run with a jolt (discrete).
static void judge_lag(const hf_sim *sim, hf_verdict *verdict)
{
    if (sim->core->lag_force > 0) {
        doubt(verdict,
              "'%s' began with a jolt, because driven bodies move first: begin at rest, or take "
              "steps of at most %.2g s",
              sim->model->forces[sim->core->lag_force - 1].name, sim->core->lag_step);
    }
}

hf_verdict hf_sim_verdict(hf_sim *sim)
{
    // Its own evaluations are none of the method's
    hf_verdict verdict = {.trustworthy = true};
    long long before = sim->core->stats.evaluations;
    judge_ledger(sim, &verdict);
    judge_step(sim, &verdict);
    judge_contacts(sim, &verdict);
    judge_depth(sim, &verdict);
    judge_forces(sim, &verdict);
    judge_implicit(sim, &verdict);
    judge_masses(sim, &verdict);
    judge_lag(sim, &verdict);
    sim->core->stats.evaluations = before;
    return verdict;
}

// SPDX-License-Identifier: Apache-2.0
// How far a run can be trusted: what it accounts for, against what it should. Each reason names its
// number and the bound that it passed.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "sim/sim_data.h"

// Share of the energy turned over that may be unaccounted for. Methods of first order at usual
// steps stay within it; a run that lost or made more has another motion than the machine.
#define LEDGER_SHARE 0.02
// Energies below it are rounding [J].
#define LEAST_TURNOVER 1e-9
// Residual of a step's contacts, relative to the reactions, above which they are not solved for any
// purpose. A budget of iterations may leave the tolerance, but not this.
#define WORST_RESIDUAL 1e-2
// Share of steps that may end above the tolerance where no budget was set.
#define UNSOLVED_SHARE 1e-3
// How deep bodies may go into each other, by the smallest length of any of them.
#define DEEP_SHARE 0.1
// Forces looked at for their stable step: enough for a machine, bounded for a heap.
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

static void judge_ledger(hf_sim *sim, hf_verdict *verdict)
{
    hf_energy energy = hf_sim_energy(sim);
    verdict->ledger =
        energy.turnover > LEAST_TURNOVER ? fabs(energy.residual) / energy.turnover : 0.0;
    if (!isfinite(energy.turnover) || !isfinite(energy.residual)) {
        verdict->ledger = INFINITY;
        doubt(verdict, "its energies left the finite numbers");
    } else if (!(verdict->ledger <= LEDGER_SHARE)) {
        doubt(verdict, "the energy ledger is off by %.2g J, %.2g %% of the %.3g J turned over",
              fabs(energy.residual), 100.0 * verdict->ledger, energy.turnover);
    }
}

// Forces whose stable step is shorter than the method's.
static void judge_step(hf_sim *sim, hf_verdict *verdict)
{
    const hf_model *model = sim->model;
    double step = sim->core->method.step, least = INFINITY;
    int worst = 0, count = 0, stride = 1 + (model->force_count - 1) / MOST_FORCES;
    for (int id = 1; id <= model->force_count; id += stride) {
        double largest = hf_sim_stability(sim, (hf_force){id}).largest_step;
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
    const hf_sim_stats *stats = &sim->core->stats;
    bool budget = sim->core->method.iterations > 0;
    double share = stats->steps > 0 ? (double)stats->unsolved_steps / (double)stats->steps : 0.0;
    if (!(stats->worst_residual <= WORST_RESIDUAL)) {
        doubt(verdict, "contacts of a step were left with a residual of %.2g",
              stats->worst_residual);
    } else if (!budget && share > UNSOLVED_SHARE) {
        doubt(verdict, "%lld of %lld steps ended above the tolerance of their contacts",
              stats->unsolved_steps, stats->steps);
    }
    if (stats->nlp_programs > stats->nlp_solved) {
        doubt(verdict, "%lld of %lld nonlinear programs were not solved",
              stats->nlp_programs - stats->nlp_solved, stats->nlp_programs);
    }
}

// Bodies that went so deep into each other that they may have passed through.
static void judge_depth(const hf_sim *sim, hf_verdict *verdict)
{
    double depth = sim->core->stats.largest_penetration, smallest = INFINITY;
    for (int i = 0; i < sim->model->force_count; ++i) {
        const hf_contact_site *site = sim->model->forces[i].site;
        smallest = site != NULL && site->size > 0.0 ? fmin(smallest, site->size) : smallest;
    }
    if (depth > DEEP_SHARE * smallest) {
        doubt(verdict, "bodies went %.2g m deep into each other; the smallest is %.2g m", depth,
              smallest);
    }
}

hf_verdict hf_sim_verdict(hf_sim *sim)
{
    hf_verdict verdict = {.trustworthy = true};
    judge_ledger(sim, &verdict);
    judge_step(sim, &verdict);
    judge_contacts(sim, &verdict);
    judge_depth(sim, &verdict);
    return verdict;
}

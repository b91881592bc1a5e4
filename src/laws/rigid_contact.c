// SPDX-License-Identifier: Apache-2.0
// Rigid contact as an ordinary differential equation. Equations: rigid_contact.h.
#include <holdfast/laws/rigid_contact.h>

#include "check.h"
#include "element.h"
#include "info.h"
#include "rigid_contact_relax.h"

hf_rigid_contact_def hf_rigid_contact_def_default(void)
{
    return (hf_rigid_contact_def){.restitution = 0.3,
                                  .impact_speed = 1.0,
                                  .friction = hf_level_coefficient(0.5),
                                  .spin_friction = hf_level_coefficient(0.0),
                                  .rolling_friction = hf_level_coefficient(0.0)};
}

hf_status hf_rigid_contact_def_check(const hf_rigid_contact_def *def, int dim, hf_fault *fault)
{
    const struct {
        const char *member;
        double value;
    } not_negative[] = {
        {"stiffness", def->stiffness},
        {"damping_time", def->damping_time},
        {"filter_time", def->filter_time},
        {"penetration", def->penetration},
        {"tangent_stiffness", def->tangent_stiffness},
        {"tangent_damping_time", def->tangent_damping_time},
        {"spin_stiffness", def->spin_stiffness},
        {"rolling_stiffness", def->rolling_stiffness},
    };
    hf_status status = HF_OK;
    *fault = (hf_fault){0};
    // Normal direction
    for (size_t i = 0; i < sizeof not_negative / sizeof not_negative[0] && status == HF_OK; i++)
        status = hf_check_not_negative(not_negative[i].member, not_negative[i].value, fault);
    if (status == HF_OK && def->damping_time > 0.0 && def->filter_time > def->damping_time)
        status = hf_fault_set(fault, "filter_time",
                              "must not be larger than damping_time: a bounce would gain energy",
                              def->filter_time);
    if (status == HF_OK && !(def->restitution >= 0.0 && def->restitution <= 1.0))
        status = hf_fault_set(fault, "restitution", "must be from 0 to 1", def->restitution);
    if (status == HF_OK)
        status = hf_check_positive("impact_speed", def->impact_speed, fault);
    // a tangent plane is isotropic; dimension 1 has none, dimension 2 may differ forth and back
    if (status == HF_OK)
        status = hf_check_coefficient("friction", &def->friction, dim == 2 ? 1 : 2, fault);
    if (status == HF_OK)
        status = hf_check_coefficient("spin_friction", &def->spin_friction, 1, fault);
    if (status == HF_OK)
        status = hf_check_coefficient("rolling_friction", &def->rolling_friction, 2, fault);
    if (status == HF_OK && dim < 6 && !hf_level_is_zero(&def->spin_friction))
        status = hf_fault_set(fault, "spin_friction", "needs a contact between bodies that turn",
                              def->spin_friction.peak[0]);
    if (status == HF_OK && dim < 6 && !hf_level_is_zero(&def->rolling_friction))
        status = hf_fault_set(fault, "rolling_friction", "needs a contact between bodies that turn",
                              def->rolling_friction.peak[0]);
    return status;
}

bool hf_rigid_contact_is_chosen(const hf_rigid_contact_def *def, int dim)
{
    bool normal = def->stiffness > 0.0 && def->damping_time > 0.0 && def->filter_time > 0.0;
    bool tangent = dim < 2 || (def->tangent_stiffness > 0.0 && def->tangent_damping_time > 0.0);
    bool turning = dim < 6 || (def->spin_stiffness > 0.0 && def->rolling_stiffness > 0.0);
    return normal && tangent && turning;
}

// The friction elements of a contact of dimension dim: level, stiffness, and rows.
typedef struct part {
    const hf_level *level;
    double stiffness;
    int first, count;
} part;

static int parts_of(const hf_rigid_contact_def *def, int dim, part parts[3])
{
    parts[0] = (part){&def->friction, def->tangent_stiffness, 1, dim == 2 ? 1 : 2};
    parts[1] = (part){&def->spin_friction, def->spin_stiffness, 3, 1};
    parts[2] = (part){&def->rolling_friction, def->rolling_stiffness, 4, 2};
    return dim < 2 ? 0 : (dim < 6 ? 1 : 3);
}

// (24), (25): writes dy[0], force and energies of the normal direction.
static inline double normal_part(const hf_rigid_contact_def *def, double gap, double e, double *de,
                                 hf_law_out *out)
{
    double alpha = def->filter_time, beta = def->damping_time;
    double open = -e / beta;
    double closed = -(gap + e) / alpha;
    *de = closed < open ? open : closed;                                        // (24); NaN passes
    double normal = closed > open ? def->stiffness * (e + beta * closed) : 0.0; // (25)
    normal = closed == closed ? normal : closed;
    out->normal = normal;
    out->stored = def->stiffness * (0.5 * e * e + alpha * e * *de + 0.5 * alpha * beta * *de * *de);
    out->dissipated = def->stiffness * (beta - alpha) * (*de * *de);
    out->regime = normal > 0.0 ? HF_REGIME_STICK : HF_REGIME_OPEN;
    return normal;
}

// Whether an element exerts nothing without a normal force.
static inline bool forgets(const part *p, double c)
{
    return p->level->viscous[HF_FORTH] == 0.0 && p->level->viscous[HF_BACK] == 0.0 && c > 0.0;
}

// The element at level zero: a' = -a/(beta_t + tau), as hf_element_eval has it.
static inline void relax(const part *p, double c, const double *y, hf_law_out *out)
{
    double flow = 0.0, square = 0.0;
    for (int k = p->first; k < p->first + p->count; k++) {
        double spring = p->stiffness * y[k];
        out->dy[k] = (0.0 - spring) / c;
        flow += out->dy[k] * out->dy[k];
        square += p->count == 1 ? spring * y[k] : y[k] * y[k];
    }
    out->stored += 0.5 * (p->count == 1 ? square : p->stiffness * square);
    out->dissipated += c * flow;
}

void hf_rigid_contact_eval(const hf_rigid_contact_def *def, int dim, const hf_law_in *in,
                           hf_law_out *out)
{
    double normal = normal_part(def, in->gap[0], in->y[0], &out->dy[0], out);
    out->force[0] = -normal;
    part parts[3];
    int count = parts_of(def, dim, parts);
    for (int i = 0; i < count; i++) {
        const part *p = &parts[i];
        double damping = def->tangent_damping_time * p->stiffness;
        double c = damping + in->tau * p->stiffness;
        if (normal == 0.0 && forgets(p, c)) {
            for (int k = p->first; k < p->first + p->count; k++)
                out->force[k] = 0.0 * in->rate[k]; // NaN is passed on
            relax(p, c, in->y, out);
            continue;
        }
        hf_element_info info = hf_element_eval(
            p->level, p->stiffness, damping, in->tau, p->count, in->rate + p->first,
            in->y + p->first, normal, in->regime, out->force + p->first, out->dy + p->first);
        out->stored += info.stored;
        out->dissipated += info.dissipated;
        if (i == 0 && normal > 0.0)
            out->regime = info.regime;
    }
}

bool hf_rigid_contact_relax(const hf_rigid_contact_def *def, int dim, double gap, double tau,
                            const double *y, hf_law_out *out)
{
    part parts[3];
    int count = parts_of(def, dim, parts);
    double c[3] = {0};
    bool opens = -(gap + y[0]) / def->filter_time <= -y[0] / def->damping_time;
    for (int i = 0; i < count; i++) {
        c[i] = def->tangent_damping_time * parts[i].stiffness + tau * parts[i].stiffness;
        opens = opens && forgets(&parts[i], c[i]);
    }
    if (!opens)
        return false;
    (void)normal_part(def, gap, y[0], &out->dy[0], out);
    for (int i = 0; i < count; i++)
        relax(&parts[i], c[i], y, out);
    return true;
}

HF_LAW_GLUE(rigid_contact, dim)

static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    const hf_rigid_contact_def *contact = def;
    double time = axis == 0 ? contact->damping_time : contact->tangent_damping_time;
    *stiffness = axis == 0   ? contact->stiffness
                 : axis <= 2 ? contact->tangent_stiffness
                 : axis == 3 ? contact->spin_stiffness
                             : contact->rolling_stiffness;
    *damping = *stiffness * time;
}

// A contact that begins in penetration begins at rest there: the spring holds what it must.
static void start(const void *def, int dim, const hf_law_in *in, double *y)
{
    (void)def;
    (void)dim;
    y[0] = hf_max0(-in->gap[0]);
}

static double lag(const void *def, int axis)
{
    const hf_rigid_contact_def *contact = def;
    return axis == 0 ? contact->filter_time : 0.0;
}

#define NUMBER(member, unit, phrase)                                                               \
    HF_PARAM(hf_rigid_contact_def, member, #member, unit, phrase, HF_PARAM_NUMBER)
#define CHOSEN(member, unit, phrase)                                                               \
    HF_PARAM(hf_rigid_contact_def, member, #member, unit, phrase, HF_PARAM_AUTO)
#define LEVEL(member, unit, phrase)                                                                \
    HF_PARAM(hf_rigid_contact_def, member, #member, unit, phrase, HF_PARAM_LEVEL)

static const hf_param params[] = {
    CHOSEN(stiffness, "N/m", "stiffness along the normal"),
    CHOSEN(damping_time, "s", "damping by stiffness along the normal, beta"),
    CHOSEN(filter_time, "s", "lag of the normal force, alpha; at most damping_time"),
    NUMBER(restitution, "", "wished rebound speed by impact speed, 0 to 1"),
    NUMBER(penetration, "m", "wished largest depth at rest; 0: any"),
    NUMBER(impact_speed, "m/s", "speed at which the restitution is wanted under gravity"),
    CHOSEN(tangent_stiffness, "N/m", "stiffness in stick"),
    CHOSEN(tangent_damping_time, "s", "damping by stiffness in stick"),
    LEVEL(friction, "", "coefficient of friction"),
    LEVEL(spin_friction, "m", "coefficient of friction about the normal"),
    CHOSEN(spin_stiffness, "Nm/rad", "stiffness in stick about the normal"),
    LEVEL(rolling_friction, "m", "coefficient of friction of rolling"),
    CHOSEN(rolling_stiffness, "Nm/rad", "stiffness in stick of rolling"),
};

const hf_law_info hf_rigid_contact_info = {
    HF_LAW_LINE(rigid_contact),
    .source = "Xiong et al. 2013 (24), (25), (29), (30)",
    .kind = HF_KIND_CONTACT,
    .exact = HF_EXACT_CONTACT,
    .tau_axes = 0x3e,
    .max_dim = 6,
    .needs_gap = true,
    .friction = true,
    HF_PARAMS(params),
    HF_LAW_GLUED(rigid_contact),
    .start = start,
    .linear = linear,
    .lag = lag,
};

// SPDX-License-Identifier: Apache-2.0
// Values of attributes.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec.h"
#include "robots/mjcf/mjcf.h"

static bool fail_numbers(hf_mjcf *m, const hf_xml_attribute *a, int least, int most)
{
    return least == most ? hf_xml_fail_at(a, m->robot->error, HF_ERROR_INPUT,
                                          "%s must be %d number%s, got '%.60s'", a->name, least,
                                          least == 1 ? "" : "s", a->value)
                         : hf_xml_fail_at(a, m->robot->error, HF_ERROR_INPUT,
                                          "%s must be %d to %d numbers, got '%.60s'", a->name,
                                          least, most, a->value);
}

bool hf_mjcf_numbers(hf_mjcf *m, const hf_mjcf_view *view, const char *name, int least, int most,
                     double *values, int *count)
{
    m->now = &m->scopes.items[view->element->scope];
    enum { MOST = 32 };
    int covered = 0;
    for (int i = 0; i < view->levels.count && covered < most; ++i) {
        hf_xml_attribute *a = hf_xml_get(view->levels.items[i], name);
        double numbers[MOST];
        if (a == NULL) {
            continue;
        }
        int given = hf_xml_numbers(a->value, least, most < MOST ? most : MOST, numbers);
        if (given < 0) {
            return fail_numbers(m, a, least, most);
        }
        for (int k = covered; k < given; ++k) {
            values[k] = numbers[k];
        }
        if (given > covered || given == 0) {
            hf_xml_mark(a, HF_FATE_TAKEN, NULL);
            covered = given;
        }
    }
    if (count != NULL) {
        *count = covered;
    }
    return true;
}

bool hf_mjcf_number(hf_mjcf *m, const hf_mjcf_view *view, const char *name, double *value)
{
    return hf_mjcf_numbers(m, view, name, 1, 1, value, NULL);
}

bool hf_mjcf_vec3(hf_mjcf *m, const hf_mjcf_view *view, const char *name, hf_vec3 *v)
{
    double n[3] = {v->x, v->y, v->z};
    if (!hf_mjcf_numbers(m, view, name, 3, 3, n, NULL)) {
        return false;
    }
    *v = (hf_vec3){n[0], n[1], n[2]};
    return true;
}

bool hf_mjcf_integer(hf_mjcf *m, const hf_mjcf_view *view, const char *name, int *value)
{
    double number = *value;
    if (!hf_mjcf_number(m, view, name, &number)) {
        return false;
    }
    if (number != floor(number) || fabs(number) > 2147483647.0) {
        return hf_xml_fail_at(hf_mjcf_peek(view, name), m->robot->error, HF_ERROR_INPUT,
                              "%s must be a whole number, got %g", name, number);
    }
    *value = (int)number;
    return true;
}

bool hf_mjcf_word(hf_mjcf *m, const hf_mjcf_view *view, const char *name, const char *const *words,
                  int count, int *choice)
{
    m->now = &m->scopes.items[view->element->scope];
    hf_xml_attribute *a = hf_mjcf_get(view, name);
    if (a == NULL) {
        return true;
    }
    char list[200] = "";
    for (int i = 0; i < count; ++i) {
        if (strcmp(a->value, words[i]) == 0) {
            *choice = i;
            return true;
        }
        size_t used = strlen(list);
        if (used + strlen(words[i]) + 3 < sizeof list) {
            (void)snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "", words[i]);
        }
    }
    return hf_xml_fail_at(a, m->robot->error, HF_ERROR_INPUT, "%s must be one of %s, got '%.60s'",
                          name, list, a->value);
}

bool hf_mjcf_flag(hf_mjcf *m, const hf_mjcf_view *view, const char *name, bool *flag,
                  bool *automatic)
{
    static const char *const words[] = {"false", "true", "auto"};
    int choice = automatic != NULL && *automatic ? 2 : *flag ? 1 : 0;
    if (!hf_mjcf_word(m, view, name, words, automatic == NULL ? 2 : 3, &choice)) {
        return false;
    }
    if (automatic != NULL) {
        *automatic = choice == 2;
    }
    *flag = choice == 1;
    return true;
}

bool hf_mjcf_range(hf_mjcf *m, const hf_mjcf_view *view, const char *range, const char *flag,
                   double limits[2], bool *limited)
{
    int given = 0;
    bool on = false, automatic = true;
    if (!hf_mjcf_numbers(m, view, range, 2, 2, limits, &given) ||
        !hf_mjcf_flag(m, view, flag, &on, &automatic)) {
        return false;
    }
    *limited = automatic ? m->now->autolimits && given > 0 : on;
    if (!*limited) {
        hf_mjcf_mark(view, range, HF_FATE_SEEN, "not limited: the range has no effect");
        return true;
    }
    if (given == 0 && hf_mjcf_peek(view, "inheritrange") != NULL) {
        *limited = false; // it is that of the joint
        return true;
    }
    if (given == 0) {
        return hf_xml_fail_at(hf_mjcf_peek(view, flag), m->robot->error, HF_ERROR_INPUT,
                              "%s=\"true\" needs %s beside it", flag, range);
    }
    return limits[0] < limits[1] ||
           hf_xml_fail_at(hf_mjcf_peek(view, range), m->robot->error, HF_ERROR_RANGE,
                          "%s must rise, got %g to %g", range, limits[0], limits[1]);
}

bool hf_mjcf_condim(hf_mjcf *m, const hf_mjcf_view *view, int *condim)
{
    return hf_mjcf_integer(m, view, "condim", condim) &&
           (*condim == 1 || *condim == 3 || *condim == 4 || *condim == 6 ||
            hf_xml_fail_at(hf_mjcf_peek(view, "condim"), m->robot->error, HF_ERROR_RANGE,
                           "condim must be 1, 3, 4 or 6, got %d", *condim));
}

double hf_mjcf_angle(const hf_mjcf *m, double written)
{
    const double pi = 3.14159265358979323846;
    return m->now->radians ? written : written / 180.0 * pi;
}

// ------------------------------------------------------------------------------------------------
// Places

hf_mjcf_pose hf_mjcf_compose(hf_mjcf_pose outer, hf_mjcf_pose inner)
{
    hf_mat3 r = hf_quat_rotation(outer.turn);
    return (hf_mjcf_pose){hf_v3_add(outer.position, hf_m3_mulv(&r, inner.position)),
                          hf_quat_mul(outer.turn, inner.turn)};
}

// eulerseq: lower case turns about axes that turn along, upper case about fixed ones.
hf_quat hf_mjcf_from_euler(const hf_mjcf *m, const double *angles)
{
    hf_quat turn = {.w = 1.0};
    for (int i = 0; i < 3; ++i) {
        char c = m->now->euler[i];
        char lower = (char)(c >= 'X' && c <= 'Z' ? c - 'X' + 'x' : c);
        hf_vec3 axis = {lower == 'x', lower == 'y', lower == 'z'};
        hf_quat one = hf_quat_from_axis_angle(axis, hf_mjcf_angle(m, angles[i]));
        turn = c == lower ? hf_quat_mul(turn, one) : hf_quat_mul(one, turn);
    }
    return turn;
}

static bool from_axes(hf_vec3 x, hf_vec3 y, hf_quat *turn)
{
    double along = hf_v3_norm(x);
    x = hf_v3_scale(1.0 / along, x);
    y = hf_v3_axpy(y, -hf_v3_dot(x, y), x);
    double across = hf_v3_norm(y);
    if (!(along > HF_ROBOT_NO_DIRECTION) || !(across > HF_ROBOT_NO_DIRECTION)) {
        return false;
    }
    y = hf_v3_scale(1.0 / across, y);
    hf_vec3 z = hf_v3_cross(x, y);
    hf_mat3 r = {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
    *turn = hf_quat_from_rotation(&r);
    return true;
}

static const struct {
    const char *name;
    int count;
} ORIENTATIONS[] = {{"quat", 4}, {"axisangle", 4}, {"euler", 3}, {"xyaxes", 6}, {"zaxis", 3}};
enum { ORIENTATION_COUNT = sizeof ORIENTATIONS / sizeof ORIENTATIONS[0] };

static bool make_turn(hf_mjcf *m, const hf_xml_attribute *a, int kind, const double *n,
                      hf_quat *turn)
{
    bool good = true;
    hf_vec3 first = {n[0], n[1], n[2]};
    switch (kind) {
    case 0:
        *turn = (hf_quat){n[0], n[1], n[2], n[3]};
        good = hf_quat_norm(*turn) > HF_ROBOT_NO_TURN;
        *turn = hf_quat_normalized(*turn);
        break;
    case 1:
        good = hf_v3_norm(first) > HF_ROBOT_NO_DIRECTION;
        *turn = good ? hf_quat_from_axis_angle(first, hf_mjcf_angle(m, n[3])) : *turn;
        break;
    case 2:
        *turn = hf_mjcf_from_euler(m, n);
        break;
    case 3:
        good = from_axes(first, (hf_vec3){n[3], n[4], n[5]}, turn);
        break;
    default:
        good = hf_v3_norm(first) > HF_ROBOT_NO_DIRECTION;
        *turn = good ? hf_robot_from_z(first) : *turn;
    }
    return good ||
           hf_xml_fail_at(a, m->robot->error, HF_ERROR_RANGE,
                          "%s gives no direction: it is zero, or its axes are parallel", a->name);
}

bool hf_mjcf_pose_of(hf_mjcf *m, const hf_mjcf_view *view, hf_mjcf_pose *pose)
{
    m->now = &m->scopes.items[view->element->scope];
    // Its place
    *pose = (hf_mjcf_pose){.turn = {.w = 1.0}};
    if (!hf_mjcf_vec3(m, view, "pos", &pose->position)) {
        return false;
    }
    // An orientation in any form replaces one of another form that is farther away.
    for (int i = 0; i < view->levels.count; ++i) {
        int found = -1;
        for (int k = 0; k < ORIENTATION_COUNT; ++k) {
            hf_xml_attribute *a = hf_xml_get(view->levels.items[i], ORIENTATIONS[k].name);
            double n[6];
            if (a == NULL) {
                continue;
            }
            if (found >= 0) {
                return hf_xml_fail_at(a, m->robot->error, HF_ERROR_INPUT,
                                      "there are two orientations: %s and %s",
                                      ORIENTATIONS[found].name, a->name);
            }
            found = k;
            hf_xml_mark(a, HF_FATE_TAKEN, NULL);
            if (hf_xml_numbers(a->value, ORIENTATIONS[k].count, ORIENTATIONS[k].count, n) < 0) {
                return fail_numbers(m, a, ORIENTATIONS[k].count, ORIENTATIONS[k].count);
            }
            if (!make_turn(m, a, k, n, &pose->turn)) {
                return false;
            }
        }
        if (found >= 0) {
            return true;
        }
    }
    return true;
}

// SPDX-License-Identifier: Apache-2.0
// The crowd's pairs by kind: what finding the points of one pair takes, without the search for
// pairs that are near. Pairs are those whose boxes along the axes overlap, the same ones for all.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "collide.h"
#include "collide/collider.h"

enum { KINDS = 4, MOST_PAIRS = 20000, LOOKS = 10, TURNS = 5 };

static const char *const names[KINDS] = {"sphere", "box", "capsule", "cylinder"};

static hf_solid solid_of(const crowd_body *b)
{
    static const hf_shape_type types[] = {[CROWD_SPHERE] = HF_SHAPE_SPHERE,
                                          [CROWD_BOX] = HF_SHAPE_BOX,
                                          [CROWD_CAPSULE] = HF_SHAPE_CAPSULE,
                                          [CROWD_CYLINDER] = HF_SHAPE_CYLINDER};
    const hf_shape shape = {.type = types[b->kind], .size = {b->size[0], b->size[1], b->size[2]}};
    return hf_solid_make(&shape, hf_v3(b->position[0], b->position[1], b->position[2]),
                         (hf_quat){b->turn[0], b->turn[1], b->turn[2], b->turn[3]});
}

// Half the lengths of the box around a solid.
static void half_of(const hf_solid *s, double half[3])
{
    for (int k = 0; k < 3; ++k) {
        half[k] = hf_solid_extent(s, hf_v3(k == 0, k == 1, k == 2));
    }
}

static int near_pairs(const hf_solid *solids, int pairs[][2])
{
    static double half[CROWD_BODIES][3];
    int count = 0;
    for (int i = 0; i < CROWD_BODIES; ++i) {
        half_of(&solids[i], half[i]);
    }
    for (int i = 0; i < CROWD_BODIES; ++i) {
        for (int j = i + 1; j < CROWD_BODIES && count < MOST_PAIRS; ++j) {
            hf_vec3 d = hf_v3_sub(solids[i].center, solids[j].center);
            if (fabs(d.x) <= half[i][0] + half[j][0] && fabs(d.y) <= half[i][1] + half[j][1] &&
                fabs(d.z) <= half[i][2] + half[j][2]) {
                pairs[count][0] = i;
                pairs[count++][1] = j;
            }
        }
    }
    return count;
}

static int kind_of(const crowd_body *a, const crowd_body *b)
{
    int low = a->kind < b->kind ? (int)a->kind : (int)b->kind;
    int high = a->kind < b->kind ? (int)b->kind : (int)a->kind;
    return low * KINDS + high;
}

static crowd_result look(const hf_solid *solids, int pairs[][2], int count)
{
    crowd_result result = {0};
    double start = crowd_now();
    for (int i = 0; i < count; ++i) {
        hf_meeting touch;
        hf_touch_find(&solids[pairs[i][0]], &solids[pairs[i][1]], 0.0, &touch);
        result.pairs += touch.count > 0;
        result.points += touch.count;
    }
    result.seconds = crowd_now() - start;
    return result;
}

// The least of several times, added to `sum`.
static void add_least(crowd_result *sum, const crowd_result *turns)
{
    double least = HUGE_VAL;
    for (int i = 0; i < TURNS; ++i) {
        least = fmin(least, turns[i].seconds);
    }
    sum->pairs += turns[0].pairs;
    sum->points += turns[0].points;
    sum->seconds += least;
}

static void show(const int *looked, const crowd_result *own, const crowd_result *others)
{
    printf(
        "\n| pairs of | near in a frame | that touch, by ODE | ns each, Holdfast | ODE | times |\n"
        "|---|---|---|---|---|---|\n");
    for (int kind = 0; kind < KINDS * KINDS; ++kind) {
        if (looked[kind] == 0) {
            continue;
        }
        double each = 1e9 / looked[kind];
        printf("| %s and %s | %.0f | %.1f", names[kind / KINDS], names[kind % KINDS],
               (double)looked[kind] / LOOKS, (double)own[kind].pairs / LOOKS);
        if (others != NULL) {
            printf(", %.1f | %.0f | %.0f | %.2f |\n", (double)others[kind].pairs / LOOKS,
                   each * own[kind].seconds, each * others[kind].seconds,
                   own[kind].seconds / others[kind].seconds);
        } else {
            printf(" | %.0f | - | - |\n", each * own[kind].seconds);
        }
    }
}

// Fills looked, own and others, by kind.
static void look_at_all(crowd_body *bodies, crowd_look other, int *looked, crowd_result *own,
                        crowd_result *others)
{
    static hf_solid solids[CROWD_BODIES];
    static int pairs[MOST_PAIRS][2], chosen[MOST_PAIRS][2];
    for (int k = 0; k < LOOKS; ++k) {
        for (int i = 0; i < CROWD_BODIES; ++i) {
            solids[i] = solid_of(&bodies[i]);
        }
        int count = near_pairs(solids, pairs);
        for (int kind = 0; kind < KINDS * KINDS; ++kind) {
            crowd_result now[TURNS], theirs[TURNS] = {0};
            int found = 0;
            for (int i = 0; i < count; ++i) {
                if (kind_of(&bodies[pairs[i][0]], &bodies[pairs[i][1]]) == kind) {
                    chosen[found][0] = pairs[i][0];
                    chosen[found++][1] = pairs[i][1];
                }
            }
            for (int i = 0; i < TURNS; ++i) {
                now[i] = look(solids, chosen, found);
                theirs[i] = other != NULL ? other(bodies, chosen, found) : theirs[i];
            }
            looked[kind] += found;
            add_least(&own[kind], now);
            add_least(&others[kind], theirs);
        }
        for (int i = 0; i < CROWD_FRAMES / LOOKS; ++i) {
            crowd_move(bodies);
        }
    }
}

void crowd_kinds(crowd_body *bodies, crowd_look other)
{
    crowd_result own[KINDS * KINDS] = {0}, others[KINDS * KINDS] = {0};
    int looked[KINDS * KINDS] = {0};
    look_at_all(bodies, other, looked, own, others);
    show(looked, own, other != NULL ? others : NULL);
}

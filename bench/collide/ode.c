// SPDX-License-Identifier: Apache-2.0
// The crowd by ODE: the faster of its spaces here, the sweep and prune one.
#include <ode/ode.h>

#include "collide.h"

enum { MOST_POINTS = 8 };

static void place(dGeomID geom, const crowd_body *b)
{
    dQuaternion turn = {b->turn[0], b->turn[1], b->turn[2], b->turn[3]};
    dGeomSetPosition(geom, b->position[0], b->position[1], b->position[2]);
    dGeomSetQuaternion(geom, turn);
}

static dGeomID geom_of(dSpaceID space, const crowd_body *b)
{
    switch (b->kind) {
    case CROWD_SPHERE:
        return dCreateSphere(space, b->size[0]);
    case CROWD_BOX:
        return dCreateBox(space, b->size[0], b->size[1], b->size[2]);
    case CROWD_CAPSULE:
        return dCreateCapsule(space, b->size[0], b->size[2]);
    default:
        return dCreateCylinder(space, b->size[0], b->size[2]);
    }
}

static void meet(void *data, dGeomID a, dGeomID b)
{
    crowd_result *result = data;
    dContactGeom points[MOST_POINTS];
    int count = dCollide(a, b, MOST_POINTS, points, sizeof *points);
    result->pairs += count > 0;
    result->points += count;
}

crowd_result crowd_ode(crowd_body *bodies)
{
    static dGeomID geoms[CROWD_BODIES];
    crowd_result result = {0};
    dInitODE2(0);
    dSpaceID space = dSweepAndPruneSpaceCreate(0, dSAP_AXES_XYZ);
    for (int i = 0; i < CROWD_BODIES; ++i) {
        geoms[i] = geom_of(space, &bodies[i]);
    }
    for (int frame = 0; frame < CROWD_FRAMES; ++frame) {
        double start = crowd_now();
        for (int i = 0; i < CROWD_BODIES; ++i) {
            place(geoms[i], &bodies[i]);
        }
        dSpaceCollide(space, &result, meet);
        result.seconds += crowd_now() - start;
        crowd_move(bodies);
    }
    dSpaceDestroy(space);
    dCloseODE();
    return result;
}

crowd_result crowd_ode_look(const crowd_body *bodies, int pairs[][2], int count)
{
    static dGeomID geoms[CROWD_BODIES];
    crowd_result result = {0};
    dInitODE2(0);
    for (int i = 0; i < CROWD_BODIES; ++i) {
        dReal box[6];
        geoms[i] = geom_of(0, &bodies[i]);
        place(geoms[i], &bodies[i]);
        dGeomGetAABB(geoms[i], box); // as the search for pairs has it
    }
    double start = crowd_now();
    for (int i = 0; i < count; ++i) {
        meet(&result, geoms[pairs[i][0]], geoms[pairs[i][1]]);
    }
    result.seconds = crowd_now() - start;
    for (int i = 0; i < CROWD_BODIES; ++i) {
        dGeomDestroy(geoms[i]);
    }
    dCloseODE();
    return result;
}

// SPDX-License-Identifier: Apache-2.0
// The crowd by Bullet: its tree of bounds, and no margin around shapes beyond its own.
#include <memory>
#include <vector>

#include <btBulletCollisionCommon.h>

#include "collide.h"

static btCollisionShape *shape_of(const crowd_body &b)
{
    switch (b.kind) {
    case CROWD_SPHERE:
        return new btSphereShape(b.size[0]);
    case CROWD_BOX:
        return new btBoxShape(btVector3(b.size[0], b.size[1], b.size[2]) * btScalar(0.5));
    case CROWD_CAPSULE:
        return new btCapsuleShapeZ(b.size[0], b.size[2]);
    default:
        return new btCylinderShapeZ(btVector3(b.size[0], b.size[0], 0.5 * b.size[2]));
    }
}

static btTransform place_of(const crowd_body &b)
{
    return btTransform(btQuaternion(b.turn[1], b.turn[2], b.turn[3], b.turn[0]),
                       btVector3(b.position[0], b.position[1], b.position[2]));
}

static void count(btDispatcher &dispatcher, crowd_result &result)
{
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
        const btPersistentManifold *m = dispatcher.getManifoldByIndexInternal(i);
        int touching = 0;
        for (int k = 0; k < m->getNumContacts(); ++k) {
            touching += m->getContactPoint(k).getDistance() <= 0;
        }
        result.pairs += touching > 0;
        result.points += touching;
    }
}

crowd_result crowd_bullet(crowd_body *bodies)
{
    crowd_result result = {};
    btDefaultCollisionConfiguration settings;
    btCollisionDispatcher dispatcher(&settings);
    btDbvtBroadphase broad;
    btCollisionWorld world(&dispatcher, &broad, &settings);
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btCollisionObject>> objects;
    for (int i = 0; i < CROWD_BODIES; ++i) {
        shapes.emplace_back(shape_of(bodies[i]));
        objects.emplace_back(new btCollisionObject);
        objects.back()->setCollisionShape(shapes.back().get());
        objects.back()->setWorldTransform(place_of(bodies[i]));
        world.addCollisionObject(objects.back().get());
    }
    for (int frame = 0; frame < CROWD_FRAMES; ++frame) {
        double start = crowd_now();
        for (int i = 0; i < CROWD_BODIES; ++i) {
            objects[i]->setWorldTransform(place_of(bodies[i]));
        }
        world.performDiscreteCollisionDetection();
        result.seconds += crowd_now() - start;
        count(dispatcher, result);
        crowd_move(bodies);
    }
    for (auto &object : objects) {
        world.removeCollisionObject(object.get());
    }
    return result;
}

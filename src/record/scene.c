// SPDX-License-Identifier: Apache-2.0
#include "record/scene.h"

#include <stdio.h>
#include <stdlib.h>

#include "record/js.h"
#include "sim/method_info.h"

static void write_vector(hf_js *js, const char *key, hf_vec3 v)
{
    hf_js_numbers(js, key, (const double[]){v.x, v.y, v.z}, 3);
}

static const char *body_type_name(hf_body_type type)
{
    switch (type) {
    case HF_BODY_MASS:
        return "mass";
    case HF_BODY_RIGID:
        return "rigid";
    case HF_BODY_DRIVEN:
        return "driven";
    case HF_BODY_LINK:
        return "link";
    case HF_BODY_STATIC:
        return "static";
    }
    return "";
}

static const char *joint_type_name(hf_joint_type type)
{
    static const char *const names[] = {"fixed",     "revolute", "prismatic",
                                        "spherical", "planar",   "free"};
    return (unsigned)type < sizeof names / sizeof *names ? names[type] : "";
}

static const char *coupling_type_name(hf_coupling_type type)
{
    static const char *const names[] = {"coordinate", "points",  "distance", "spin",  "plane",
                                        "frames",     "spheres", "swarm",    "shapes"};
    return (unsigned)type < sizeof names / sizeof *names ? names[type] : "";
}

static void write_draw(hf_js *js, const hf_draw *draw)
{
    static const char *const types[] = {"auto", "none", "sphere", "box", "cylinder", "capsule"};
    if (draw->type == HF_DRAW_AUTO && draw->color < 0) {
        return;
    }
    hf_js_object(js, "draw");
    hf_js_text(js, "type", types[draw->type]);
    write_vector(js, "size", draw->size);
    write_vector(js, "center", draw->center);
    hf_js_numbers(js, "turn",
                  (const double[]){draw->turn.x, draw->turn.y, draw->turn.z, draw->turn.w}, 4);
    hf_js_count(js, "color", draw->color);
    hf_js_object_end(js);
}

// Vertices, three numbers each, and triangles of the faces, three vertices each.
static void write_mesh(hf_js *js, const hf_mesh *mesh)
{
    enum { MOST = 256 }; // of a face that is shown
    hf_mesh_info info = hf_mesh_get_info(mesh);
    hf_js_array(js, "vertices");
    for (int i = 0; i < info.vertices; ++i) {
        hf_vec3 v = hf_mesh_vertex(mesh, i);
        hf_js_number(js, NULL, v.x);
        hf_js_number(js, NULL, v.y);
        hf_js_number(js, NULL, v.z);
    }
    hf_js_array_end(js);
    hf_js_array(js, "triangles");
    for (int f = 0; f < info.faces; ++f) {
        int loop[MOST], count = hf_mesh_face(mesh, f, loop, MOST);
        for (int k = 1; k + 1 < count && k + 1 < MOST; ++k) {
            hf_js_count(js, NULL, loop[0]);
            hf_js_count(js, NULL, loop[k]);
            hf_js_count(js, NULL, loop[k + 1]);
        }
    }
    hf_js_array_end(js);
}

static void write_shape(hf_js *js, const hf_body_info *body)
{
    const hf_quat turn = body->shape.turn;
    hf_js_text(js, "shape", hf_shape_name(body->shape.type));
    write_vector(js, "size", body->shape.size);
    write_vector(js, "shape_center", body->shape_center);
    if (turn.x != 0.0 || turn.y != 0.0 || turn.z != 0.0) {
        hf_js_numbers(js, "shape_turn", (const double[]){turn.w, turn.x, turn.y, turn.z}, 4);
    }
    if (body->shape.type == HF_SHAPE_MESH) {
        write_mesh(js, body->shape.mesh);
    }
}

static void write_body(hf_js *js, const hf_body_info *body)
{
    hf_js_object(js, NULL);
    hf_js_text(js, "name", body->name);
    hf_js_text(js, "type", body_type_name(body->type));
    hf_js_number(js, "mass", body->mass);
    write_shape(js, body);
    write_draw(js, &body->draw);
    if (body->type == HF_BODY_MASS || body->type == HF_BODY_DRIVEN) {
        hf_js_count(js, "dim", body->dim);
        hf_js_array(js, "axes");
        for (int i = 0; i < body->dim; ++i) {
            hf_js_count(js, NULL, body->axes[i]);
        }
        hf_js_array_end(js);
    }
    if (body->type == HF_BODY_RIGID || body->type == HF_BODY_LINK) {
        const hf_sym3 i = body->inertia;
        hf_js_numbers(js, "inertia", (const double[]){i.xx, i.yy, i.zz, i.xy, i.xz, i.yz}, 6);
    }
    if (body->type == HF_BODY_LINK) {
        hf_js_text(js, "joint", joint_type_name(body->joint));
        hf_js_count(js, "parent", body->parent.id);
        write_vector(js, "offset", body->offset);
        write_vector(js, "axis", body->axis);
        write_vector(js, "center", body->center);
    }
    hf_js_object_end(js);
}

static void write_place(hf_js *js, const char *key, hf_frame frame)
{
    hf_js_object(js, key);
    hf_js_count(js, "body", frame.body.id);
    write_vector(js, "point", frame.point);
    hf_js_numbers(js, "turn",
                  (const double[]){frame.turn.w, frame.turn.x, frame.turn.y, frame.turn.z}, 4);
    hf_js_object_end(js);
}

static void write_coordinate(hf_js *js, const char *key, hf_coordinate coordinate)
{
    hf_js_object(js, key);
    hf_js_count(js, "body", coordinate.body.id);
    hf_js_count(js, "axis", coordinate.axis);
    hf_js_object_end(js);
}

static void write_force(hf_js *js, const hf_force_info *force)
{
    const hf_coupling_def *coupling = &force->coupling;
    hf_js_object(js, NULL);
    hf_js_text(js, "name", force->name);
    hf_js_text(js, "law", force->law);
    hf_js_flag(js, "friction", force->friction);
    hf_js_text(js, "coupling", coupling_type_name(coupling->type));
    hf_js_count(js, "dim", force->dim);
    if (coupling->type == HF_COUPLING_COORDINATE) {
        write_coordinate(js, "on", coupling->on_coordinate);
        write_coordinate(js, "to", coupling->to_coordinate);
    } else {
        write_place(js, "on", coupling->on_frame);
        write_place(js, "to", coupling->to_frame);
        hf_js_number(js, "radius", coupling->radius);
    }
    hf_js_object_end(js);
}

static void write_run(hf_js *js, const hf_sim *sim, double duration)
{
    const hf_method_def method = hf_sim_method(sim);
    hf_model_info info = hf_model_get_info(hf_sim_model(sim));
    hf_js_object(js, "run");
    hf_js_text(js, "version", HF_VERSION);
    hf_js_text(js, "method", hf_method_name(method.type));
    hf_js_number(js, "step", method.step);
    hf_js_number(js, "duration", duration);
    hf_js_count(js, "bodies", info.bodies);
    hf_js_count(js, "forces", info.forces);
    hf_js_count(js, "coordinates", info.coordinates);
    hf_js_count(js, "velocities", info.velocities);
    hf_js_object_end(js);
}

// A JSON text in memory, from begin to finish.
typedef struct text {
    char *bytes;
    size_t size;
    hf_js js;
} text;

static bool begin(text *t)
{
    *t = (text){0};
    FILE *file = open_memstream(&t->bytes, &t->size);
    if (file == NULL) {
        return false;
    }
    if (!hf_js_start(&t->js, file)) {
        (void)fclose(file);
        free(t->bytes);
        return false;
    }
    return true;
}

static char *finish(text *t)
{
    hf_js_stop(&t->js);
    bool good = !ferror(t->js.file);
    if (fclose(t->js.file) != 0 || !good) {
        free(t->bytes);
        return NULL;
    }
    return t->bytes;
}

char *hf_scene_text(const hf_sim *sim, const hf_frame_plan *plan, double duration)
{
    const hf_model *model = hf_sim_model(sim);
    text t;
    if (!begin(&t)) {
        return NULL;
    }
    hf_js *js = &t.js;
    hf_js_object(js, NULL);
    write_run(js, sim, duration);
    write_vector(js, "gravity", hf_model_gravity(model));
    if (!plan->wanted) {
        hf_js_text(js, "note", "the machine is too large for its movement to be kept");
    }
    hf_js_array(js, "bodies");
    for (int id = 1; plan->wanted && id <= plan->bodies; ++id) {
        hf_body_info body = hf_model_body_info(model, (hf_body){id});
        write_body(js, &body);
    }
    hf_js_array_end(js);
    hf_js_array(js, "forces");
    for (int id = 1; plan->wanted && id <= plan->forces; ++id) {
        hf_force_info force = hf_model_force_info(model, (hf_force){id});
        write_force(js, &force);
    }
    hf_js_array_end(js);
    hf_js_object_end(js);
    return finish(&t);
}

static void write_energy(hf_js *js, hf_sim *sim)
{
    hf_energy e = hf_sim_energy(sim);
    hf_js_object(js, "energy");
    hf_js_number(js, "kinetic", e.kinetic);
    hf_js_number(js, "potential", e.potential);
    hf_js_number(js, "stored", e.stored);
    hf_js_number(js, "start", e.start);
    hf_js_number(js, "input", e.input);
    hf_js_number(js, "dissipated", e.dissipated);
    hf_js_number(js, "residual", e.residual);
    hf_js_number(js, "turnover", e.turnover);
    hf_js_object_end(js);
}

// What a method does besides stepping, where it does it.
static void write_method_stats(hf_js *js, const hf_sim *sim, const hf_sim_stats *stats)
{
    if (stats->most_contacts > 0) {
        hf_js_object(js, "contacts");
        hf_js_count(js, "most", stats->most_contacts);
        hf_js_number(js, "worst_residual", stats->worst_residual);
        hf_js_count(js, "unsolved_steps", stats->unsolved_steps);
        hf_js_count(js, "iterations", stats->solver_iterations);
        hf_js_object_end(js);
    }
    if (hf_method_info_get(hf_sim_method(sim).type)->locates_events) {
        hf_js_count(js, "events", stats->events);
    }
    if (hf_model_get_info(hf_sim_model(sim)).loops > 0) {
        hf_js_number(js, "largest_opening", stats->largest_opening);
    }
}

static void write_force_stats(hf_js *js, const hf_sim *sim, hf_force force)
{
    hf_force_stats s = hf_sim_force_stats(sim, force);
    hf_js_object(js, NULL);
    hf_js_text(js, "name", hf_model_force_name(hf_sim_model(sim), force));
    hf_js_flag(js, "friction", s.friction);
    if (s.friction) {
        hf_js_number(js, "stick_seconds", s.stick_seconds);
        hf_js_number(js, "slip_seconds", s.slip_seconds);
        hf_js_number(js, "open_seconds", s.open_seconds);
        hf_js_count(js, "transitions", s.transitions);
    }
    hf_js_number(js, "dissipated", s.dissipated);
    hf_js_number(js, "input", s.input);
    hf_js_number(js, "largest_force", s.largest_force);
    hf_js_object_end(js);
}

char *hf_summary_text(hf_sim *sim, bool completed, double wall_seconds)
{
    text t;
    if (!begin(&t)) {
        return NULL;
    }
    hf_js *js = &t.js;
    hf_sim_stats stats = hf_sim_get_stats(sim);
    hf_js_object(js, NULL);
    hf_js_flag(js, "completed", completed);
    hf_js_number(js, "time", hf_sim_time(sim));
    hf_js_count(js, "steps", stats.steps);
    hf_js_count(js, "evaluations", stats.evaluations);
    hf_js_number(js, "wall_seconds", wall_seconds);
    hf_js_number(js, "largest_penetration", stats.largest_penetration);
    write_energy(js, sim);
    write_method_stats(js, sim, &stats);
    hf_js_array(js, "forces");
    int count = hf_model_get_info(hf_sim_model(sim)).forces;
    for (int id = 1; id <= count; ++id) {
        write_force_stats(js, sim, (hf_force){id});
    }
    hf_js_array_end(js);
    hf_js_object_end(js);
    return finish(&t);
}

// SPDX-License-Identifier: Apache-2.0
// The scene (what pictures need of a machine) and the summary of a run, as JSON.
#include "record/scene.h"

#include <stdio.h>
#include <stdlib.h>

#include <holdfast/coupling.h>

#include "base/json.h"
#include "bodies/body.h"
#include "sim/method_info.h"

static void write_vector(hf_json *json, const char *key, hf_vec3 v)
{
    hf_json_numbers(json, key, (const double[]){v.x, v.y, v.z}, 3);
}

// As everywhere in a scene: w x y z.
static void write_turn(hf_json *json, const char *key, hf_quat q)
{
    hf_json_numbers(json, key, (const double[]){q.w, q.x, q.y, q.z}, 4);
}

static const char *joint_type_name(hf_joint_type type)
{
    static const char *const names[] = {"fixed",     "revolute", "prismatic",
                                        "spherical", "planar",   "free"};
    return (unsigned)type < sizeof names / sizeof *names ? names[type] : "";
}

static void write_vertex(hf_json *json, hf_vec3 v)
{
    hf_json_number(json, NULL, v.x);
    hf_json_number(json, NULL, v.y);
    hf_json_number(json, NULL, v.z);
}

// Vertices, three numbers each, and triangles of the faces, three vertices each.
static void write_mesh(hf_json *json, const hf_mesh *mesh)
{
    enum { MOST = 256 }; // of a face that is shown
    hf_mesh_info info = hf_mesh_get_info(mesh);
    hf_json_begin_list(json, "vertices");
    for (int i = 0; i < info.vertices; ++i) {
        write_vertex(json, hf_mesh_vertex(mesh, i));
    }
    hf_json_end_list(json);
    hf_json_begin_list(json, "triangles");
    for (int f = 0; f < info.faces; ++f) {
        int loop[MOST], count = hf_mesh_face(mesh, f, loop, MOST);
        for (int k = 1; k + 1 < count && k + 1 < MOST; ++k) {
            hf_json_count(json, NULL, loop[0]);
            hf_json_count(json, NULL, loop[k]);
            hf_json_count(json, NULL, loop[k + 1]);
        }
    }
    hf_json_end_list(json);
}

// A surface of triangles in the same way, when no more than `*room` are left to it; else how many
// triangles are not shown.
static void write_triangles(hf_json *json, const hf_triangles *surface, int *room)
{
    hf_triangles_info info = hf_triangles_get_info(surface);
    if (info.triangles > *room) {
        hf_json_count(json, "undrawn", info.triangles);
        return;
    }
    *room -= info.triangles;
    hf_json_begin_list(json, "vertices");
    for (int i = 0; i < info.vertices; ++i) {
        write_vertex(json, hf_triangles_vertex(surface, i));
    }
    hf_json_end_list(json);
    hf_json_begin_list(json, "triangles");
    for (int t = 0; t < info.triangles; ++t) {
        int corners[3];
        hf_triangles_corners(surface, t, corners);
        for (int k = 0; k < 3; ++k) {
            hf_json_count(json, NULL, corners[k]);
        }
    }
    hf_json_end_list(json);
}

static void write_shown(hf_json *json, const hf_draw_mesh *mesh, int *room)
{
    if (mesh->triangle_count > *room) {
        hf_json_count(json, "undrawn", mesh->triangle_count);
        return;
    }
    *room -= mesh->triangle_count;
    hf_json_begin_list(json, "vertices");
    for (int i = 0; i < mesh->point_count; ++i) {
        write_vertex(json, mesh->points[i]);
    }
    hf_json_end_list(json);
    hf_json_begin_list(json, "triangles");
    for (int i = 0; i < 3 * mesh->triangle_count; ++i) {
        hf_json_count(json, NULL, mesh->corners[i]);
    }
    hf_json_end_list(json);
}

static void write_figure(hf_json *json, const hf_draw *draw, int *room)
{
    static const char *const types[] = {"auto",     "none",    "sphere",    "box",
                                        "cylinder", "capsule", "ellipsoid", "triangles"};
    hf_json_text(json, "type", types[draw->type]);
    write_vector(json, "size", draw->size);
    write_vector(json, "center", draw->center);
    write_turn(json, "orientation", draw->turn); // `turn` of older recordings is x y z w
    hf_json_count(json, "color", draw->color);
    if (draw->type == HF_DRAW_MESH) {
        write_shown(json, &draw->mesh, room);
    }
}

static void write_draw(hf_json *json, const hf_body_info *body, int *room)
{
    if (body->draw.type != HF_DRAW_AUTO || body->draw.color >= 0) {
        hf_json_begin(json, "draw");
        write_figure(json, &body->draw, room);
        hf_json_end(json);
    }
    if (body->figure_count == 0) {
        return;
    }
    hf_json_begin_list(json, "figures");
    for (int i = 0; i < body->figure_count; ++i) {
        hf_json_begin(json, NULL);
        write_figure(json, &body->figures[i], room);
        hf_json_end(json);
    }
    hf_json_end_list(json);
}

static void write_shape(hf_json *json, const hf_shape *shape, hf_vec3 center, int *room)
{
    const hf_quat turn = shape->turn;
    hf_json_text(json, "shape", hf_shape_name(shape->type));
    write_vector(json, "size", shape->size);
    write_vector(json, "shape_center", center);
    if (turn.x != 0.0 || turn.y != 0.0 || turn.z != 0.0) {
        write_turn(json, "shape_turn", turn);
    }
    if (shape->type == HF_SHAPE_MESH) {
        write_mesh(json, shape->mesh);
    } else if (shape->type == HF_SHAPE_TRIANGLES) {
        write_triangles(json, shape->triangles, room);
    }
}

// The shape of the body's definition is the body's own; the others are listed.
static void write_shapes(hf_json *json, const hf_body_info *body, int *room)
{
    write_shape(json, &body->shape, body->shape_center, room);
    int own = body->shape.type == HF_SHAPE_POINT ? 0 : 1;
    if (body->shape_count <= own) {
        return;
    }
    hf_json_begin_list(json, "shapes");
    for (int i = own; i < body->shape_count; ++i) {
        const hf_shape_def *def = &body->shapes[i];
        hf_json_begin(json, NULL);
        hf_json_text(json, "name", def->name);
        write_shape(json, &def->shape, def->center, room);
        hf_json_end(json);
    }
    hf_json_end_list(json);
}

static void write_body(hf_json *json, const hf_body_info *body, int *room)
{
    // Every body
    hf_json_begin(json, NULL);
    hf_json_text(json, "name", body->name);
    hf_json_text(json, "type", hf_body_ops_of(body->type)->name);
    hf_json_number(json, "mass", body->mass);
    write_shapes(json, body, room);
    write_draw(json, body, room);
    // What its kind has besides
    if (hf_body_ops_of(body->type)->in_axes) {
        hf_json_count(json, "dim", body->dim);
        hf_json_begin_list(json, "axes");
        for (int i = 0; i < body->dim; ++i) {
            hf_json_count(json, NULL, body->axes[i]);
        }
        hf_json_end_list(json);
    }
    if (hf_body_ops_of(body->type)->turns) {
        const hf_sym3 i = body->inertia;
        hf_json_numbers(json, "inertia", (const double[]){i.xx, i.yy, i.zz, i.xy, i.xz, i.yz}, 6);
    }
    if (hf_body_ops_of(body->type)->jointed) {
        hf_json_text(json, "joint", joint_type_name(body->joint));
        hf_json_count(json, "parent", body->parent.id);
        write_vector(json, "offset", body->offset);
        write_vector(json, "axis", body->axis);
        write_vector(json, "center", body->center);
    }
    hf_json_end(json);
}

static void write_place(hf_json *json, const char *key, hf_frame frame)
{
    hf_json_begin(json, key);
    hf_json_count(json, "body", frame.body.id);
    write_vector(json, "point", frame.point);
    write_turn(json, "turn", frame.turn);
    hf_json_end(json);
}

static void write_coordinate(hf_json *json, const char *key, hf_coordinate coordinate)
{
    hf_json_begin(json, key);
    hf_json_count(json, "body", coordinate.body.id);
    bool spin = coordinate.axis >= HF_SPIN_X;
    hf_json_count(json, "axis", spin ? coordinate.axis - HF_SPIN_X : coordinate.axis);
    hf_json_end(json);
}

// What a friction can hold at rest, where that is one number: dials show the used share of it.
static void write_level(hf_json *json, const hf_force_info *force)
{
    for (int i = 0; force->friction && i < force->info->param_count; ++i) {
        const hf_param *param = &force->info->params[i];
        const hf_level *level = (const void *)((const char *)force->def + param->offset);
        if (param->kind == HF_PARAM_LEVEL && !level->per_normal) {
            hf_json_number(json, "level", hf_level_at(level, HF_FORTH, 0.0, 0.0, HF_REGIME_STICK));
            return;
        }
    }
}

static void write_force(hf_json *json, const hf_force_info *force)
{
    const hf_coupling_def *coupling = &force->coupling;
    const hf_coupling_ops *ops = hf_coupling_ops_of(coupling);
    // What it is
    hf_json_begin(json, NULL);
    hf_json_text(json, "name", force->name);
    hf_json_text(json, "law", force->law);
    hf_json_flag(json, "friction", force->friction);
    write_level(json, force);
    hf_json_text(json, "coupling", ops->name);
    hf_json_count(json, "dim", force->dim);
    // Where it acts: coordinates, or places on two bodies
    if (coupling->term_count > 0) {
        hf_coordinate none = {0};
        write_coordinate(json, "on", coupling->terms[0].coordinate);
        write_coordinate(json, "to",
                         coupling->term_count > 1 ? coupling->terms[1].coordinate : none);
    } else if (coupling->coordinate_count > 0) {
        hf_coordinate none = {0};
        write_coordinate(json, "on", coupling->coordinates[0]);
        write_coordinate(json, "to",
                         coupling->coordinate_count > 1 ? coupling->coordinates[1] : none);
    } else if (!ops->in_space) {
        write_coordinate(json, "on", coupling->on_coordinate);
        write_coordinate(json, "to", coupling->to_coordinate);
    } else if (coupling->part_count > 0) {
        hf_frame ends[HF_COUPLING_MAX_TERMS];
        (void)ops->ends(coupling, ends);
        write_place(json, "on", ends[0]);
        write_place(json, "to", ends[1]);
    } else {
        write_place(json, "on", coupling->on_frame);
        write_place(json, "to", coupling->to_frame);
        hf_json_number(json, "radius", coupling->radius);
    }
    hf_json_end(json);
}

static void write_run(hf_json *json, const hf_sim *sim, double duration)
{
    const hf_method_def method = hf_sim_method(sim);
    hf_model_info info = hf_model_get_info(hf_sim_model(sim));
    hf_json_begin(json, "run");
    hf_json_text(json, "version", HF_VERSION);
    hf_json_text(json, "method", hf_method_name(method.type));
    hf_json_number(json, "step", method.step);
    hf_json_number(json, "duration", duration);
    hf_json_count(json, "bodies", info.bodies);
    hf_json_count(json, "forces", info.forces);
    hf_json_count(json, "coordinates", info.coordinates);
    hf_json_count(json, "velocities", info.velocities);
    hf_json_end(json);
}

// A JSON text in memory, from begin to finish.
typedef struct text {
    char *bytes;
    size_t size;
    hf_json json;
} text;

static bool begin(text *t)
{
    *t = (text){0};
    FILE *file = open_memstream(&t->bytes, &t->size);
    if (file == NULL) {
        return false;
    }
    t->json = (hf_json){.file = file, .compact = true};
    return true;
}

static char *finish(text *t)
{
    bool good = !ferror(t->json.file);
    if (fclose(t->json.file) != 0 || !good) {
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
    hf_json *json = &t.json;
    // The run and the world
    hf_json_begin(json, NULL);
    write_run(json, sim, duration);
    write_vector(json, "gravity", hf_model_gravity(model));
    if (!plan->wanted) {
        hf_json_text(json, "note", "the machine is too large for its movement to be kept");
    }
    // Bodies and forces, if the movement is kept
    int room = 100000; // triangles of all surfaces, that a page can show
    hf_json_begin_list(json, "bodies");
    for (int id = 1; plan->wanted && id <= plan->bodies; ++id) {
        hf_body_info body = hf_model_body_info(model, (hf_body){id});
        write_body(json, &body, &room);
    }
    hf_json_end_list(json);
    hf_json_begin_list(json, "forces");
    for (int id = 1; plan->wanted && id <= plan->forces; ++id) {
        hf_force_info force = hf_model_force_info(model, (hf_force){id});
        write_force(json, &force);
    }
    hf_json_end_list(json);
    hf_json_end(json);
    return finish(&t);
}

void hf_json_energy(hf_json *json, const hf_energy *e)
{
    hf_json_number(json, "kinetic", e->kinetic);
    hf_json_number(json, "potential", e->potential);
    hf_json_number(json, "stored", e->stored);
    hf_json_number(json, "start", e->start);
    hf_json_number(json, "input", e->input);
    hf_json_number(json, "dissipated", e->dissipated);
    hf_json_number(json, "residual", e->residual);
    hf_json_number(json, "turnover", e->turnover);
}

void hf_json_force_stats(hf_json *json, const hf_force_stats *s)
{
    if (s->friction) {
        hf_json_number(json, "stick_seconds", s->stick_seconds);
        hf_json_number(json, "slip_seconds", s->slip_seconds);
        hf_json_number(json, "open_seconds", s->open_seconds);
        hf_json_count(json, "transitions", s->transitions);
    }
    hf_json_number(json, "dissipated", s->dissipated);
    hf_json_number(json, "input", s->input);
    hf_json_number(json, "largest_force", s->largest_force);
}

static void write_energy(hf_json *json, hf_sim *sim)
{
    hf_energy e = hf_sim_energy(sim);
    hf_json_begin(json, "energy");
    hf_json_energy(json, &e);
    hf_json_end(json);
}

// What a method does besides stepping, where it does it.
static void write_method_stats(hf_json *json, const hf_sim *sim, const hf_sim_stats *stats)
{
    if (stats->most_contacts > 0) {
        hf_json_begin(json, "contacts");
        hf_json_count(json, "most", stats->most_contacts);
        hf_json_number(json, "worst_residual", stats->worst_residual);
        hf_json_count(json, "unsolved_steps", stats->unsolved_steps);
        hf_json_count(json, "iterations", stats->solver_iterations);
        hf_json_end(json);
    }
    if (hf_method_info_get(hf_sim_method(sim).type)->locates_events) {
        hf_json_count(json, "events", stats->events);
    }
    if (hf_model_get_info(hf_sim_model(sim)).loops > 0) {
        hf_json_number(json, "largest_opening", stats->largest_opening);
    }
}

static void write_force_stats(hf_json *json, const hf_sim *sim, hf_force force)
{
    hf_force_stats s = hf_sim_force_stats(sim, force);
    hf_json_begin(json, NULL);
    hf_json_text(json, "name", hf_model_force_name(hf_sim_model(sim), force));
    hf_json_flag(json, "friction", s.friction);
    hf_json_force_stats(json, &s);
    hf_json_end(json);
}

static void write_verdict(hf_json *json, const hf_verdict *verdict)
{
    hf_json_begin(json, "verdict");
    hf_json_text(json, "verdict", verdict->trustworthy ? "trustworthy" : "doubtful");
    hf_json_text(json, "why", verdict->why);
    if (verdict->within[0] != '\0') {
        hf_json_text(json, "within", verdict->within);
    }
    hf_json_flag(json, "compared", verdict->compared);
    hf_json_end(json);
}

char *hf_summary_text(hf_sim *sim, bool completed, double wall_seconds, const hf_verdict *verdict)
{
    text t;
    if (!begin(&t)) {
        return NULL;
    }
    hf_json *json = &t.json;
    hf_sim_stats stats = hf_sim_get_stats(sim);
    hf_json_begin(json, NULL);
    hf_json_flag(json, "completed", completed);
    write_verdict(json, verdict);
    hf_json_number(json, "time", hf_sim_time(sim));
    hf_json_count(json, "steps", stats.steps);
    hf_json_count(json, "evaluations", stats.evaluations);
    hf_json_number(json, "wall_seconds", wall_seconds);
    hf_json_number(json, "largest_penetration", stats.largest_penetration);
    write_energy(json, sim);
    write_method_stats(json, sim, &stats);
    hf_json_begin_list(json, "forces");
    int count = hf_model_get_info(hf_sim_model(sim)).forces;
    for (int id = 1; id <= count; ++id) {
        write_force_stats(json, sim, (hf_force){id});
    }
    hf_json_end_list(json);
    hf_json_end(json);
    return finish(&t);
}

// SPDX-License-Identifier: Apache-2.0
// Reading frames off a sim.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/coupling.h>

#include "bodies/body.h"
#include "record/scene.h"

enum {
    FRAMES_WANTED = 1500,
    FRAMES_LEAST = 100,
    CONTACTS_MOST = 128,
    BYTES_MOST = 1 << 25 // of all frames of a run
};

// Whether contacts of a force have no place in common, so that a frame's forces do not show them.
static bool is_of_pairs(const hf_model *model, hf_force force)
{
    hf_force_info info = hf_model_force_info(model, force);
    return hf_coupling_ops_of(&info.coupling)->finds_contacts;
}

// Places for the contacts of a frame: eight for each body that can move, to a limit.
static int contact_places(const hf_sim *sim)
{
    const hf_model *model = hf_sim_model(sim);
    hf_model_info info = hf_model_get_info(model);
    hf_method_type method = hf_sim_method(sim).type;
    bool some = false;
    for (int id = 1; id <= info.forces && !some; ++id) {
        some = is_of_pairs(model, (hf_force){id});
    }
    if (!some || !hf_method_solves_contacts(method)) {
        return 0;
    }
    int places = 0;
    for (int id = 1; id <= info.bodies && places < CONTACTS_MOST; ++id) {
        places += hf_body_ops_of(hf_model_body_info(model, (hf_body){id}).type)->scenery ? 0 : 8;
    }
    return places;
}

hf_frame_plan hf_frame_plan_make(const hf_sim *sim, double duration)
{
    hf_model_info info = hf_model_get_info(hf_sim_model(sim));
    int contacts = contact_places(sim);
    double row = (double)sizeof(float) * ((double)info.bodies * HF_FRAME_POSE_COLUMNS +
                                          (double)info.forces * HF_FRAME_FORCE_COLUMNS +
                                          (double)contacts * HF_FRAME_CONTACT_COLUMNS) +
                 sizeof(double) * (1.0 + HF_FRAME_ENERGY_COLUMNS);
    int most = (int)fmin(FRAMES_WANTED, BYTES_MOST / row);
    return (hf_frame_plan){.wanted = most >= FRAMES_LEAST,
                           .interval = duration / most,
                           .most = most,
                           .bodies = info.bodies,
                           .forces = info.forces,
                           .contacts = contacts};
}

static float *put_vector(float *to, hf_vec3 v)
{
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
    return to + 3;
}

// Room for so many contacts.
static bool grow_list(hf_frame_rows *rows, int count)
{
    int room = count + count / 2;
    hf_contact_view *views = realloc(rows->views, (size_t)room * sizeof *views);
    rows->views = views == NULL ? rows->views : views;
    float *list = realloc(rows->list, (size_t)room * HF_FRAME_LIST_COLUMNS * sizeof *list);
    rows->list = list == NULL ? rows->list : list;
    if (views == NULL || list == NULL) {
        return false;
    }
    rows->room = room;
    return true;
}

// All contacts that push into the list; and into the places of the frame, where these are enough:
// some of them would tell half of it.
static bool fill_contacts(hf_sim *sim, int places, hf_frame_rows *rows)
{
    // All contacts of the step, in a list that grows with them
    rows->listed = 0;
    memset(rows->contacts, 0, (size_t)places * HF_FRAME_CONTACT_COLUMNS * sizeof *rows->contacts);
    int count = places == 0 ? 0 : hf_sim_contacts(sim, rows->views, rows->room);
    if (count > rows->room) {
        if (!grow_list(rows, count)) {
            return false;
        }
        count = hf_sim_contacts(sim, rows->views, rows->room);
    }
    // Those that push, between pairs of bodies
    float *to = rows->list;
    for (int i = 0; i < count; ++i) {
        const hf_contact_view *view = &rows->views[i];
        if (view->regime == HF_REGIME_OPEN || !is_of_pairs(hf_sim_model(sim), view->force)) {
            continue;
        }
        to = put_vector(to, view->point);
        to = put_vector(to, view->push);
        *to++ = (float)view->regime;
        *to++ = (float)view->on.id;
        *to++ = (float)view->to.id;
        ++rows->listed;
    }
    // The same in the frame, if it has room for all
    for (int i = 0; i < rows->listed && rows->listed <= places; ++i) {
        memcpy(rows->contacts + (size_t)i * HF_FRAME_CONTACT_COLUMNS,
               rows->list + (size_t)i * HF_FRAME_LIST_COLUMNS,
               HF_FRAME_CONTACT_COLUMNS * sizeof *rows->list);
    }
    return true;
}

bool hf_frame_fill(hf_sim *sim, const hf_frame_plan *plan, hf_frame_rows *rows)
{
    rows->time = hf_sim_time(sim);
    // Where the bodies are
    float *to = rows->poses;
    for (int id = 1; id <= plan->bodies; ++id) {
        hf_vec3 position;
        hf_quat turn;
        hf_sim_pose(sim, (hf_body){id}, &position, &turn);
        to = put_vector(to, position);
        *to++ = (float)turn.w;
        to = put_vector(to, (hf_vec3){turn.x, turn.y, turn.z});
    }
    // What the forces do, and where
    to = rows->forces;
    for (int id = 1; id <= plan->forces; ++id) {
        hf_force_view view = hf_sim_force_view(sim, (hf_force){id});
        to = put_vector(to, view.on_point);
        to = put_vector(to, view.to_point);
        to = put_vector(to, view.force);
        *to++ = (float)view.size;
        *to++ = (float)view.gap;
        *to++ = (float)view.regime;
    }
    // Contacts and the ledger of energy
    bool good = fill_contacts(sim, plan->contacts, rows);
    hf_energy e = hf_sim_energy(sim);
    const double energy[HF_FRAME_ENERGY_COLUMNS] = {e.kinetic, e.potential,  e.stored,
                                                    e.input,   e.dissipated, e.residual};
    for (int i = 0; i < HF_FRAME_ENERGY_COLUMNS; ++i) {
        rows->energy[i] = energy[i];
    }
    return good;
}

// SPDX-License-Identifier: Apache-2.0
// Units of channels.
#include "base/error.h"
#include "compile/channels_asked.h"

// Whether the row of a coupling is a turn (rad) rather than a shift (m).
static bool is_turn(const hf_model *model, int index, int axis)
{
    const hf_force_place *force = &model->forces[index];
    return force->ops->row_turns(&force->coupling_def, model->sites, axis);
}

// A number of a law that belongs to a row.
static const char *law_unit(const hf_model *model, int index, hf_law_unit unit, int axis)
{
    switch (unit) {
    case HF_UNIT_GAP:
        return is_turn(model, index, axis) ? "rad" : "m";
    case HF_UNIT_FORCE:
        return is_turn(model, index, axis) ? "Nm" : "N";
    case HF_UNIT_ANGLE:
        return "rad";
    case HF_UNIT_NONE:
        break;
    }
    return "";
}

// Of a body's coordinate, or its rate.
static const char *body_unit(const hf_body_place *place, int axis, bool rate)
{
    if (place->ops->unit != NULL) {
        return place->ops->unit(place->body, axis, rate);
    }
    bool turns =
        place->joint == HF_JOINT_REVOLUTE || (place->joint == HF_JOINT_PLANAR && axis == 2);
    return turns ? (rate ? "rad/s" : "rad") : (rate ? "m/s" : "m");
}

const char *hf_body_rate_unit(const hf_body_place *place, int axis)
{
    bool angular = (place->joint == HF_JOINT_FREE || place->ops->floats) && axis >= 3;
    return angular || place->joint == HF_JOINT_SPHERICAL ? "rad/s" : body_unit(place, axis, true);
}

const char *hf_model_channel_unit(const hf_model *model, hf_channel channel)
{
    HF_ASSERT(channel.id >= 1 && channel.id <= model->channel_count);
    const hf_channel_place *place = &model->channels[channel.id - 1];
    switch (place->quantity) {
    case HF_QUANTITY_POSITION:
        return body_unit(&model->bodies[place->component], place->axis, false);
    case HF_QUANTITY_VELOCITY:
        return body_unit(&model->bodies[place->component], place->axis, true);
    case HF_QUANTITY_ANGULAR_VELOCITY:
        return "rad/s";
    case HF_QUANTITY_ASKED: {
        const hf_asked *asked = &model->asked[place->component];
        return hf_asked_unit(asked, place->axis,
                             body_unit(&model->bodies[asked->body - 1], place->axis, true));
    }
    case HF_QUANTITY_POWER:
        return "W";
    case HF_QUANTITY_FORCE:
        return is_turn(model, place->component, place->axis) ? "Nm" : "N";
    case HF_QUANTITY_GAP:
        return is_turn(model, place->component, place->axis) ? "rad" : "m";
    case HF_QUANTITY_RATE:
        return is_turn(model, place->component, place->axis) ? "rad/s" : "m/s";
    case HF_QUANTITY_STATE:
        return law_unit(model, place->component, model->forces[place->component].info->state_unit,
                        place->axis);
    case HF_QUANTITY_SHOWN:
        return law_unit(model, place->component,
                        model->forces[place->component].info->channels[place->axis].unit, 0);
    case HF_QUANTITY_LOOP_FORCE:
        return model->loops[place->component].turns ? "Nm" : "N";
    case HF_QUANTITY_NORMAL:
        return "N";
    case HF_QUANTITY_LOOP_TORQUE:
        return "Nm";
    case HF_QUANTITY_LOOP_ERROR:
        return "m";
    case HF_QUANTITY_LOOP_ANGLE_ERROR:
        return "rad";
    case HF_QUANTITY_DISSIPATED:
    case HF_QUANTITY_STORED:
    case HF_QUANTITY_INPUT:
    case HF_QUANTITY_ENERGY:
        return "J";
    default:
        return "";
    }
}

// SPDX-License-Identifier: Apache-2.0
// What becomes of elements and attributes that no reader has marked. The first rule that fits
// holds; what fits none is not represented.
#include <string.h>

#include "robots/mjcf/mjcf.h"

#define SOFT   "contacts and limits are rigid here: there is no softness to set"
#define HINT   "a hint for MuJoCo's solver"
#define SHOWN  "only shown"
#define SENSED "a sensor measures; it moves nothing"
#define UNUSED "no element takes this default"

static const hf_account_rule RULES[] = {
    // Pictures
    {"visual/**", "*", HF_FATE_SEEN, SHOWN},
    {"statistic", "*", HF_FATE_SEEN, SHOWN},
    {"camera", "*", HF_FATE_SEEN, "a camera"},
    {"light", "*", HF_FATE_SEEN, "a light"},
    {"material/**", "*", HF_FATE_SEEN, SHOWN},
    {"texture/**", "*", HF_FATE_SEEN, SHOWN},
    {"skin/**", "*", HF_FATE_SEEN, SHOWN},
    {"site", "*", HF_FATE_SEEN, "a site marks a place"},
    {"geom", "rgba", HF_FATE_SEEN, "a colour"},
    {"geom", "material", HF_FATE_SEEN, "a colour"},
    {"geom", "group", HF_FATE_SEEN, "what is shown together"},
    {"geom", "name", HF_FATE_SEEN, "a name that nothing refers to"},
    {"joint", "group", HF_FATE_SEEN, "what is shown together"},
    {"freejoint", "group", HF_FATE_SEEN, "what is shown together"},
    {"freejoint", "align", HF_FATE_SEEN,
     "where the frame of a free body sits: a help for the solver"},
    {"mesh", "smoothnormal", HF_FATE_SEEN, SHOWN},
    {"mesh", "normal", HF_FATE_SEEN, SHOWN},
    {"mesh", "texcoord", HF_FATE_SEEN, SHOWN},
    {"mesh", "material", HF_FATE_SEEN, SHOWN},
    {"mesh", "content_type", HF_FATE_SEEN, "told by the file's ending"},
    {"mesh", "maxhullvert", HF_FATE_OTHERWISE, "hulls are whole"},
    {"mesh", "inertia", HF_FATE_SEEN, "no geom of it is weighed"},
    {"mesh/plugin/**", "*", HF_FATE_MISSING, "a plugin would make the mesh"},
    // Sensors and what programs keep
    {"sensor/**", "*", HF_FATE_SEEN, SENSED},
    {"custom/**", "*", HF_FATE_SEEN, "numbers and texts for programs"},
    {"size", "*", HF_FATE_SEEN, "how much memory MuJoCo takes"},
    {"extension/**", "*", HF_FATE_SEEN, "names plugins"},
    {"body", "user", HF_FATE_SEEN, "numbers for programs"},
    {"geom", "user", HF_FATE_SEEN, "numbers for programs"},
    {"joint", "user", HF_FATE_SEEN, "numbers for programs"},
    {"body", "sleep", HF_FATE_SEEN, HINT},
    // The solver
    {"option", "cone", HF_FATE_SEEN, HINT ": friction has a round cone here"},
    {"option", "integrator", HF_FATE_SEEN, HINT},
    {"option", "impratio", HF_FATE_SEEN, HINT ": friction holds here without it"},
    {"option", "solver", HF_FATE_SEEN, HINT},
    {"option", "iterations", HF_FATE_SEEN, HINT},
    {"option", "tolerance", HF_FATE_SEEN, HINT},
    {"option", "ls_iterations", HF_FATE_SEEN, HINT},
    {"option", "ls_tolerance", HF_FATE_SEEN, HINT},
    {"option", "noslip_iterations", HF_FATE_SEEN, HINT ": friction holds here without it"},
    {"option", "noslip_tolerance", HF_FATE_SEEN, HINT},
    {"option", "ccd_iterations", HF_FATE_SEEN, HINT},
    {"option", "ccd_tolerance", HF_FATE_SEEN, HINT},
    {"option", "mpr_iterations", HF_FATE_SEEN, HINT},
    {"option", "mpr_tolerance", HF_FATE_SEEN, HINT},
    {"option", "sdf_iterations", HF_FATE_SEEN, HINT},
    {"option", "sdf_initpoints", HF_FATE_SEEN, HINT},
    {"option", "sleep_tolerance", HF_FATE_SEEN, HINT},
    {"option", "jacobian", HF_FATE_SEEN, HINT},
    {"option", "collision", HF_FATE_MISSING, "would choose which pairs are looked at"},
    {"option", "o_margin", HF_FATE_OTHERWISE, SOFT},
    {"option", "o_solref", HF_FATE_OTHERWISE, SOFT},
    {"option", "o_solimp", HF_FATE_OTHERWISE, SOFT},
    {"option", "o_friction", HF_FATE_MISSING, "would replace the friction of all contacts"},
    {"option", "magnetic", HF_FATE_SEEN, "for sensors"},
    {"option", "actuatorgroupdisable", HF_FATE_MISSING, "would switch actuators off"},
    {"flag", "*", HF_FATE_MISSING, "would switch a part of the physics off or on"},
    // The compiler
    {"compiler", "texturedir", HF_FATE_SEEN, SHOWN},
    {"compiler", "meshdir", HF_FATE_TAKEN, NULL},
    {"compiler", "assetdir", HF_FATE_TAKEN, NULL},
    {"compiler", "discardvisual", HF_FATE_SEEN, SHOWN},
    {"compiler", "convexhull", HF_FATE_SEEN, "meshes collide by their hulls"},
    {"compiler", "usethread", HF_FATE_SEEN, "how MuJoCo compiles"},
    {"compiler", "fusestatic", HF_FATE_OTHERWISE, "fixed bodies stay, at no cost to the motion"},
    {"compiler", "saveinertial", HF_FATE_SEEN, "how MuJoCo writes files"},
    {"compiler", "alignfree", HF_FATE_SEEN, "where the frame of a free body sits"},
    {"compiler", "fitaabb", HF_FATE_MISSING, "geoms would be fitted to boxes around meshes"},
    {"compiler", "inertiagrouprange", HF_FATE_TAKEN, NULL},
    {"lengthrange", "*", HF_FATE_SEEN, "for muscles"},
    // Softness
    {"joint", "solreflimit", HF_FATE_OTHERWISE, SOFT},
    {"joint", "solimplimit", HF_FATE_OTHERWISE, SOFT},
    {"joint", "solreffriction", HF_FATE_OTHERWISE, "friction holds: it has no softness"},
    {"joint", "solimpfriction", HF_FATE_OTHERWISE, "friction holds: it has no softness"},
    {"joint", "margin", HF_FATE_OTHERWISE, SOFT},
    {"geom", "solref", HF_FATE_OTHERWISE, SOFT},
    {"geom", "solimp", HF_FATE_OTHERWISE, SOFT},
    {"geom", "solmix", HF_FATE_OTHERWISE, SOFT},
    {"geom", "margin", HF_FATE_OTHERWISE, SOFT},
    {"geom", "gap", HF_FATE_OTHERWISE, SOFT},
    {"equality/connect", "solref", HF_FATE_OTHERWISE, "the loop is closed exactly"},
    {"equality/connect", "solimp", HF_FATE_OTHERWISE, "the loop is closed exactly"},
    {"equality/weld", "solref", HF_FATE_OTHERWISE, "the loop is closed exactly"},
    {"equality/weld", "solimp", HF_FATE_OTHERWISE, "the loop is closed exactly"},
    {"equality/weld", "torquescale", HF_FATE_OTHERWISE, "the loop is closed exactly"},
    {"equality/joint", "solref", HF_FATE_OTHERWISE, "the coupling is exact"},
    {"equality/joint", "solimp", HF_FATE_OTHERWISE, "the coupling is exact"},
    {"default/equality", "solref", HF_FATE_OTHERWISE, "loops are closed exactly"},
    {"default/equality", "solimp", HF_FATE_OTHERWISE, "loops are closed exactly"},
    {"contact/exclude", "name", HF_FATE_SEEN, "a name that nothing refers to"},
    {"pair", "solref", HF_FATE_OTHERWISE, SOFT},
    {"pair", "solreffriction", HF_FATE_OTHERWISE, SOFT},
    {"pair", "solimp", HF_FATE_OTHERWISE, SOFT},
    {"pair", "margin", HF_FATE_OTHERWISE, SOFT},
    {"pair", "gap", HF_FATE_OTHERWISE, SOFT},
    // Fluids
    {"geom", "fluidshape", HF_FATE_SEEN, "no fluid drags on it by this shape"},
    {"geom", "fluidcoef", HF_FATE_SEEN, "no fluid drags on it by this shape"},
    // Parts that are not understood
    {"asset/hfield", "content_type", HF_FATE_SEEN, "told by the file itself"},
    {"asset/hfield", "*", HF_FATE_SEEN, "a height field that no geom has"},
    {"asset/model", "*", HF_FATE_SEEN, "a model that nothing attaches"},
    {"composite/**", "*", HF_FATE_MISSING, "many bodies would be made"},
    {"flexcomp/**", "*", HF_FATE_MISSING, "a soft body would be made"},
    {"deformable/**", "*", HF_FATE_MISSING, "a soft body would be made"},
    {"body/plugin/**", "*", HF_FATE_MISSING, "a plugin would act on the body"},
    {"equality/tendon", "*", HF_FATE_MISSING, "a tendon's length would be held"},
    {"equality/flex", "*", HF_FATE_MISSING, "a soft body would be held"},
    {"actuator/muscle", "*", HF_FATE_MISSING, "a muscle would pull"},
    {"actuator/plugin/**", "*", HF_FATE_MISSING, "a plugin would drive"},
    {"keyframe/**", "*", HF_FATE_SEEN, "another start than the chosen one"},
    {"keyframe", NULL, HF_FATE_SEEN, "starts by name"},
};

static bool in_default(const hf_xml_element *e)
{
    for (; e != NULL; e = e->parent) {
        if (strcmp(e->name, "default") == 0) {
            return true;
        }
    }
    return false;
}

bool hf_mjcf_has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = strstr(list, word); at != NULL; at = strstr(at + 1, word)) {
        if (at > list && at[-1] == ' ' && at[length] == ' ') {
            return true;
        }
    }
    return false;
}

// Attributes that readers take: in a default that no element took they have no effect.
static bool is_read(const char *element, const char *attribute)
{
    static const struct {
        const char *element, *attributes;
    } known[] = {
        {"joint",
         " type pos axis range limited ref springref stiffness damping frictionloss armature "
         "actuatorfrcrange actuatorfrclimited springdamper actuatorgravcomp "},
        {"geom",
         " type pos quat axisangle euler xyaxes zaxis size fromto mesh mass density friction "
         "condim priority contype conaffinity shellinertia hfield "},
        {"mesh", " scale refpos refquat "},
        {"equality", " active "},
        {"tendon", " limited range stiffness damping frictionloss springlength armature "
                   "actuatorfrcrange actuatorfrclimited margin width rgba group "
                   "solreflimit solimplimit solreffriction solimpfriction "},
        {"pair", " friction condim "},
    };
    static const char actuator[] =
        " gear ctrlrange ctrllimited forcerange forcelimited kp kv dampratio inheritrange gaintype "
        "biastype dyntype gainprm biasprm dynprm actrange actlimited armature damping timeconst "
        "cranklength lengthrange group actdim actearly diameter area bias motorconst resistance "
        "nominal saturation inductance cogging controller thermal lugre input gain ";
    // In the list of its element; all others are actuators
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        if (strcmp(known[i].element, element) == 0) {
            return hf_mjcf_has_word(known[i].attributes, attribute);
        }
    }
    return hf_mjcf_has_word(actuator, attribute);
}

static void settle_defaults(hf_xml_element *e)
{
    for (hf_xml_attribute *a = e->attributes; a != NULL; a = a->next) {
        if (a->lot.fate == HF_FATE_NONE && is_read(e->name, a->name)) {
            hf_xml_mark(a, HF_FATE_SEEN, UNUSED);
        }
    }
    if (in_default(e) && e->lot.fate == HF_FATE_NONE && strcmp(e->name, "plugin") != 0) {
        hf_xml_mark_element(e, HF_FATE_SEEN, UNUSED);
    }
    for (hf_xml_element *child = e->first; child != NULL; child = child->next) {
        settle_defaults(child);
    }
}

void hf_mjcf_settle(hf_mjcf *m)
{
    for (hf_xml_element *e = hf_xml_child(m->root, "default"); e != NULL; e = hf_xml_next(e)) {
        settle_defaults(e);
    }
    hf_account_close(&m->robot->xml, RULES, (int)(sizeof RULES / sizeof RULES[0]));
}

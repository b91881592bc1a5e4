// SPDX-License-Identifier: Apache-2.0
// From the tree of a model file to an hf_spec: what the readers of its sections share.
//
// Every function that can fail returns false (or NULL) with the error filled: place, the item being
// read ("friction 'floor'"), what is wrong, what is expected.
#ifndef HF_MODELS_READER_H
#define HF_MODELS_READER_H

#include <holdfast/models.h>

#include "base/measure.h"
#include "base/names.h"
#include "bodies/body.h"
#include "math/expression.h"
#include "models/tree/node.h"

// Entries of an array.
#define HF_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

// What the reader keeps of a body, to resolve `on:` and `to:`.
typedef struct hf_body_note {
    const char *name; // "block", "arm.elbow"
    hf_body id;
    hf_body_type type;
    int dim;     // coordinates that can be named
    int axes[3]; // masses and driven bodies: world axes
    hf_joint_type joint;
    hf_shape shape;
    hf_vec3 shape_center;
    int added;                 // shapes that were added: `shapes:`, or a `shape:` with a surface
    const hf_shape_def *parts; // these, about the body's own center
    hf_quat orientation;       // masses, rigid, driven and static bodies: at t = 0, body to world
    int copies;                // of the first of some copies: how many there are
} hf_body_note;

// The table of its kind.
static inline const hf_body_ops *hf_note_ops(const hf_body_note *body)
{
    return hf_body_ops_of(body->type);
}

// A mesh that was read from a file.
typedef struct hf_mesh_note {
    const char *file; // as written in the model
    hf_vec3 scale;
    hf_mesh *mesh;           // its hull, or
    hf_triangles *triangles; // all of it
} hf_mesh_note;

// What the reader keeps of a parameter of the model.
typedef struct hf_parameter_note {
    const hf_node *node;       // of its value
    const hf_node *range_node; // or NULL
    const char *unit;          // as written; NULL: none
    hf_measure measure;        // of the unit
    const char *about;         // or NULL
    double value, low, high;   // SI
} hf_parameter_note;

// How the coordinates move that are being read of: what the unit of a force or position is.
typedef enum hf_motion_kind { HF_MOTION_STRAIGHT, HF_MOTION_TURNS, HF_MOTION_MIXED } hf_motion_kind;

typedef struct hf_reader {
    hf_document *document;
    hf_spec *spec;
    hf_error *error;
    const char *folder;           // where tables lie; NULL: nowhere
    const hf_file_visitor *files; // gets each file that is read; or NULL
    char what[120];               // the item being read; "" at the top
    hf_body_note *bodies;
    size_t body_count, body_capacity;
    hf_names body_names;   // -> index in bodies
    hf_names group_names;  // of repeated bodies -> index of the first copy in bodies
    hf_names signal_names; // -> signal id
    hf_names force_items;  // -> index of the item in `forces:`
    hf_names item_nodes;   // name -> index in items
    const hf_node **items; // nodes of bodies, signals and forces, to give places to late errors
    size_t item_count, item_capacity;
    hf_mesh_note *meshes;
    size_t mesh_count, mesh_capacity;
    // Names of groups, bit by bit; the first is "default".
    const char *groups[32];
    int group_count;
    int surface_speeds;    // so many have been read
    hf_vec3 shift;         // of the copy being read, to be added to its position
    hf_method_type method; // that the file names
    // Parameters that are known, in the order in which their values were found.
    const char **parameter_names;
    double *parameter_values;
    int *parameter_notes; // -> index in parameters
    int parameter_count;
    const hf_parameter_note *parameters; // in the order of the file
    // For units: of the coordinates, and of the law's parameter that is being read (or NULL).
    hf_motion_kind motion;
    const char *param, *param_unit;
} hf_reader;

typedef enum hf_range { HF_RANGE_ANY, HF_RANGE_POSITIVE, HF_RANGE_NOT_NEGATIVE } hf_range;

// ------------------------------------------------------------------------------------------------
// Errors

// Names the item being read in later messages: "kind 'name'".
void hf_reader_enter(hf_reader *reader, const char *kind, const char *name);
void hf_reader_leave(hf_reader *reader);

// All return false.
bool hf_reader_fail(hf_reader *reader, const hf_node *node, hf_status status, const char *format,
                    ...) HF_PRINTF(4, 5);
bool hf_reader_fail_key(hf_reader *reader, const hf_node *node, hf_status status,
                        const char *format, ...) HF_PRINTF(4, 5);
bool hf_reader_out_of_memory(hf_reader *reader);
// Gives a place to the error that another module filled.
bool hf_reader_pass(hf_reader *reader, const hf_node *node, bool at_key);
// The same at the item of `map` that the error names as its member; without one at the map's key.
bool hf_reader_pass_member(hf_reader *reader, const hf_node *map);
// The same where the component stands that the error names; without one at the root.
bool hf_reader_pass_component(hf_reader *reader, const hf_node *root);

// Counts values that a file asks for without writing them (copies, pairs) as if they were written.
// False beyond HF_FILE_MAX_NODES, so that a short text does not ask for hours.
bool hf_reader_spend(hf_reader *reader, const hf_node *node, long long values);

// "; did you mean 'mass'?" for the candidate nearest to `word`, or "". Returns `buffer`.
enum { HF_HINT_SIZE = 120 };
const char *hf_hint(const char *word, const char *const *candidates, int count,
                    char buffer[HF_HINT_SIZE]);

// How a node is called in messages: its key, or key[index] for items of lists.
enum { HF_LABEL_SIZE = 80 };
const char *hf_node_label(const hf_node *node, char buffer[HF_LABEL_SIZE]);

// ------------------------------------------------------------------------------------------------
// Values

// Fails unless the node is a map whose keys are all among `keys`.
bool hf_read_map(hf_reader *reader, const hf_node *node, const char *const *keys, int count);
bool hf_read_kind(hf_reader *reader, const hf_node *node, hf_node_kind kind, const char *expected);
// A key, and those of which one must stand beside it: without them it has no effect.
typedef struct hf_company {
    const char *key, *with[4]; // up to the first NULL
} hf_company;
// Fails at the first key of the table that stands alone.
bool hf_check_company(hf_reader *reader, const hf_node *map, const hf_company *table, int count);
// Whether one of these keys is there.
bool hf_node_has(const hf_node *map, const char *const *keys, int count);
// The item of a map that must be there, or NULL with the error filled.
const hf_node *hf_read_need(hf_reader *reader, const hf_node *map, const char *key);

// Whether the node is a scalar that reads as a decimal number (finite or not).
bool hf_node_is_number(const hf_node *node);
// One in quotes: an expression where a value may stand, else a text.
bool hf_node_is_quoted_number(const hf_node *node);
// Digits, digits with a unit that fits the entry, or a formula of parameters.
bool hf_read_number(hf_reader *reader, const hf_node *node, hf_range range, double *number);
// formula.c: the latter two. hf_node_is_formula: whether a scalar reads as one of them.
bool hf_read_formula(hf_reader *reader, const hf_node *node, double *number);
bool hf_node_is_formula(const hf_reader *reader, const hf_node *node);
// "12 mm": the number in SI units, where its unit begins and what it measures. False for others.
bool hf_measured_number(const char *text, double *number, const char **unit, hf_measure *measure);
// Of a number with letters behind it that was not understood, the unit is wrong: fills *fault.
void hf_blame_unit(const char *text, hf_expression_fault *fault);
// Names that formulas may contain: the parameters, and t with `time`.
hf_expression_scope hf_reader_scope(const hf_reader *reader, bool time);
bool hf_read_count(hf_reader *reader, const hf_node *node, int least, int most, int *number);
bool hf_read_flag(hf_reader *reader, const hf_node *node, bool *flag);
// A text that is not empty.
bool hf_read_text(hf_reader *reader, const hf_node *node, const char **text);
// The index of the word among `choices`.
bool hf_read_choice(hf_reader *reader, const hf_node *node, const char *const *choices, int count,
                    int *choice);
// A list of exactly `count` numbers; for count = 1 a number will do.
bool hf_read_numbers(hf_reader *reader, const hf_node *node, int count, double *numbers);
bool hf_read_vec3(hf_reader *reader, const hf_node *node, hf_vec3 *vector);
// A vec3 that is not zero.
bool hf_read_direction(hf_reader *reader, const hf_node *node, hf_vec3 *vector);
// A list of any length, kept in the document's arena.
bool hf_read_list(hf_reader *reader, const hf_node *node, hf_list *list);
// [w, x, y, z], or {axis: [..], angle: rad}; normalized.
// `draw:` of a body (read_draw.c), if it has one. `origin`: of the body, where it is drawn.
bool hf_read_draw(hf_reader *reader, const hf_node *body, hf_body id, hf_vec3 origin);
bool hf_read_orientation(hf_reader *reader, const hf_node *node, hf_quat *orientation);
// {type: sphere, radius: R}, {type: box, size: [..]}, ... (read_shape.c). Meshes are the reader's.
bool hf_read_shape(hf_reader *reader, const hf_node *node, hf_shape *shape);
// read_triangles.c: surfaces as they are. The reader keeps what it has read.
bool hf_read_triangles(hf_reader *reader, const hf_node *node, hf_shape *shape);
bool hf_read_heights(hf_reader *reader, const hf_node *node, hf_shape *shape);
// The volume of what a file draws, where it is closed; else 0. False: out of memory.
bool hf_drawn_volume(const char *path, const char *label, hf_vec3 scale, double *volume,
                     hf_error *error);
bool hf_reader_keep_mesh(hf_reader *reader, hf_mesh_note note);
bool hf_read_scale(hf_reader *reader, const hf_node *node, hf_vec3 *scale);
// The same with a place, a surface and a weight. `placed`: it may have a position.
bool hf_read_shape_def(hf_reader *reader, const hf_node *node, bool placed, hf_shape_def *def);

// What `shape:` or `shapes:` of a body say (read_shapes.c).
typedef struct hf_body_shapes {
    hf_shape shape;      // of the body's definition: a `shape:` that is nothing but a solid
    hf_shape_def *added; // all others, in the document's arena
    int count;
    bool weighed; // some have a density or mass of their own
    bool given;   // there is a `shape:` or `shapes:`
} hf_body_shapes;
// read_parts.c: the pieces of a mesh's file as shapes like `def`, which is that of all of it. left:
// shapes that follow.
bool hf_read_parts(hf_reader *reader, const hf_node *node, const hf_shape_def *def, int left,
                   hf_body_shapes *shapes);
// Fails at a density or mass of a shape, which has no effect for the reason given.
bool hf_refuse_weights(hf_reader *reader, const hf_node *body, const char *reason);
bool hf_read_body_shapes(hf_reader *reader, const hf_node *body, hf_body_shapes *shapes);
// Mass, center and inertia of added shapes: by their weights, or with `mass` > 0 shared out by
// these, or by volumes where there are none. node: the body, for the error of shapes without
// volume.
bool hf_weigh_shapes(hf_reader *reader, const hf_node *node, const hf_body_shapes *shapes,
                     double mass, hf_mass_properties *m);
// Puts them on a body, shifted by -center, and tells its note.
bool hf_add_body_shapes(hf_reader *reader, const hf_node *body, const hf_body_shapes *shapes,
                        hf_vec3 center, hf_body_note *note);

// read_surfaces.c: {friction:, restitution:, spin_friction:, rolling_friction:}, each may be
// missing.
enum { HF_SURFACE_KEYS = 4 };
extern const char *const hf_surface_keys[HF_SURFACE_KEYS];
bool hf_read_surface(hf_reader *reader, const hf_node *map, hf_surface *surface);
// `material:`, `group:` and `touches:` of a shape.
bool hf_read_surface_links(hf_reader *reader, const hf_node *map, hf_shape_def *def);
// `materials:` and the rules of combination; `pairs:`, after the bodies.
bool hf_read_materials(hf_reader *reader, const hf_node *root);
bool hf_read_surface_pairs(hf_reader *reader, const hf_node *root);

// The same for items that may be missing: then nothing is changed.
bool hf_read_number_item(hf_reader *reader, const hf_node *map, const char *key, hf_range range,
                         double *number);
bool hf_read_vec3_item(hf_reader *reader, const hf_node *map, const char *key, hf_vec3 *vector);

// ------------------------------------------------------------------------------------------------
// Bodies and items by name

// Keeps a note; its name must be in the document's arena. False when out of memory.
bool hf_reader_add_body(hf_reader *reader, const hf_body_note *note);
const hf_body_note *hf_reader_find_body(const hf_reader *reader, const char *name, size_t length);
// "; did you mean ...?" among bodies and signals.
const char *hf_reader_hint_body(hf_reader *reader, const char *word, char buffer[HF_HINT_SIZE]);
// Remembers where a named item stands. Fails when the name is taken.
bool hf_reader_add_item(hf_reader *reader, const char *name, const hf_node *node, bool at_key);
// Fails unless the name is letters, digits, '_' and '-'.
bool hf_read_name(hf_reader *reader, const hf_node *node, const char *name, bool at_key);
// The true path of a file that the model names, for the caller to free; NULL with the error filled.
char *hf_reader_resolve(hf_reader *reader, const hf_node *node);
// a followed by b, in the document's arena; NULL when out of memory.
char *hf_reader_join(hf_reader *reader, const char *a, const char *b);

// ------------------------------------------------------------------------------------------------
// Sections (each in its own file)

bool hf_read_parameters(hf_reader *reader, const hf_node *section);
bool hf_read_signals(hf_reader *reader, const hf_node *section);
bool hf_read_bodies(hf_reader *reader, const hf_node *section);
bool hf_read_forces(hf_reader *reader, const hf_node *section);
// `method:`; NULL: there is none.
bool hf_read_method(hf_reader *reader, const hf_node *node);
bool hf_read_loops(hf_reader *reader, const hf_node *section);
// change_law.c: gives frictions that were read another law. `law` may be NULL.
bool hf_change_law(hf_reader *reader, const hf_law_change *law);

// variants.c: a map of maps by name; `section` may be NULL. Their changes are checked when applied.
bool hf_read_variants(hf_reader *reader, const hf_node *section);

// repeat.c: reads a body as often as its `repeat:` says, by `read`.
bool hf_read_repeated(hf_reader *reader, const hf_node *node,
                      bool (*read)(hf_reader *reader, const hf_node *copy));

// read_tree.c: the joints of a tree.
bool hf_read_tree(hf_reader *reader, const hf_node *node);
// values.c: [xx, yy, zz], [xx, yy, zz, xy, xz, yz] or {xx:, yy:, zz:, ...}.
bool hf_read_inertia(hf_reader *reader, const hf_node *node, hf_sym3 *inertia);

// read_signals.c: a number, the name of a signal or an expression. An expression becomes a signal
// called `hidden`. `node` is a scalar.
bool hf_read_value(hf_reader *reader, const hf_node *node, const char *hidden, hf_value *value);
// A value, or a list of `count` values; hidden signals are called hidden, or hidden.x, .y, .z.
bool hf_read_values(hf_reader *reader, const hf_node *node, int count, const char *hidden,
                    hf_value *values);
// Adds a signal; its faults are those of `node`. The other: a fault in the text of an expression.
bool hf_add_signal(hf_reader *reader, const hf_signal_def *def, const hf_node *node,
                   hf_signal *signal);
bool hf_fail_in_text(hf_reader *reader, const hf_node *node, const hf_expression_fault *fault);
// read_table.c: {file:, time:, column:} or {points:}, interpolation.
bool hf_read_table(hf_reader *reader, const hf_node *node, hf_signal_def *def);
// read_channels.c: the channels that an expression names, as they are found in it: slots from 1 on.
typedef struct hf_found_channels {
    hf_reader *reader;
    const char *names[HF_SIGNAL_MOST_CHANNELS];
    int count;
} hf_found_channels;
// The scope of expressions in the time, parameters, channels and signals.
hf_expression_scope hf_channel_scope(hf_reader *reader, hf_found_channels *found);
// Makes an expression of them, whose context is set, a function of channels.
bool hf_channel_function(const hf_found_channels *found, hf_signal_def *def);
// read_waypoints.c: {through: [..], times: [..], profile:, blend:}.
bool hf_read_waypoints(hf_reader *reader, const hf_node *node, const char *name, hf_signal *signal);
// A signal that is the product of two values; a constant where both are. With `gates` the first
// counts as 1 while it is above zero, and else as 0.
bool hf_add_product(hf_reader *reader, const hf_node *node, const char *name, hf_value first,
                    hf_value second, bool gates, hf_value *product);
// A table over channels: {of: VALUE, points:} or {of: [VALUE, VALUE], x:, y:, values:}.
bool hf_read_map_of(hf_reader *reader, const hf_node *node, const char *name, hf_signal *signal);

#endif

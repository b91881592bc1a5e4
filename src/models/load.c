// SPDX-License-Identifier: Apache-2.0
// Model files in: text -> tree -> changes -> hf_spec -> a trial compile, so that whatever is wrong
// is said with its place in the file.
#include <holdfast/models.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "models/reader.h"
#include "models/tree/expand.h"
#include "models/tree/override.h"
#include "spec/spec_data.h"

// ------------------------------------------------------------------------------------------------
// The top of the file

// The file's name without folder and ending.
static char *stem(hf_reader *reader)
{
    const char *label = reader->document->label, *slash = strrchr(label, '/');
    char *name = hf_reader_join(reader, slash == NULL ? label : slash + 1, "");
    char *dot = name == NULL ? NULL : strrchr(name, '.');
    if (dot != NULL && dot != name) {
        *dot = '\0';
    }
    return name;
}

static bool read_settings(hf_reader *reader, const hf_node *root)
{
    const hf_node *name_node = hf_node_get(root, "name"), *text = hf_node_get(root, "description");
    const hf_node *duration_node = hf_node_get(root, "duration");
    const char *name = stem(reader), *description = NULL;
    hf_vec3 gravity = {0};
    double duration = 0;
    if (name == NULL || (name_node != NULL && !hf_read_text(reader, name_node, &name)) ||
        (text != NULL && !hf_read_text(reader, text, &description)) ||
        !hf_read_vec3_item(reader, root, "gravity", &gravity) ||
        !hf_read_method(reader, hf_node_get(root, "method")) ||
        !hf_read_number_item(reader, root, "duration", HF_RANGE_NOT_NEGATIVE, &duration)) {
        return false;
    }
    return (hf_spec_set_name(reader->spec, name, reader->error) == HF_OK &&
            hf_spec_set_gravity(reader->spec, gravity, reader->error) == HF_OK &&
            (duration_node == NULL ||
             hf_spec_set_duration(reader->spec, duration, reader->error) == HF_OK)) ||
           hf_reader_pass(reader, root, false);
}

// ------------------------------------------------------------------------------------------------
// What only a compiled machine can tell

static bool read_records(hf_reader *reader, const hf_node *records)
{
    hf_reader_leave(reader);
    if (!hf_read_kind(reader, records, HF_NODE_LIST, "a list of channel names")) {
        return false;
    }
    for (const hf_node *item = records->first; item != NULL; item = item->next) {
        const char *text = NULL;
        if (!hf_read_text(reader, item, &text)) {
            return false;
        }
        if (hf_spec_add_record(reader->spec, text, reader->error) != HF_OK) {
            return hf_reader_pass(reader, item, false);
        }
    }
    return true;
}

// All that a machine is made of.
static bool read_parts(hf_reader *reader, const hf_node *root, const hf_node *bodies)
{
    const hf_node *signals = hf_node_get(root, "signals"), *forces = hf_node_get(root, "forces");
    const hf_node *loops = hf_node_get(root, "loops");
    return (signals == NULL || hf_read_signals(reader, signals)) &&
           hf_read_materials(reader, root) && hf_read_bodies(reader, bodies) &&
           hf_read_surface_pairs(reader, root) && (loops == NULL || hf_read_loops(reader, loops)) &&
           (forces == NULL || hf_read_forces(reader, forces));
}

static bool read_root(hf_reader *reader, const hf_law_change *law)
{
    // defaults, joints and friction were taken when the tree was read; they are named to people
    static const char *const keys[] = {
        "name",      "description", "gravity",       "method",           "duration", "bodies",
        "signals",   "forces",      "loops",         "record",           "variants", "parameters",
        "materials", "pairs",       "friction_rule", "restitution_rule", "fit",      "defaults",
        "joints",    "friction"};
    const hf_node *root = reader->document->root, *bodies;
    if (!hf_read_map(reader, root, keys, HF_COUNT(keys)) ||
        !hf_read_variants(reader, hf_node_get(root, "variants")) ||
        (hf_node_get(root, "parameters") != NULL &&
         !hf_read_parameters(reader, hf_node_get(root, "parameters"))) ||
        !read_settings(reader, root) || (bodies = hf_read_need(reader, root, "bodies")) == NULL) {
        return false;
    }
    const hf_node *records = hf_node_get(root, "record");
    return read_parts(reader, root, bodies) && hf_change_law(reader, law) &&
           (records == NULL || read_records(reader, records));
}

// Adds a line "# OPTION TEXT" to what is kept; *used bytes of it are filled.
static void add_comment(char *kept, size_t size, size_t *used, const char *option, const char *text)
{
    size_t start = *used;
    *used += (size_t)snprintf(kept + *used, size - *used, "%s# %s %s",
                              *used > 0 && kept[*used - 1] != '\n' ? "\n" : "", option, text);
    for (char *s = kept + start + 1; *s != '\0'; ++s) { // stays a comment
        *s = *s == '\n' || *s == '\r' ? ' ' : *s;
    }
    kept[(*used)++] = '\n';
    kept[*used] = '\0';
}

// The text for recordings: the file, and what was changed in it.
static bool keep_text(hf_reader *reader, const char *text, size_t length,
                      const hf_overrides *overrides)
{
    enum { COMMENT_ROOM = 24 };
    const hf_overrides none = {0};
    overrides = overrides == NULL ? &none : overrides;
    const hf_law_change *law = overrides->law;
    // How long it becomes
    size_t size = length + 1;
    size += overrides->variant == NULL ? 0 : strlen(overrides->variant) + COMMENT_ROOM;
    size += law == NULL ? 0 : strlen(law->law) + COMMENT_ROOM;
    size += overrides->method == NULL ? 0 : strlen(overrides->method) + COMMENT_ROOM;
    char step[32];
    (void)snprintf(step, sizeof step, "%.17g", overrides->step);
    size += overrides->step > 0.0 ? strlen(step) + COMMENT_ROOM : 0;
    for (int i = 0; i < overrides->count; ++i) {
        size += strlen(overrides->items[i]) + COMMENT_ROOM;
    }
    for (int i = 0; law != NULL && i < law->parameter_count; ++i) {
        size += strlen(law->parameters[i]) + COMMENT_ROOM;
    }
    // The text, and behind it how it was changed, as comments
    char *kept = malloc(size);
    if (kept == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    memcpy(kept, text, length);
    kept[length] = '\0';
    size_t used = length;
    if (overrides->variant != NULL) {
        add_comment(kept, size, &used, "--variant", overrides->variant);
    }
    if (overrides->method != NULL) {
        add_comment(kept, size, &used, "--method", overrides->method);
    }
    for (int i = 0; i < overrides->count; ++i) {
        add_comment(kept, size, &used, "--set", overrides->items[i]);
    }
    if (overrides->step > 0.0) {
        add_comment(kept, size, &used, "--step", step);
    }
    if (law != NULL) {
        add_comment(kept, size, &used, "--laws", law->law);
    }
    for (int i = 0; law != NULL && i < law->parameter_count; ++i) {
        add_comment(kept, size, &used, "--laws ... :", law->parameters[i]);
    }
    bool done = hf_spec_set_text(reader->spec, kept, reader->error) == HF_OK;
    free(kept);
    return done;
}

static void free_reader(hf_reader *reader)
{
    free(reader->bodies);
    free((void *)reader->items);
    for (size_t i = 0; i < reader->mesh_count; ++i) {
        hf_mesh_destroy(reader->meshes[i].mesh);
        hf_triangles_destroy(reader->meshes[i].triangles);
    }
    free(reader->meshes);
    hf_names_free(&reader->body_names);
    hf_names_free(&reader->group_names);
    hf_names_free(&reader->signal_names);
    hf_names_free(&reader->force_items);
    hf_names_free(&reader->item_nodes);
}

// Compiled to give places in the file to what is found only then.
static bool compile(hf_reader *reader, hf_model **model)
{
    *model = hf_model_compile(reader->spec, reader->error);
    return *model != NULL || hf_reader_pass_component(reader, reader->document->root);
}

// Changes the tree, and reads the machine that it then is.
static bool read_document(hf_spec *spec, hf_model **model, hf_document *document, const char *text,
                          size_t length, const char *folder, const hf_overrides *overrides,
                          hf_error *error)
{
    hf_reader reader = {.document = document,
                        .error = error,
                        .folder = folder,
                        .files = overrides == NULL ? NULL : overrides->files,
                        .spec = spec};
    bool read = hf_overrides_apply(document, overrides, error) == HF_OK &&
                hf_joints_repeat(document, error) == HF_OK &&
                hf_robots_expand(document, folder, reader.files, error) == HF_OK &&
                hf_classes_apply(document, error) == HF_OK &&
                hf_forces_repeat(document, error) == HF_OK &&
                hf_joint_forces_expand(document, error) == HF_OK &&
                read_root(&reader, overrides == NULL ? NULL : overrides->law) &&
                keep_text(&reader, text, length, overrides) && compile(&reader, model);
    free_reader(&reader);
    return read;
}

// Whether the machine that a variant makes of the file can be read.
static bool try_variant(const char *name, const char *text, size_t length, const char *label,
                        const char *folder, hf_error *error)
{
    const hf_overrides overrides = {.variant = name};
    hf_document document;
    hf_model *model = NULL;
    hf_spec *spec = hf_spec_create();
    bool read = spec != NULL && hf_document_parse(&document, text, length, label, error) == HF_OK;
    if (read) {
        read = read_document(spec, &model, &document, text, length, folder, &overrides, error);
        hf_document_free(&document);
    } else if (spec == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    hf_model_destroy(model);
    hf_spec_destroy(spec);
    return read;
}

static bool read_into(hf_spec *spec, hf_model **model, const char *text, size_t length,
                      const char *label, const char *folder, const hf_overrides *overrides,
                      hf_error *error)
{
    hf_document document;
    if (hf_document_parse(&document, text, length, label, error) != HF_OK) {
        return false;
    }
    bool own_laws = spec->law_count > 0; // of the program: they are registered on this spec alone
    bool read = read_document(spec, model, &document, text, length, folder, overrides, error);
    // As it stands in the file it has variants, and each must be a machine
    bool plain = overrides == NULL || (overrides->variant == NULL && overrides->count == 0 &&
                                       overrides->law == NULL && overrides->method == NULL &&
                                       overrides->files == NULL && !(overrides->step > 0.0));
    const hf_node *variants = hf_node_get(document.root, "variants");
    const hf_node *variant =
        read && plain && !own_laws && variants != NULL ? variants->first : NULL;
    for (; variant != NULL && read; variant = variant->next) {
        read = try_variant(variant->key, text, length, label, folder, error);
    }
    if (!read) {
        hf_model_destroy(*model);
        *model = NULL;
    }
    hf_document_free(&document);
    return read;
}

// Places in what a robot became are not places in its file: `import` shows them.
enum { LABEL_SIZE = 512 };
static const char *made_label(const char *label, char room[LABEL_SIZE])
{
    (void)snprintf(room, LABEL_SIZE, "%s, as a model file", label);
    return room;
}

// The same from the text of a robot, which becomes that of a model file first.
static bool read_robot_into(hf_spec *spec, hf_model **model, const char *text, size_t length,
                            const char *label, const char *folder, const hf_overrides *overrides,
                            hf_error *error)
{
    const hf_robot_options *options = overrides == NULL ? NULL : overrides->robot;
    hf_robot *robot = hf_robot_parse(text, length, label, folder, options, error);
    if (robot == NULL) {
        return false;
    }
    char room[LABEL_SIZE];
    const char *made = hf_robot_model(robot);
    const char *from = hf_robot_folder(robot);
    bool read = read_into(spec, model, made, strlen(made), made_label(label, room),
                          from == NULL ? folder : from, overrides, error);
    hf_robot_destroy(robot);
    return read;
}

// Numbers have a decimal point whatever the program's language; the locale of this thread only.
static locale_t begin_plain(locale_t *before)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    *before = plain == (locale_t)0 ? (locale_t)0 : uselocale(plain);
    return plain;
}

static void end_plain(locale_t plain, locale_t before)
{
    if (plain != (locale_t)0) {
        (void)uselocale(before);
        freelocale(plain);
    }
}

// Reads into a spec that has registered laws at most; *model is the machine, compiled, on success.
static hf_status read_text(hf_spec *spec, hf_model **model, const char *text, size_t length,
                           const char *label, const char *folder, const hf_overrides *overrides,
                           hf_error *error)
{
    hf_error own = {0};
    error = error == NULL ? &own : error;
    if (spec->body_count + spec->force_count + spec->signal_count + spec->loop_count > 0) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "%.300s: the spec has parts already; a file is read into one that has "
                            "registered laws only",
                            label);
    }
    locale_t before, plain = begin_plain(&before);
    bool read = (hf_robot_is_one(text, length) ? read_robot_into : read_into)(
        spec, model, text, length, label, folder, overrides, error);
    end_plain(plain, before);
    return read ? HF_OK : error->status;
}

hf_status hf_spec_read_text(hf_spec *spec, const char *text, size_t length, const char *label,
                            const char *folder, const hf_overrides *overrides, hf_error *error)
{
    hf_model *model = NULL;
    hf_status status = read_text(spec, &model, text, length, label, folder, overrides, error);
    hf_model_destroy(model);
    return status;
}

// The spec if it was read, or NULL.
static hf_spec *kept(hf_spec *spec, hf_status status)
{
    if (status == HF_OK) {
        return spec;
    }
    hf_spec_destroy(spec);
    return NULL;
}

static hf_spec *create(const char *label, hf_error *error)
{
    hf_spec *spec = hf_spec_create();
    if (spec == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "%.300s: out of memory", label);
    }
    return spec;
}

hf_spec *hf_spec_parse(const char *text, size_t length, const char *label, const char *folder,
                       const hf_overrides *overrides, hf_error *error)
{
    hf_spec *spec = create(label, error);
    return spec == NULL
               ? NULL
               : kept(spec, hf_spec_read_text(spec, text, length, label, folder, overrides, error));
}

hf_model *hf_model_parse(const char *text, size_t length, const char *label, const char *folder,
                         const hf_overrides *overrides, hf_error *error)
{
    hf_model *model = NULL;
    hf_spec *spec = create(label, error);
    if (spec != NULL) {
        (void)read_text(spec, &model, text, length, label, folder, overrides, error);
    }
    hf_spec_destroy(spec);
    return model;
}

// The folder of a path: "." when it has none.
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 1 : slash == path ? 1 : (size_t)(slash - path);
    char *folder = malloc(length + 1);
    if (folder != NULL) {
        memcpy(folder, slash == NULL ? "." : path, length);
        folder[length] = '\0';
    }
    return folder;
}

static hf_status read_file(hf_spec *spec, hf_model **model, const char *path,
                           const hf_overrides *overrides, hf_error *error)
{
    char *text = NULL;
    size_t length = 0;
    HF_TRY(hf_text_read(path, path, false, &text, &length, error));
    char *folder = folder_of(path);
    hf_status status = folder == NULL
                           ? hf_error_set(error, HF_ERROR_MEMORY, "%s: out of memory", path)
                           : read_text(spec, model, text, length, path, folder, overrides, error);
    free(folder);
    free(text);
    return status;
}

hf_status hf_spec_read(hf_spec *spec, const char *path, const hf_overrides *overrides,
                       hf_error *error)
{
    hf_model *model = NULL;
    hf_status status = read_file(spec, &model, path, overrides, error);
    hf_model_destroy(model);
    return status;
}

hf_spec *hf_spec_load(const char *path, const hf_overrides *overrides, hf_error *error)
{
    hf_spec *spec = create(path, error);
    return spec == NULL ? NULL : kept(spec, hf_spec_read(spec, path, overrides, error));
}

hf_model *hf_model_load_changed(const char *path, const hf_overrides *overrides, hf_error *error)
{
    hf_model *model = NULL;
    hf_spec *spec = create(path, error);
    if (spec != NULL) {
        (void)read_file(spec, &model, path, overrides, error);
    }
    hf_spec_destroy(spec);
    return model;
}

hf_model *hf_model_load(const char *path, hf_error *error)
{
    return hf_model_load_changed(path, NULL, error);
}

// ------------------------------------------------------------------------------------------------
// A file that is read again and again

struct hf_model_file {
    hf_arena arena;
    char *text; // of a robot: of the model file that it becomes
    size_t length;
    char *label, *folder; // folder: or NULL
    hf_document document; // as the text is: every reading changes a copy
};

static hf_model_file *keep_file(const char *text, size_t length, const char *label,
                                const char *folder, hf_error *error)
{
    hf_model_file *file = calloc(1, sizeof *file);
    if (file != NULL) {
        file->length = length;
        file->text = hf_arena_alloc(&file->arena, length + 1, 1);
        file->label = hf_arena_string(&file->arena, label);
        file->folder = folder == NULL ? NULL : hf_arena_string(&file->arena, folder);
    }
    if (file == NULL || file->text == NULL || file->label == NULL ||
        (folder != NULL && file->folder == NULL)) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "%.300s: out of memory", label);
        hf_model_file_destroy(file);
        return NULL;
    }
    memcpy(file->text, text, length);
    if (hf_document_parse(&file->document, file->text, length, file->label, error) != HF_OK) {
        hf_model_file_destroy(file);
        return NULL;
    }
    return file;
}

hf_model_file *hf_model_file_parse(const char *text, size_t length, const char *label,
                                   const char *folder, const hf_robot_options *options,
                                   hf_error *error)
{
    if (!hf_robot_is_one(text, length)) {
        return keep_file(text, length, label, folder, error);
    }
    locale_t before, plain = begin_plain(&before);
    hf_robot *robot = hf_robot_parse(text, length, label, folder, options, error);
    end_plain(plain, before);
    if (robot == NULL) {
        return NULL;
    }
    char room[LABEL_SIZE];
    const char *made = hf_robot_model(robot), *from = hf_robot_folder(robot);
    hf_model_file *file =
        keep_file(made, strlen(made), made_label(label, room), from == NULL ? folder : from, error);
    hf_robot_destroy(robot);
    return file;
}

void hf_model_file_destroy(hf_model_file *file)
{
    if (file != NULL) {
        hf_document_free(&file->document);
        hf_arena_free(&file->arena);
        free(file);
    }
}

hf_model *hf_model_file_compile(const hf_model_file *file, const hf_overrides *overrides,
                                hf_error *error)
{
    hf_error own = {0};
    error = error == NULL ? &own : error;
    hf_spec *spec = create(file->label, error);
    if (spec == NULL) {
        return NULL;
    }
    hf_model *model = NULL;
    hf_document copy = {.label = file->label, .node_count = file->document.node_count};
    copy.root = hf_node_copy(&copy, file->document.root);
    locale_t before, plain = begin_plain(&before);
    if (copy.root == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "%.300s: out of memory", file->label);
    } else {
        (void)read_document(spec, &model, &copy, file->text, file->length, file->folder, overrides,
                            error);
    }
    end_plain(plain, before);
    hf_document_free(&copy);
    hf_spec_destroy(spec);
    return model;
}

// ------------------------------------------------------------------------------------------------

// The parts of a robot's model into a spec that has others.
static bool add_robot(hf_spec *spec, const hf_robot *robot, const char *path, const char *folder,
                      hf_error *error)
{
    hf_document document;
    char room[LABEL_SIZE];
    const char *text = hf_robot_model(robot);
    if (hf_document_parse(&document, text, strlen(text), made_label(path, room), error) != HF_OK) {
        return false;
    }
    hf_reader reader = {.document = &document,
                        .error = error,
                        .folder = folder,
                        .spec = spec,
                        .method = HF_METHOD_TIMESTEP};
    const hf_node *bodies = hf_node_get(document.root, "bodies");
    bool read = hf_joint_forces_expand(&document, error) == HF_OK && bodies != NULL &&
                read_parts(&reader, document.root, bodies);
    free_reader(&reader);
    hf_document_free(&document);
    return read;
}

hf_tree hf_spec_add_robot(hf_spec *spec, const char *path, const hf_robot_options *options,
                          hf_error *error)
{
    hf_error own = {0};
    error = error == NULL ? &own : error;
    hf_robot_options part = options == NULL ? hf_robot_options_default() : *options;
    part.part = true;
    hf_robot *robot = hf_robot_read(path, &part, error);
    hf_tree tree = {0};
    if (robot != NULL && add_robot(spec, robot, path, hf_robot_folder(robot), error)) {
        tree = hf_spec_find_tree(spec, hf_robot_name_of(robot));
    }
    hf_robot_destroy(robot);
    return tree;
}

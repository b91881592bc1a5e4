// SPDX-License-Identifier: Apache-2.0
// A robot's memory, its names, and the way from a file to a model's text.
#define _XOPEN_SOURCE 700 // realpath, newlocale
#include "robots/robot.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "math/expression.h"
#include "math/vec.h"

bool hf_robot_out_of_memory(hf_robot *robot)
{
    (void)hf_error_set(robot->error, HF_ERROR_MEMORY, "%.300s: out of memory", robot->label);
    return false;
}

const char *hf_robot_print(hf_robot *robot, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : hf_arena_alloc(&robot->xml.arena, (size_t)length + 1, 1);
    if (text != NULL) {
        (void)vsnprintf(text, (size_t)length + 1, format, again);
    } else {
        (void)hf_robot_out_of_memory(robot);
    }
    va_end(again);
    return text;
}

// ------------------------------------------------------------------------------------------------
// Names

// Letters, digits, '_' and '-', not beginning with '-'.
static const char *plain_name(hf_robot *robot, const char *wanted)
{
    const char *copy = hf_robot_print(robot, "%.100s", wanted);
    char *name = copy == NULL ? NULL : hf_arena_string(&robot->xml.arena, copy);
    for (char *c = name; c != NULL && *c != '\0'; ++c) {
        bool good = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                    (*c >= '0' && *c <= '9') || *c == '_' || (*c == '-' && c > name);
        *c = good ? *c : '_';
    }
    return name;
}

const char *hf_robot_name(hf_robot *robot, hf_names *names, const char *wanted,
                          const char *otherwise)
{
    wanted = wanted == NULL || wanted[0] == '\0' ? otherwise : wanted;
    const char *name = plain_name(robot, wanted), *prefix = robot->name;
    if (name != NULL && robot->options.part && names == &robot->names && prefix != NULL) {
        name = hf_robot_print(robot, "%s-%s", prefix, name);
    }
    const char *free_name = name;
    for (int i = 2; free_name != NULL && hf_names_find(names, free_name, strlen(free_name)) >= 0;
         ++i) {
        free_name = hf_robot_print(robot, "%s-%d", name, i);
    }
    if (free_name == NULL || !hf_names_add(names, free_name, (int)names->count)) {
        (void)hf_robot_out_of_memory(robot);
        return NULL;
    }
    return free_name;
}

// ------------------------------------------------------------------------------------------------
// Items

// Room for one more in a list; false when out of memory.
#define GROW(robot, list)                                                                          \
    grow((robot), (void **)&(list)->items, (list)->count, &(list)->capacity, sizeof *(list)->items)

static bool grow(hf_robot *robot, void **items, size_t count, size_t *capacity, size_t size)
{
    void *grown = count > 1000000 ? NULL : hf_grow(*items, count, capacity, size);
    if (grown == NULL) {
        return hf_robot_out_of_memory(robot);
    }
    *items = grown;
    return true;
}

int hf_robot_add_link(hf_robot *robot, const char *wanted, const char *otherwise)
{
    const char *name = hf_robot_name(robot, &robot->link_names, wanted, otherwise);
    if (name == NULL || !GROW(robot, &robot->links)) {
        return -1;
    }
    hf_robot_link link = {.name = name,
                          .parent = -1,
                          .tilt = {.w = 1.0},
                          .axis = {0, 0, 1},
                          .inertia_axes = {.w = 1.0},
                          .low = -INFINITY,
                          .high = INFINITY,
                          .effort = INFINITY,
                          .speed = INFINITY,
                          .contact_friction = -1.0,
                          .contact_across = -1.0};
    robot->links.items[robot->links.count] = link;
    return (int)robot->links.count++;
}

int hf_robot_add_shape(hf_robot *robot)
{
    if (!GROW(robot, &robot->shapes)) {
        return -1;
    }
    hf_robot_shape shape = {.link = -1,
                            .turn = {.w = 1.0},
                            .scale = {1, 1, 1},
                            .friction = 1.0,
                            .across = -1.0,
                            .rows = 3,
                            .group = 1,
                            .mask = 1};
    robot->shapes.items[robot->shapes.count] = shape;
    return (int)robot->shapes.count++;
}

void hf_robot_place_cone(hf_robot_shape *shape)
{
    hf_mat3 r = hf_quat_rotation(shape->turn);
    hf_vec3 down = hf_m3_mulv(&r, (hf_vec3){0, 0, -0.25 * shape->size.z});
    shape->center = hf_v3_add(shape->center, down);
}

int hf_robot_add_fluid(hf_robot *robot)
{
    if (!GROW(robot, &robot->fluids)) {
        return -1;
    }
    robot->fluids.items[robot->fluids.count] = (hf_robot_fluid){.turn = {.w = 1.0}};
    return (int)robot->fluids.count++;
}

int hf_robot_add_drive(hf_robot *robot, const char *wanted, const char *otherwise)
{
    const char *name = hf_robot_name(robot, &robot->names, wanted, otherwise);
    // Signals must not have the names of constants and functions of expressions: e, pi, floor, ...
    if (name != NULL && hf_expression_knows((hf_expression_scope){.time = -1}, name)) {
        name = hf_robot_name(robot, &robot->names, name, otherwise);
    }
    if (name == NULL || !GROW(robot, &robot->drives)) {
        return -1;
    }
    hf_robot_drive drive = {.name = name,
                            .low = -INFINITY,
                            .high = INFINITY,
                            .input_low = -INFINITY,
                            .input_high = INFINITY,
                            .act_low = -INFINITY,
                            .act_high = INFINITY};
    robot->drives.items[robot->drives.count] = drive;
    return (int)robot->drives.count++;
}

int hf_robot_add_coupling(hf_robot *robot, const char *wanted, const char *otherwise)
{
    const char *name = hf_robot_name(robot, &robot->names, wanted, otherwise);
    if (name == NULL || !GROW(robot, &robot->couplings)) {
        return -1;
    }
    robot->couplings.items[robot->couplings.count] = (hf_robot_coupling){.name = name, .to = -1};
    return (int)robot->couplings.count++;
}

int hf_robot_add_tendon(hf_robot *robot, const char *wanted, const char *otherwise)
{
    const char *name = hf_robot_name(robot, &robot->names, wanted, otherwise);
    if (name == NULL || !GROW(robot, &robot->tendons)) {
        return -1;
    }
    robot->tendons.items[robot->tendons.count] =
        (hf_robot_tendon){.name = name, .low = -INFINITY, .high = INFINITY};
    return (int)robot->tendons.count++;
}

int hf_robot_add_loop(hf_robot *robot, const char *wanted, const char *otherwise)
{
    const char *name = hf_robot_name(robot, &robot->names, wanted, otherwise);
    if (name == NULL || !GROW(robot, &robot->loops)) {
        return -1;
    }
    robot->loops.items[robot->loops.count] = (hf_robot_loop){.name = name,
                                                             .type = HF_LOOP_POINT,
                                                             .on = -1,
                                                             .to = -1,
                                                             .on_turn = {.w = 1.0},
                                                             .to_turn = {.w = 1.0}};
    return (int)robot->loops.count++;
}

int hf_robot_add_exception(hf_robot *robot, int a, int b)
{
    if (!GROW(robot, &robot->exceptions)) {
        return -1;
    }
    robot->exceptions.items[robot->exceptions.count] = (hf_robot_exception){a, b};
    return (int)robot->exceptions.count++;
}

int hf_robot_add_pair(hf_robot *robot, int a, int b)
{
    if (!GROW(robot, &robot->pairs)) {
        return -1;
    }
    robot->pairs.items[robot->pairs.count] = (hf_robot_pair){.a = a, .b = b, .rows = 3};
    return (int)robot->pairs.count++;
}

int hf_robot_add_key(hf_robot *robot, const char *name)
{
    if (!GROW(robot, &robot->keys)) {
        return -1;
    }
    robot->keys.items[robot->keys.count] = (hf_robot_key){.name = name};
    return (int)robot->keys.count++;
}

void hf_robot_add_choice(hf_robot_choices *choices, const char *name)
{
    static const char more[] = ", ...";
    size_t used = strlen(choices->text), left = sizeof choices->text - used - sizeof more;
    const char *before = choices->count++ == 0 ? "" : ", ";
    if (strlen(before) + strlen(name) + 3 <= left) {
        (void)snprintf(choices->text + used, left, "%s'%s'", before, name);
    } else if (used < sizeof more || strcmp(choices->text + used + 1 - sizeof more, more) != 0) {
        (void)snprintf(choices->text + used, sizeof more, "%s", more);
    }
}

// ------------------------------------------------------------------------------------------------
// From a file to a model's text

hf_robot_options hf_robot_options_default(void)
{
    return (hf_robot_options){.orientation = {.w = 1.0}};
}

static bool read_root(hf_robot *robot, hf_xml_element *root)
{
    static const struct {
        const char *root, *format;
        bool (*read)(hf_robot *robot, hf_xml_element *root);
    } formats[] = {{"mujoco", "MJCF", hf_read_mjcf},
                   {"robot", "URDF", hf_read_urdf},
                   {"sdf", "SDF", hf_read_sdf},
                   {"gazebo", "SDF", hf_read_sdf}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i) {
        if (strcmp(root->name, formats[i].root) == 0) {
            robot->format = formats[i].format;
            return formats[i].read(robot, root);
        }
    }
    return hf_xml_fail(root, robot->error, HF_ERROR_INPUT,
                       "a robot's root element is mujoco (MJCF), robot (URDF) or sdf (SDF), got "
                       "'%.60s'",
                       root->name);
}

// A file of SDF may have several models, and its reader chooses; others have one.
static bool is_asked_for(const hf_robot *robot, const hf_xml_element *root)
{
    const char *wanted = robot->options.model;
    if (wanted == NULL || strcmp(robot->format, "SDF") == 0 ||
        (robot->title != NULL && strcmp(robot->title, wanted) == 0)) {
        return true;
    }
    return hf_xml_fail(root, robot->error, HF_ERROR_NAME,
                       "there is no model '%.60s': the file has one, '%.60s'", wanted,
                       robot->title == NULL ? "" : robot->title);
}

static bool fill(hf_robot *robot, hf_xml_element *root)
{
    static const char *const reserved[] = {"world", "energy", "time", "t", "solver"};
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; ++i) {
        if (!hf_names_add(&robot->names, reserved[i], 0) ||
            !hf_names_add(&robot->link_names, reserved[i], 0)) {
            return hf_robot_out_of_memory(robot);
        }
    }
    if (!read_root(robot, root) || !is_asked_for(robot, root)) {
        return false;
    }
    for (size_t i = 0; i < robot->links.count; ++i) {
        hf_robot_link *link = &robot->links.items[i];
        if (link->weight_share == 0.0) {
            link->weight_share = robot->options.gravity_compensation;
        }
    }
    return hf_robot_check_inertias(robot) && hf_robot_stand(robot) && hf_robot_find_root(robot) &&
           hf_robot_write(robot) &&
           (hf_account_make(&robot->xml, &robot->account) || hf_robot_out_of_memory(robot));
}

static bool check_packages(const hf_robot_options *options, hf_error *error)
{
    for (int i = 0; options != NULL && i < options->package_count; ++i) {
        const char *entry = options->packages[i], *equals = strchr(entry, '=');
        if (equals == NULL || equals == entry || equals[1] == '\0') {
            (void)hf_error_set(error, HF_ERROR_INPUT, "packages: expected NAME=FOLDER, got '%.60s'",
                               entry);
            return false;
        }
    }
    return true;
}

static hf_robot *create(const char *label, const hf_robot_options *options, hf_error *error)
{
    if (!check_packages(options, error)) {
        return NULL;
    }
    hf_robot *robot = calloc(1, sizeof *robot);
    if (robot == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "%.300s: out of memory", label);
        return NULL;
    }
    robot->options = options == NULL ? hf_robot_options_default() : *options;
    robot->error = error;
    robot->label = hf_arena_string(&robot->xml.arena, label);
    if (robot->label == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "%.300s: out of memory", label);
        hf_robot_destroy(robot);
        return NULL;
    }
    return robot;
}

// Reads with a decimal point whatever the program's language.
static hf_robot *finish(hf_robot *robot, hf_xml_element *root)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = plain == (locale_t)0 ? (locale_t)0 : uselocale(plain);
    bool read = root != NULL && fill(robot, root);
    if (plain != (locale_t)0) {
        (void)uselocale(before);
        freelocale(plain);
    }
    robot->error = NULL;
    // What the caller lends is not kept beyond the call.
    robot->options = hf_robot_options_default();
    if (!read) {
        hf_robot_destroy(robot);
        return NULL;
    }
    return robot;
}

hf_robot *hf_robot_parse(const char *text, size_t length, const char *label, const char *folder,
                         const hf_robot_options *options, hf_error *error)
{
    hf_error own = {0};
    error = error == NULL ? &own : error;
    hf_robot *robot = create(label, options, error);
    if (robot == NULL) {
        return NULL;
    }
    char *path = folder == NULL ? NULL : realpath(folder, NULL);
    robot->folder = path == NULL ? NULL : hf_arena_string(&robot->xml.arena, path);
    free(path);
    hf_xml_element *root = hf_xml_parse(&robot->xml, text, length, robot->label, error);
    char *own_path = root == NULL || folder == NULL ? NULL : realpath(label, NULL);
    if (own_path != NULL) { // so that it cannot include itself
        robot->xml.files[0].path = hf_arena_string(&robot->xml.arena, own_path);
    }
    free(own_path);
    return finish(robot, root);
}

hf_robot *hf_robot_read(const char *path, const hf_robot_options *options, hf_error *error)
{
    char *text = NULL;
    size_t length = 0;
    hf_error own = {0};
    error = error == NULL ? &own : error;
    if (hf_text_read(path, path, false, &text, &length, error) != HF_OK) {
        return NULL;
    }
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? NULL : malloc((size_t)(slash - path) + 2);
    if (folder != NULL) {
        memcpy(folder, path, (size_t)(slash - path) + 1);
        folder[slash - path + 1] = '\0';
    }
    hf_robot *robot =
        slash != NULL && folder == NULL
            ? NULL
            : hf_robot_parse(text, length, path, folder == NULL ? "." : folder, options, error);
    free(folder);
    free(text);
    return robot;
}

void hf_robot_destroy(hf_robot *robot)
{
    if (robot == NULL) {
        return;
    }
    free(robot->links.items);
    free(robot->shapes.items);
    free(robot->looks.items);
    free(robot->fluids.items);
    free(robot->drives.items);
    free(robot->couplings.items);
    free(robot->tendons.items);
    free(robot->loops.items);
    free(robot->exceptions.items);
    free(robot->pairs.items);
    free(robot->keys.items);
    hf_names_free(&robot->link_names);
    hf_names_free(&robot->names);
    free(robot->text);
    hf_xml_free(&robot->xml);
    free(robot);
}

bool hf_robot_is_one(const char *text, size_t length)
{
    size_t at = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < length && strchr(" \t\r\n", text[at]) != NULL && text[at] != '\0') {
        ++at;
    }
    return at < length && text[at] == '<';
}

// ------------------------------------------------------------------------------------------------
// What it is

const char *hf_robot_model(const hf_robot *robot)
{
    return robot->text;
}

const char *hf_robot_format(const hf_robot *robot)
{
    return robot->format;
}

const char *hf_robot_folder(const hf_robot *robot)
{
    return robot->root;
}

const char *hf_robot_name_of(const hf_robot *robot)
{
    return robot->name;
}

static const hf_robot_lot LOTS[HF_FATE_COUNT] = {[HF_FATE_NONE] = HF_ROBOT_MISSING,
                                                 [HF_FATE_SEEN] = HF_ROBOT_SEEN,
                                                 [HF_FATE_TAKEN] = HF_ROBOT_TAKEN,
                                                 [HF_FATE_OTHERWISE] = HF_ROBOT_OTHERWISE,
                                                 [HF_FATE_MISSING] = HF_ROBOT_MISSING};

hf_robot_counts hf_robot_count(const hf_robot *robot)
{
    hf_robot_counts counts = {robot->account.elements, robot->account.attributes, {0}};
    for (int i = 0; i < HF_FATE_COUNT; ++i) {
        counts.lots[LOTS[i]] += robot->account.counts[i];
    }
    return counts;
}

hf_robot_item hf_robot_item_get(const hf_robot *robot, int item)
{
    HF_ASSERT(item >= 0 && item < robot->account.item_count);
    const hf_account_item *i = &robot->account.items[item];
    return (hf_robot_item){LOTS[i->fate], i->file,      i->line,  i->column,
                           i->element,    i->attribute, i->value, i->why};
}

int hf_robot_body_count(const hf_robot *robot)
{
    return (int)robot->links.count;
}

hf_robot_body hf_robot_body_get(const hf_robot *robot, int body)
{
    HF_ASSERT(body >= 0 && body < (int)robot->links.count);
    const hf_robot_link *link = &robot->links.items[body];
    return (hf_robot_body){link->body, link->name, link->origin, link->zero};
}

// SPDX-License-Identifier: Apache-2.0
// Robots from texts, what they become, and machines that run them.
#include "reading.h"

#include <stdio.h>
#include <string.h>

#include "damage.h"
#include "hf_known.h"

void hf_reading_note(const hf_robot *robot, const hf_error *error)
{
    if (robot == NULL) {
        hf_known_count(error->status);
        hf_known_count(error->line);
        hf_known_count(error->column);
        hf_known_text(error->text);
        return;
    }
    // The model, what was taken of the file, and what its bodies are called
    hf_robot_counts counts = hf_robot_count(robot);
    hf_known_text(hf_robot_model(robot));
    for (int i = 0; i < counts.elements + counts.attributes; ++i) {
        hf_robot_item item = hf_robot_item_get(robot, i);
        hf_known_count(item.lot);
        hf_known_count(item.line);
        hf_known_count(item.column);
        hf_known_text(item.element);
        hf_known_text(item.attribute);
        hf_known_text(item.value);
        hf_known_text(item.why);
    }
    for (int i = 0; i < hf_robot_body_count(robot); ++i) {
        hf_robot_body body = hf_robot_body_get(robot, i);
        hf_known_text(body.body);
        hf_known_text(body.link);
        hf_known_number(body.origin.x);
        hf_known_number(body.origin.y);
        hf_known_number(body.origin.z);
        hf_known_number(body.zero);
    }
}

void hf_reading_known(const char *what)
{
    char name[60];
    (void)snprintf(name, sizeof name, "%.40s-%s", HF_TEST_NAME, what);
    hf_known_end(HF_SOURCE_DIR "/tests/robots/known.txt", name);
}

static hf_robot *or_fail(hf_robot *robot, const hf_error *error)
{
    if (robot == NULL) {
        fail_msg("%s", error->text);
    }
    hf_reading_note(robot, NULL);
    hf_reading_known("read");
    return robot;
}

hf_robot *hf_reading_load(const char *text, const hf_robot_options *options)
{
    hf_error error = {0};
    hf_damage_try(text);
    return or_fail(hf_robot_parse(text, strlen(text), "robot.xml", NULL, options, &error), &error);
}

hf_robot *hf_reading_load_file(const char *path, const hf_robot_options *options)
{
    hf_error error = {0};
    return or_fail(hf_robot_read(path, options, &error), &error);
}

void hf_reading_has(const hf_robot *robot, const char *words)
{
    if (strstr(hf_robot_model(robot), words) == NULL) {
        fail_msg("the model lacks '%s':\n%s", words, hf_robot_model(robot));
    }
}

void hf_reading_lacks(const hf_robot *robot, const char *words)
{
    if (strstr(hf_robot_model(robot), words) != NULL) {
        fail_msg("the model has '%s':\n%s", words, hf_robot_model(robot));
    }
}

hf_robot_item hf_reading_item(const hf_robot *robot, const char *element, const char *attribute)
{
    hf_robot_counts counts = hf_robot_count(robot);
    for (int i = 0; i < counts.elements + counts.attributes; ++i) {
        hf_robot_item found = hf_robot_item_get(robot, i);
        bool same = attribute == NULL
                        ? found.attribute == NULL
                        : found.attribute != NULL && strcmp(found.attribute, attribute) == 0;
        if (same && strcmp(found.element, element) == 0) {
            return found;
        }
    }
    fail_msg("%s %s is not in the account", element, attribute == NULL ? "" : attribute);
    return (hf_robot_item){0};
}

int hf_reading_missing(const hf_robot *robot)
{
    hf_robot_counts counts = hf_robot_count(robot);
    int sum = 0;
    for (int i = 0; i < HF_ROBOT_LOT_COUNT; ++i) {
        sum += counts.lots[i];
    }
    assert_int_equal(sum, counts.elements + counts.attributes);
    return counts.lots[HF_ROBOT_MISSING];
}

// Where an item stands in the text, and what is to be cut out: an attribute with its value, or an
// element from < to its end.
static void find_cut(const char *text, const hf_robot_item *item, const char **from,
                     const char **to)
{
    const char *at = text;
    for (int line = 1; line < item->line; ++line) {
        at = strchr(at, '\n') + 1;
    }
    at += item->column - 1;
    *from = at;
    if (item->attribute != NULL) {
        assert_memory_equal(at, item->attribute, strlen(item->attribute));
        const char *quote = strpbrk(at, "\"'");
        *to = strchr(quote + 1, *quote) + 1;
        return;
    }
    char end[100];
    (void)snprintf(end, sizeof end, "</%.80s>", item->element);
    *to = strstr(at, end) + strlen(end);
}

int hf_reading_check_taken(const char *text)
{
    static char cut[20000];
    hf_robot *whole = hf_reading_load(text, NULL);
    hf_robot_counts counts = hf_robot_count(whole);
    int tried = 0;
    assert_true(strlen(text) < sizeof cut);
    for (int i = 0; i < counts.elements + counts.attributes; ++i) {
        hf_robot_item item = hf_robot_item_get(whole, i);
        bool taken = item.lot == HF_ROBOT_TAKEN || item.lot == HF_ROBOT_OTHERWISE;
        bool word = item.attribute != NULL &&
                    (strcmp(item.attribute, "name") == 0 || strcmp(item.attribute, "version") == 0);
        if (!taken || word || (item.attribute == NULL && item.value[0] == '\0')) {
            continue;
        }
        // The same text without it
        const char *from, *to;
        find_cut(text, &item, &from, &to);
        memcpy(cut, text, (size_t)(from - text));
        (void)snprintf(cut + (from - text), sizeof cut - (size_t)(from - text), "%s", to);
        hf_error error = {0};
        hf_robot *robot = hf_robot_parse(cut, strlen(cut), "robot.xml", NULL, NULL, &error);
        if (robot != NULL && strcmp(hf_robot_model(robot), hf_robot_model(whole)) == 0) {
            fail_msg("%d:%d: %s %s is called taken, but changes nothing", item.line, item.column,
                     item.element, item.attribute == NULL ? "" : item.attribute);
        }
        hf_robot_destroy(robot);
        ++tried;
    }
    hf_robot_destroy(whole);
    return tried;
}

hf_reading_machine hf_reading_start(const hf_robot *robot, const char *change)
{
    hf_error error = {0};
    const char *text = hf_robot_model(robot);
    hf_overrides overrides = {.items = &change, .count = change != NULL ? 1 : 0};
    hf_reading_machine m = {.spec =
                                hf_spec_parse(text, strlen(text), "r", NULL, &overrides, &error)};
    m.model = m.spec == NULL ? NULL : hf_model_compile(m.spec, &error);
    m.sim = m.model == NULL ? NULL : hf_sim_create(m.model, NULL, &error);
    if (m.sim == NULL) {
        fail_msg("%s\n%s", error.text, text);
    }
    return m;
}

void hf_reading_run(hf_reading_machine *m, double until)
{
    hf_error error = {0};
    if (hf_sim_advance(m->sim, until, false, &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
}

void hf_reading_end(hf_reading_machine *m)
{
    hf_sim_destroy(m->sim);
    hf_model_destroy(m->model);
    hf_spec_destroy(m->spec);
}

static hf_coordinate place(const hf_reading_machine *m, const char *joint, int axis)
{
    hf_body body = hf_spec_find_body(m->spec, joint);
    if (body.id == 0) {
        fail_msg("there is no '%s'", joint);
    }
    return (hf_coordinate){body, axis};
}

double hf_reading_q(const hf_reading_machine *m, const char *joint, int axis)
{
    return hf_sim_q(m->sim, place(m, joint, axis));
}

double hf_reading_v(const hf_reading_machine *m, const char *joint, int axis)
{
    return hf_sim_v(m->sim, place(m, joint, axis));
}

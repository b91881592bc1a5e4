// SPDX-License-Identifier: Apache-2.0
// Damages a robot's file in one place after the other and reads it.
#include "damage.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hf_known.h"
#include "reading.h"

enum { LONGEST = 8000, MOST_TEXTS = 400 };

// In place of a value. The first is what no reader may take for a number.
static const char *const WRONG[] = {
    "12x", "", "-1", "0", "nan", "1e999", "nowhere", "1 2", "1 2 3 4 5 6 7 8 9 10 11 12"};
enum { WRONG_COUNT = sizeof WRONG / sizeof *WRONG };

// A value in a text: where it begins and ends, and where its attribute or element does.
typedef struct place {
    size_t from, to, whole_from, whole_to;
} place;

static bool is_number(const char *text, size_t length)
{
    char copy[40], *end = NULL;
    if (length == 0 || length >= sizeof copy) {
        return false;
    }
    (void)snprintf(copy, sizeof copy, "%.*s", (int)length, text);
    (void)strtod(copy, &end);
    return end != copy && *end == '\0' &&
           (isdigit((unsigned char)copy[0]) || copy[0] == '-' || copy[0] == '.');
}

// The next value after `at`. False: there is none.
static bool next_place(const char *text, size_t at, place *p)
{
    for (size_t i = at; text[i] != '\0'; ++i) {
        if (text[i] == '=' && (text[i + 1] == '"' || text[i + 1] == '\'')) {
            const char *end = strchr(text + i + 2, text[i + 1]);
            size_t name = i;
            while (name > 0 && (isalnum((unsigned char)text[name - 1]) || text[name - 1] == '_')) {
                --name;
            }
            *p = (place){i + 2, (size_t)(end - text), name, (size_t)(end - text) + 1};
            return true;
        }
        size_t length = strcspn(text + i + 1, "<");
        bool leaf = text[i] == '>' && i > 0 && text[i - 1] != '/' && length > 0 &&
                    strncmp(text + i + 1 + length, "</", 2) == 0;
        if (leaf) {
            size_t begin = i;
            while (text[begin] != '<') {
                --begin;
            }
            const char *end = strchr(text + i + 1 + length, '>');
            *p = (place){i + 1, i + 1 + length, begin, (size_t)(end - text) + 1};
            return true;
        }
    }
    return false;
}

// Whether the account calls what stands at a line and column taken.
static bool is_taken(const hf_robot *robot, const char *text, size_t at)
{
    int line = 1, column = 1;
    for (size_t i = 0; i < at; ++i) {
        line += text[i] == '\n';
        column = text[i] == '\n' ? 1 : column + 1;
    }
    hf_robot_counts counts = hf_robot_count(robot);
    for (int i = 0; i < counts.elements + counts.attributes; ++i) {
        hf_robot_item item = hf_robot_item_get(robot, i);
        if (item.line == line && item.column == column) {
            return item.lot == HF_ROBOT_TAKEN;
        }
    }
    return false;
}

static void read_damaged(const char *text, const char *damage)
{
    hf_error error = {0};
    hf_robot *robot = hf_robot_parse(text, strlen(text), "robot.xml", NULL, NULL, &error);
    if (robot == NULL) {
        if (error.status >= 0 || error.text[0] == '\0') {
            fail_msg("refused without a message, with %s:\n%s", damage, text);
        }
        hf_reading_note(NULL, &error);
        return;
    }
    (void)hf_reading_missing(robot); // the account adds up
    hf_reading_note(robot, NULL);
    hf_spec *spec = hf_spec_parse(hf_robot_model(robot), strlen(hf_robot_model(robot)), "robot",
                                  NULL, NULL, &error);
    if (spec == NULL && error.text[0] == '\0') {
        fail_msg("its model is refused without a message, with %s:\n%s", damage, text);
    }
    if (spec == NULL) {
        hf_reading_note(NULL, &error);
    }
    hf_spec_destroy(spec);
    hf_robot_destroy(robot);
}

static void check_number(const char *damaged, const place *p)
{
    hf_error error = {0};
    hf_robot *robot = hf_robot_parse(damaged, strlen(damaged), "robot.xml", NULL, NULL, &error);
    if (robot != NULL && is_taken(robot, damaged, p->whole_from)) {
        fail_msg("'%s' is taken for a number at %.40s of\n%s", WRONG[0], damaged + p->whole_from,
                 damaged);
    }
    hf_robot_destroy(robot);
}

void hf_damage_try(const char *text)
{
    static uint64_t seen[MOST_TEXTS]; // hashes: buffers of several texts are at one address
    static char damaged[LONGEST + 100];
    static int count;
    uint64_t hash = 1469598103934665603u; // FNV-1a
    for (const char *c = text; *c != '\0'; ++c) {
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    }
    for (int i = 0; i < count; ++i) {
        if (seen[i] == hash) {
            return;
        }
    }
    if (strlen(text) >= LONGEST || count == MOST_TEXTS) {
        return;
    }
    seen[count++] = hash;
    hf_error error = {0};
    hf_robot *whole = hf_robot_parse(text, strlen(text), "robot.xml", NULL, NULL, &error);
    place p = {0};
    for (size_t at = 0; whole != NULL && next_place(text, at, &p); at = p.to + 1) {
        for (int k = 0; k < WRONG_COUNT; ++k) {
            (void)snprintf(damaged, sizeof damaged, "%.*s%s%s", (int)p.from, text, WRONG[k],
                           text + p.to);
            read_damaged(damaged, WRONG[k]);
            if (k == 0 && is_number(text + p.from, p.to - p.from) &&
                is_taken(whole, text, p.whole_from)) {
                check_number(damaged, &p);
            }
        }
        (void)snprintf(damaged, sizeof damaged, "%.*s%s", (int)p.whole_from, text,
                       text + p.whole_to);
        read_damaged(damaged, "one left out");
        // A name that nobody knows
        (void)snprintf(damaged, sizeof damaged, "%.*sx%s",
                       (int)(p.whole_from + (text[p.whole_from] == '<')), text,
                       text + p.whole_from + (text[p.whole_from] == '<'));
        read_damaged(damaged, "another name");
    }
    hf_reading_known("damaged");
    hf_robot_destroy(whole);
}

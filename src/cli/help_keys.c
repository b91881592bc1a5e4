// SPDX-License-Identifier: Apache-2.0
// Prints what may stand in a part of a model file, for `holdfast help`.
#include "cli/help_keys.h"

#include <stdio.h>
#include <string.h>

#include <holdfast/law.h>

#include "cli/schema_keys.h"

// The maps of one part of a model file.
typedef struct part {
    const char *title, *phrase;
    const hf_cli_schema_map *maps;
    const int *count;
} part;

static const part parts[] = {
    {"parts", "a part of a model file", hf_cli_schema_maps, &hf_cli_schema_map_count},
    {"bodies", "a body", hf_cli_schema_bodies, &hf_cli_schema_body_count},
    {"shapes", "a shape", hf_cli_schema_shapes, &hf_cli_schema_shape_count},
    {"forces", "a force", hf_cli_schema_forces, &hf_cli_schema_force_count},
    {"loops", "a loop", hf_cli_schema_loops, &hf_cli_schema_loop_count},
};
enum { PART_COUNT = (int)(sizeof parts / sizeof parts[0]) };

// The part's name in a file: the value of `type`, or the definition's name without its "-map".
static void name_of(const hf_cli_schema_map *map, char *name, size_t size)
{
    (void)snprintf(name, size, "%s", map->kind != NULL ? map->kind : map->name);
    char *tail = strstr(name, "-map");
    if (tail != NULL && tail[4] == '\0') {
        *tail = '\0';
    }
}

static int is_called(const hf_cli_schema_map *map, const char *word)
{
    char name[64];
    name_of(map, name, sizeof name);
    return strcmp(name, word) == 0;
}

// "(pair of numbers)", "(level)"; "(a, b, c)" of a list of words.
static void print_type(const char *type)
{
    if (type[0] == '=') {
        ++type;
    }
    (void)printf(" (");
    for (const char *c = type; *c != '\0' && strcmp(c, "-map") != 0; ++c) {
        (void)(*c == '|' ? printf(", ") : printf("%c", *c == '-' ? ' ' : *c));
    }
    (void)printf(")");
}

static void print_map(const part *where, const hf_cli_schema_map *map)
{
    char name[64];
    name_of(map, name, sizeof name);
    (void)printf("%s: %s", name, where->phrase);
    if (map->kind != NULL) {
        (void)printf(", by 'type: %s'", map->kind);
    }
    (void)printf("\n\n");
    for (int i = 0; i < map->count; ++i) {
        const hf_cli_schema_key *key = &map->keys[i];
        (void)printf("  %-20s %s", key->name, key->about);
        print_type(key->type);
        (void)printf("\n");
    }
    if (map->needed[0] != '\0') {
        (void)printf("\nMust be there: %s.\n", map->needed);
    }
    if (strcmp(name, "friction") == 0 || strcmp(name, "contact") == 0) {
        (void)printf("\nWith 'law: NAME' come the parameters of that law: 'holdfast help laws'.\n");
    }
}

int hf_cli_help_map(const char *word)
{
    int told = 0;
    for (int p = 0; p < PART_COUNT; ++p) {
        for (int i = 0; i < *parts[p].count; ++i) {
            if (is_called(&parts[p].maps[i], word)) {
                (void)printf("%s", told > 0 ? "\n" : "");
                print_map(&parts[p], &parts[p].maps[i]);
                ++told;
            }
        }
    }
    return told;
}

static int print_parameter(const hf_law_info *info, const char *word)
{
    for (int i = 0; i < info->param_count; ++i) {
        const hf_param *p = &info->params[i];
        if (strcmp(p->name, word) == 0) {
            (void)printf("  law %-18s %s%s%s%s\n", info->name, p->meaning,
                         p->unit[0] != '\0' ? " [" : "", p->unit, p->unit[0] != '\0' ? "]" : "");
            return 1;
        }
    }
    return 0;
}

int hf_cli_help_entry(const char *word)
{
    int told = 0;
    for (int p = 0; p < PART_COUNT; ++p) {
        for (int i = 0; i < *parts[p].count; ++i) {
            const hf_cli_schema_map *map = &parts[p].maps[i];
            for (int k = 0; k < map->count; ++k) {
                if (strcmp(map->keys[k].name, word) != 0) {
                    continue;
                }
                char name[64];
                name_of(map, name, sizeof name);
                (void)printf("%s  %-22s %s", told++ == 0 ? "An entry of\n" : "", name,
                             map->keys[k].about);
                print_type(map->keys[k].type);
                (void)printf("\n");
            }
        }
    }
    for (int i = 0; i < HF_LAW_TYPE_COUNT; ++i) {
        const hf_law_info *info = hf_law_info_get((hf_law_type)i);
        told += info != NULL ? print_parameter(info, word) : 0;
    }
    return told;
}

void hf_cli_help_maps(void)
{
    for (int p = 0; p < PART_COUNT; ++p) {
        (void)printf("  %-11s", parts[p].title);
        int column = 13;
        for (int i = 0; i < *parts[p].count; ++i) {
            char name[64];
            name_of(&parts[p].maps[i], name, sizeof name);
            if (column + (int)strlen(name) + 2 > 80) {
                (void)printf("\n             ");
                column = 13;
            }
            column += printf(" %s%s", name, i + 1 < *parts[p].count ? "," : "");
        }
        (void)printf("\n");
    }
}

int hf_cli_help_names(const char **names, int count, int most)
{
    for (int p = 0; p < PART_COUNT; ++p) {
        for (int i = 0; i < *parts[p].count; ++i) {
            const hf_cli_schema_map *map = &parts[p].maps[i];
            if (count < most && (map->kind != NULL || strstr(map->name, "-map") == NULL)) {
                names[count++] = map->kind != NULL ? map->kind : map->name;
            }
            for (int k = 0; k < map->count && count < most; ++k) {
                names[count++] = map->keys[k].name;
            }
        }
    }
    return count;
}

// SPDX-License-Identifier: Apache-2.0
// Height fields from pictures (PNG): the heights that MuJoCo 2.2.2 has, for every kind of picture;
// refusals of damaged and of hostile ones.
#define _XOPEN_SOURCE 700 // mkdtemp
#include "reading.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "robots/picture.h"

// ------------------------------------------------------------------------------------------------
// Pictures made by hand: stored, not compressed

typedef struct png {
    unsigned char bytes[1024];
    size_t length;
} png;

static void put_word(unsigned char *to, uint32_t word)
{
    for (int i = 0; i < 4; ++i) {
        to[i] = (unsigned char)(word >> (24 - 8 * i));
    }
}

static uint32_t crc_of(const unsigned char *bytes, size_t length)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < length; ++i) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; ++k) {
            crc = (crc & 1) != 0 ? UINT32_C(0xedb88320) ^ (crc >> 1) : crc >> 1;
        }
    }
    return ~crc;
}

static void put_chunk(png *p, const char *type, const unsigned char *data, size_t length)
{
    unsigned char *at = p->bytes + p->length;
    assert_true(p->length + length + 12 <= sizeof p->bytes);
    put_word(at, (uint32_t)length);
    memcpy(at + 4, type, 4);
    memcpy(at + 8, data, length);
    put_word(at + 8 + length, crc_of(at + 4, length + 4));
    p->length += length + 12;
}

// Rows as they stand in the file: a filter byte (0), then the points.
static png make(uint32_t columns, uint32_t rows, int depth, int color, const unsigned char *raw,
                size_t length)
{
    static const unsigned char palette[] = {10,  1, 2, 250, 3, 4, 77, 5,   6,
                                            200, 7, 8, 0,   9, 9, 31, 200, 200};
    png p = {.bytes = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'}, .length = 8};
    unsigned char head[13] = {0}, data[256] = {0x78, 0x01, 1};
    put_word(head, columns);
    put_word(head + 4, rows);
    head[8] = (unsigned char)depth;
    head[9] = (unsigned char)color;
    put_chunk(&p, "IHDR", head, sizeof head);
    if (color == 3) {
        put_chunk(&p, "PLTE", palette, sizeof palette);
    }
    // One stored block, and the sum of Adler
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < length; ++i) {
        a = (a + raw[i]) % 65521;
        b = (b + a) % 65521;
    }
    data[3] = (unsigned char)length;
    data[5] = (unsigned char)~length;
    data[6] = 0xff;
    memcpy(data + 7, raw, length);
    put_word(data + 7 + length, b << 16 | a);
    put_chunk(&p, "IDAT", data, length + 11);
    put_chunk(&p, "IEND", data, 0);
    return p;
}

// Points of red 10 250 77 and, below them, 200 0 31, of so many bytes each.
static png make_points(int depth, int color, size_t channels)
{
    static const unsigned char red[6] = {10, 250, 77, 200, 0, 31};
    unsigned char raw[64];
    size_t length = 0;
    for (int i = 0; i < 6; ++i) {
        if (i % 3 == 0) {
            raw[length++] = 0;
        }
        raw[length++] = color == 3 ? (unsigned char)i : red[i];
        for (size_t k = 1; k < channels; ++k) {
            raw[length++] = (unsigned char)(40 * k);
        }
    }
    return make(3, 2, depth, color, raw, length);
}

// ------------------------------------------------------------------------------------------------

// A robot beside its picture, in a folder of its own.
static hf_robot *load(const png *p, const char *file, hf_error *error)
{
    static const char robot[] =
        "<mujoco><asset><hfield name='h' file='%s' size='1 1 1 0.1'/></asset><worldbody>"
        "<geom type='hfield' hfield='h'/></worldbody></mujoco>";
    char folder[] = "/tmp/hf-picture-XXXXXX", path[64], field[64];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/r.xml", folder);
    (void)snprintf(field, sizeof field, "%s/%s", folder, file);
    FILE *f = fopen(field, "wb"), *x = fopen(path, "wb");
    assert_true(f != NULL && x != NULL);
    assert_int_equal(fwrite(p->bytes, 1, p->length, f), p->length);
    (void)fprintf(x, robot, file);
    (void)fclose(f);
    (void)fclose(x);
    hf_robot *read = hf_robot_read(path, NULL, error);
    (void)remove(path);
    (void)remove(field);
    (void)rmdir(folder);
    return read;
}

// The first row is that of the smallest y, the last of the picture. Numbers of MuJoCo 2.2.2,
// hfield_data: 0.800000012 0 0.123999998 / 0.0399999991 1 0.307999998; of four bits 0.800000012 0
// 0.200000003 / 0.0666666701 1 0.466666669.
static void test_heights_are_mujocos(void **state)
{
    (void)state;
    const struct {
        png picture;
        const char *name, *heights[2];
    } cases[] = {
        {make_points(8, 0, 1), "gray", {"[[0.8, 0, 0.124],", "[0.04, 1, 0.308]]"}},
        {make_points(16, 0, 2), "gray 16", {"[[0.8, 0, 0.124],", "[0.04, 1, 0.308]]"}},
        {make_points(8, 4, 2), "gray alpha", {"[[0.8, 0, 0.124],", "[0.04, 1, 0.308]]"}},
        {make_points(8, 2, 3), "rgb", {"[[0.8, 0, 0.124],", "[0.04, 1, 0.308]]"}},
        {make_points(16, 2, 6), "rgb 16", {"[[0.8, 0, 0.124],", "[0.04, 1, 0.308]]"}},
        {make_points(8, 6, 4), "rgba", {"[[0.8, 0, 0.124],", "[0.04, 1, 0.308]]"}},
        {make_points(8, 3, 1), "palette", {"[[0.8, 0, 0.124],", "[0.04, 1, 0.308]]"}},
        {make(3, 2, 4, 0, (const unsigned char[]){0, 0x1f, 0x70, 0, 0xc0, 0x30}, 6),
         "four bits",
         {"[[0.8, 0, 0.2],", "[0.06666666666666667, 1, 0.4666666666666667]]"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        hf_error error = {0};
        hf_robot *robot = load(&cases[i].picture, "h.png", &error);
        if (robot == NULL) {
            fail_msg("%s: %s", cases[i].name, error.text);
            return;
        }
        assert_int_equal(hf_reading_missing(robot), 0);
        hf_reading_has(robot, cases[i].heights[0]);
        hf_reading_has(robot, cases[i].heights[1]);
        hf_robot_destroy(robot);
    }
}

static void refuse(const png *p, const char *words)
{
    hf_error error = {0};
    hf_robot *robot = load(p, "h.png", &error);
    hf_robot_destroy(robot);
    if (robot != NULL || strstr(error.text, words) == NULL) {
        fail_msg("got '%s', want '%s'", robot != NULL ? "a robot" : error.text, words);
    }
}

// A few bytes that ask for 2^31 - 1 rows allocate nothing; one row is no field.
static void test_hostile_sizes(void **state)
{
    (void)state;
    const unsigned char raw[4] = {0, 1, 2, 3};
    png p = make(INT32_MAX, INT32_MAX, 16, 6, raw, 4);
    refuse(&p, "got 2147483647 x 2147483647");
    p = make(1000, 1001, 8, 0, raw, 4);
    refuse(&p, "at most 1000000 points; got 1001 x 1000");
    p = make(3, 1, 8, 0, raw, 4);
    refuse(&p, "2 rows and columns or more");
    p = make(1000000, 2, 8, 0, raw, 4);
    refuse(&p, "at most 1000000 points");
    p = make(0, 2, 8, 0, raw, 4);
    refuse(&p, "the picture cannot be read");
}

// Cut anywhere or with one byte changed: a picture, a refusal, or no picture; never more.
static void test_damaged_pictures(void **state)
{
    (void)state;
    png whole = make_points(8, 2, 3);
    int refused = 0;
    hf_picture picture;
    for (size_t i = 8; i < whole.length; ++i) {
        hf_picture_state cut = hf_picture_read((const char *)whole.bytes, i, 1000, &picture);
        free(picture.values);
        // Without its end alone the points are all there.
        assert_true(cut == HF_PICTURE_DAMAGED || i + 16 > whole.length);
        png p = whole;
        p.bytes[i] ^= 0x41;
        hf_picture_state other = hf_picture_read((const char *)p.bytes, p.length, 1000, &picture);
        refused += other == HF_PICTURE_DAMAGED;
        assert_true(other != HF_PICTURE_OTHER);
        free(picture.values);
    }
    assert_true(refused > (int)whole.length / 2);
    png p = whole;
    p.length -= 30;
    refuse(&p, "r.xml:1:33: the picture cannot be read: ");
}

// What is neither is told.
static void test_other_files_are_told(void **state)
{
    (void)state;
    png p = {.bytes = "GIF89a", .length = 6};
    hf_error error = {0};
    hf_robot *robot = load(&p, "h.gif", &error);
    assert_non_null(robot);
    assert_true(hf_reading_missing(robot) > 0);
    assert_int_equal(hf_reading_item(robot, "hfield", "file").lot, HF_ROBOT_MISSING);
    hf_robot_destroy(robot);
}

// A ball rolls down the picture's slope: white above, at the larger y.
static void test_a_ball_rolls_down(void **state)
{
    (void)state;
    const unsigned char raw[8] = {0, 255, 255, 255, 0, 55, 55, 55};
    png p = make(3, 2, 8, 0, raw, 8);
    char folder[] = "/tmp/hf-picture-XXXXXX", path[64], field[64];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/r.xml", folder);
    (void)snprintf(field, sizeof field, "%s/h.png", folder);
    FILE *f = fopen(field, "wb"), *x = fopen(path, "wb");
    assert_true(f != NULL && x != NULL);
    assert_int_equal(fwrite(p.bytes, 1, p.length, f), p.length);
    (void)fputs("<mujoco><option timestep='0.0005'/><asset><hfield name='h' file='h.png' "
                "size='1 1 1 0.1'/></asset><worldbody><geom type='hfield' hfield='h'/>"
                "<body pos='0 0.5 0.861803398875'><freejoint name='f'/><geom type='sphere' "
                "size='0.1'/></body></worldbody></mujoco>",
                x);
    (void)fclose(f);
    (void)fclose(x);
    hf_robot *robot = hf_reading_load_file(path, NULL);
    hf_reading_machine m = hf_reading_start(robot, NULL);
    hf_reading_run(&m, 0.5);
    double slope = atan(0.5);
    hf_check_near(hf_reading_v(&m, "robot.f", 1), -0.5 * 5.0 / 7.0 * 9.81 * sin(slope) * cos(slope),
                  2e-3, "speed along y", "5/7 g sin cos t");
    hf_reading_end(&m);
    hf_robot_destroy(robot);
    (void)remove(path);
    (void)remove(field);
    (void)rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heights_are_mujocos), cmocka_unit_test(test_hostile_sizes),
        cmocka_unit_test(test_damaged_pictures),    cmocka_unit_test(test_other_files_are_told),
        cmocka_unit_test(test_a_ball_rolls_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

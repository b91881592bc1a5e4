// SPDX-License-Identifier: Apache-2.0
// PNG by libpng. Sizes are checked before anything is allocated for the points: a picture of a few
// bytes may say that it has 2^31 rows.
#include "robots/picture.h"

#include <stdlib.h>
#include <string.h>

bool hf_picture_is(const char *bytes, size_t length)
{
    static const unsigned char head[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    return length >= sizeof head && memcmp(bytes, head, sizeof head) == 0;
}

#ifdef HF_HAS_PNG
#include <setjmp.h>

#include <png.h>

// All that is open while a picture is read: kept out of registers, which longjmp does not restore.
typedef struct reading {
    png_structp png;
    png_infop info;
    const unsigned char *at;
    size_t left;
    unsigned char **rows;
    unsigned char *points;
    hf_picture *picture;
} reading;

static void give(png_structp png, png_bytep to, size_t count)
{
    reading *r = png_get_io_ptr(png);
    if (count > r->left) {
        png_error(png, "it ends too early");
    }
    memcpy(to, r->at, count);
    r->at += count;
    r->left -= count;
}

static void fail(png_structp png, png_const_charp why)
{
    reading *r = png_get_error_ptr(png);
    size_t length = strlen(why), most = sizeof r->picture->why - 1;
    length = length < most ? length : most;
    memcpy(r->picture->why, why, length);
    r->picture->why[length] = '\0';
    longjmp(png_jmpbuf(png), 1);
}

static void pass_over(png_structp png, png_const_charp why)
{
    (void)png, (void)why;
}

// One to four bytes a point: red first.
static size_t ask_for_bytes(reading *r)
{
    png_set_palette_to_rgb(r->png);
    png_set_expand_gray_1_2_4_to_8(r->png);
    png_set_strip_16(r->png);
    (void)png_set_interlace_handling(r->png);
    png_read_update_info(r->png, r->info);
    return png_get_rowbytes(r->png, r->info);
}

// Points of a picture whose size is known to be small enough.
static void read_points(reading *r)
{
    hf_picture *p = r->picture;
    size_t rows = (size_t)p->rows, columns = (size_t)p->columns, width = ask_for_bytes(r);
    r->points = malloc(rows * width);
    r->rows = malloc(rows * sizeof *r->rows);
    p->values = malloc(rows * columns);
    if (r->points == NULL || r->rows == NULL || p->values == NULL) {
        png_error(r->png, "out of memory");
    }
    for (size_t i = 0; i < rows; ++i) {
        r->rows[i] = r->points + i * width;
    }
    png_read_image(r->png, r->rows);
    // Red of every point
    size_t channels = width / columns;
    for (size_t i = 0; i < rows; ++i) {
        for (size_t k = 0; k < columns; ++k) {
            p->values[i * columns + k] = r->rows[i][k * channels];
        }
    }
}

static hf_picture_state read_all(reading *r, int most)
{
    const png_uint_32 widest = 0x7fffffff;
    if (setjmp(png_jmpbuf(r->png)) != 0) {
        free(r->picture->values);
        r->picture->values = NULL;
        return HF_PICTURE_DAMAGED;
    }
    // Its size first
    png_set_user_limits(r->png, widest, widest);
    png_set_read_fn(r->png, r, give);
    png_read_info(r->png, r->info);
    r->picture->rows = (int)png_get_image_height(r->png, r->info);
    r->picture->columns = (int)png_get_image_width(r->png, r->info);
    if ((long long)r->picture->rows * r->picture->columns > most) {
        return HF_PICTURE_LARGE;
    }
    read_points(r);
    return HF_PICTURE_READ;
}

hf_picture_state hf_picture_read(const char *bytes, size_t length, int most, hf_picture *picture)
{
    *picture = (hf_picture){.why = "out of memory"};
    if (!hf_picture_is(bytes, length)) {
        return HF_PICTURE_OTHER;
    }
    reading r = {.at = (const unsigned char *)bytes, .left = length, .picture = picture};
    r.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &r, fail, pass_over);
    r.info = r.png == NULL ? NULL : png_create_info_struct(r.png);
    hf_picture_state state = r.info == NULL ? HF_PICTURE_DAMAGED : read_all(&r, most);
    png_destroy_read_struct(&r.png, &r.info, NULL);
    free(r.rows);
    free(r.points);
    return state;
}
#else
hf_picture_state hf_picture_read(const char *bytes, size_t length, int most, hf_picture *picture)
{
    (void)most;
    *picture = (hf_picture){.rows = 0};
    return hf_picture_is(bytes, length) ? HF_PICTURE_UNKNOWN : HF_PICTURE_OTHER;
}
#endif

// SPDX-License-Identifier: Apache-2.0
// Text from outside: is it UTF-8, what of it may a terminal see, and copies of it.
#ifndef HF_BASE_TEXT_H
#define HF_BASE_TEXT_H

#include <stddef.h>

// Bytes of the UTF-8 character at `text`, of which `left` bytes may be read, or 0 when it is none.
// Shortest forms only, no surrogates, up to U+10FFFF. [RFC 3629, 4]
// In a text that ends with a zero, `left` may be HF_UTF8_MOST: the zero ends every character.
enum { HF_UTF8_MOST = 4 };
size_t hf_utf8_length(const char *text, size_t left);

// Copies a text, with what could command a terminal written out: control characters but tab and
// end of line, those of Unicode (U+0080 to U+009F), marks that turn the direction of writing, and
// bytes that are not UTF-8 become `\x1b`. Cut at the end of a character when `size` is too small;
// always ended by a zero when size > 0. Returns the length.
size_t hf_text_escape(char *to, size_t size, const char *text);
// Room that hf_text_escape needs at most for a text of this length.
#define HF_TEXT_ESCAPED_SIZE(length) (4 * (length) + 1)

// The first `length` bytes of a text as a text of their own, for the caller to free; NULL when out
// of memory.
char *hf_text_copy(const char *text, size_t length);

#endif

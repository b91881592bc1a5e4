// SPDX-License-Identifier: Apache-2.0
// Filling hf_error, and passing failures on.
#ifndef HF_BASE_ERROR_H
#define HF_BASE_ERROR_H

#include <holdfast/base.h>

// Fills *error (which may be NULL) and returns status.
hf_status hf_error_set(hf_error *error, hf_status status, const char *format, ...) HF_PRINTF(3, 4);

// What an error is about. Names may be NULL.
typedef struct hf_error_place {
    const char *kind;      // "force": the text begins with "force 'name': "; NULL: it does not
    const char *component; // its name
    const char *member;    // of its definition
    const char *law;
    bool timed;
    double time; // [s]: the text begins with "t = ... s: "
} hf_error_place;

static inline hf_error_place hf_at(const char *kind, const char *component)
{
    return (hf_error_place){.kind = kind, .component = component};
}

static inline hf_error_place hf_at_member(const char *kind, const char *component,
                                          const char *member)
{
    return (hf_error_place){.kind = kind, .component = component, .member = member};
}

static inline hf_error_place hf_at_law(const char *component, const char *law, const char *member)
{
    return (hf_error_place){.kind = "force", .component = component, .member = member, .law = law};
}

static inline hf_error_place hf_at_time(double time, const char *kind, const char *component)
{
    return (hf_error_place){.kind = kind, .component = component, .timed = true, .time = time};
}

// The same as hf_error_set for an error with a place, which begins the text and is kept.
hf_status hf_error_at(hf_error *error, hf_status status, hf_error_place place, const char *format,
                      ...) HF_PRINTF(4, 5);

// Puts "file:line:column: " before the text and keeps the place.
void hf_error_locate(hf_error *error, const char *file, int line, int column);

// The X-macro's text of a status.
const char *hf_status_text(hf_status status);

#define HF_TRY(call)                                                                               \
    do {                                                                                           \
        hf_status hf_try_status = (call);                                                          \
        if (hf_try_status < 0)                                                                     \
            return hf_try_status;                                                                  \
    } while (0)

// Programmer errors. On in every preset but release.
#ifdef HF_RELEASE
#define HF_ASSERT(condition) ((void)sizeof(condition))
#else
#include <assert.h>
#define HF_ASSERT(condition) assert(condition)
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
// Status codes, error text and the few macros that every other header uses.
// Freestanding: needs no C library.
#ifndef HOLDFAST_BASE_H
#define HOLDFAST_BASE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HF_VERSION_MAJOR 0
#define HF_VERSION_MINOR 1
#define HF_VERSION_PATCH 0
#define HF_VERSION       "0.1.0"

#if defined(__GNUC__) || defined(__clang__)
#define HF_NODISCARD           __attribute__((warn_unused_result))
#define HF_PRINTF(text, first) __attribute__((format(printf, text, first)))
// What the libraries show to programs; all else in them is hidden.
#define HF_API __attribute__((visibility("default")))
#else
#define HF_API
#define HF_NODISCARD
#define HF_PRINTF(text, first)
#endif

// Zero: done. Positive: done, with news. Negative: an error, explained in hf_error.text.
#define HF_STATUS_LIST(X)                                                                          \
    X(HF_OK, 0, "done")                                                                            \
    X(HF_INTERRUPTED, 1, "stopped on request")                                                     \
    X(HF_EVENT, 2, "stopped at an event")                                                          \
    X(HF_ERROR_INPUT, -1, "the input is not valid")                                                \
    X(HF_ERROR_RANGE, -2, "a number is outside its range")                                         \
    X(HF_ERROR_NAME, -3, "a name is unknown or already taken")                                     \
    X(HF_ERROR_MEMORY, -4, "out of memory")                                                        \
    X(HF_ERROR_FILE, -5, "a file could not be read or written")                                    \
    X(HF_ERROR_SYNTAX, -6, "the text does not parse")                                              \
    X(HF_ERROR_NOT_FINITE, -7, "the state left the finite numbers")                                \
    X(HF_ERROR_UNSUPPORTED, -8, "this combination is not supported")                               \
    X(HF_ERROR_STATE, -9, "the saved state does not belong to this model")                         \
    X(HF_ERROR_CONVERGENCE, -10, "a method or solver did not converge")                            \
    X(HF_ERROR_STOPPED, -11, "stopped on request, within a step")

typedef enum hf_status {
#define HF_STATUS_ENUM(name, code, text) name = code,
    HF_STATUS_LIST(HF_STATUS_ENUM)
#undef HF_STATUS_ENUM
} hf_status;

// Room for the text of an error, and for the names in it, each with its final zero.
enum { HF_ERROR_TEXT_SIZE = 480, HF_ERROR_NAME_SIZE = 208, HF_ERROR_WORD_SIZE = 48 };

// What went wrong. `text` is for people: one line without a newline, which starts with
// "file:line:column: " when the error has a place in a file. The members behind it say the same to
// programs: what the error is about. Filled on every negative status.
typedef struct hf_error {
    hf_status status;
    int line;   // in the model file, from 1; 0: no place
    int column; // from 1; 0: no place
    char text[HF_ERROR_TEXT_SIZE];
    char component[HF_ERROR_NAME_SIZE]; // body, joint, force, loop or signal by name; "": none
    char member[HF_ERROR_WORD_SIZE];    // of its definition, as model files call it; "": none
    char law[HF_ERROR_WORD_SIZE];       // of a force, as model files call it; "": none
    double time;                        // at which a run failed [s]; negative: not in a run
    int place_size; // bytes at the start of `text` that are "file:line:column: "; 0: no place
} hf_error;

// Where memory comes from: malloc and free when both functions are NULL.
typedef struct hf_allocator {
    void *(*allocate)(void *context, size_t size); // aligned for any object; NULL on failure
    void (*release)(void *context, void *memory);
    void *context;
} hf_allocator;

// A three-vector, in the order x, y, z.
typedef struct hf_vec3 {
    double x, y, z;
} hf_vec3;

// A unit quaternion w + xi + yj + zk: the rotation from a body's frame to its parent's.
typedef struct hf_quat {
    double w, x, y, z;
} hf_quat;

// A symmetric matrix, such as an inertia [kg m^2].
typedef struct hf_sym3 {
    double xx, yy, zz, xy, xz, yz;
} hf_sym3;

// A 3x3 matrix, row by row. A rotation matrix maps body coordinates to the parent's.
typedef struct hf_mat3 {
    double xx, xy, xz;
    double yx, yy, yz;
    double zx, zy, zz;
} hf_mat3;

// Where a body is and how it moves, in the world's frame.
typedef struct hf_pose {
    hf_mat3 rotation; // body to world
    hf_vec3 position; // of the body's origin [m]
    hf_vec3 velocity; // of the body's origin [m/s]
    hf_vec3 spin;     // angular velocity [rad/s]
} hf_pose;

// How the motion of a body changes, in the world's frame.
typedef struct hf_pose_rate {
    hf_vec3 velocity; // of the body's origin [m/s^2]
    hf_vec3 spin;     // [rad/s^2]
} hf_pose_rate;

// What acts on a body, in the world's frame.
typedef struct hf_wrench {
    hf_vec3 force;  // [N]
    hf_vec3 torque; // about the body's origin [Nm]
} hf_wrench;

// Whether a law is touching, holding or sliding.
typedef enum hf_regime {
    HF_REGIME_OPEN,  // not in contact: no force
    HF_REGIME_STICK, // below its level
    HF_REGIME_SLIP   // at its level
} hf_regime;

#ifdef __cplusplus
}
#endif
#endif

// SPDX-License-Identifier: Apache-2.0
// The tables of methods that other libraries have, where these are linked. Weak: NULL where not, so
// that holdfast itself needs none of them. What links such a library asks for its symbol
// (INTERFACE_LINK_OPTIONS in cmake/HoldfastBuild.cmake, Libs in its pkg-config file), which brings
// it in from an archive and keeps it among shared libraries.
#ifndef HF_METHODS_PLUGS_H
#define HF_METHODS_PLUGS_H

#include <holdfast/adaptive.h>
#include <holdfast/contact.h>
#include <holdfast/nlp.h>

#if defined(__GNUC__) || defined(__clang__)
const hf_method_table *hf_adaptive_methods(void) __attribute__((weak));
const hf_method_table *hf_contact_methods(void) __attribute__((weak));
const hf_method_table *hf_nlp_methods(void) __attribute__((weak));
#define HF_LINKED(function) (function)
#else // tables are passed in hf_sim_def.methods
#define HF_LINKED(function) NULL
#endif

#endif

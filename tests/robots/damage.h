// SPDX-License-Identifier: Apache-2.0
// A robot's file, damaged in one place after the other.
#ifndef HF_TESTS_DAMAGE_H
#define HF_TESTS_DAMAGE_H

// Replaces every value of an attribute, and every text of an element, by each of a list of wrong
// ones, and leaves it and its element out. Each time the reader must refuse the file with a
// message, or give a robot whose account adds up. What was a number and no longer is one must be
// refused, or be called not taken. The text must be one that is read; longer ones are left alone.
void hf_damage_try(const char *text);

#endif

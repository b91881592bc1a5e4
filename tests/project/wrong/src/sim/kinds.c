// SPDX-License-Identifier: Apache-2.0
// Asks which kind a body is (HF_BODY_RIGID), and should ask its table.
int is_rigid = HF_BODY_RIGID;

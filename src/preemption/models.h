/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What words say of preemption models: a configuration, a banner, a vermagic, a version. All are
 * sets of enum model_bit; MODEL_ANY says nothing.
 */
#ifndef MODCHECK_MODELS_H
#define MODCHECK_MODELS_H

#include <stdint.h>

#include "model/kernel.h"

/* The set without what kernels of that version (0: not known) cannot be; MODEL_ANY stays. */
uint8_t models_narrow(uint8_t models, uint32_t version);

/* By the kernel's configuration, which may be absent. */
uint8_t models_by_config(const struct kernel *kernel);

/* By "Linux version ...", NULL: not known. */
uint8_t models_by_banner(const char *banner);

/* By the vermagic of a kernel or module. */
uint8_t models_by_vermagic(const char *vermagic);

#endif

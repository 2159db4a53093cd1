/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verify stage: are the contents of modules those that were signed? Between reading and
 * checking, as it takes what both the modules and the evidence say.
 */
#ifndef MODCHECK_VERIFY_H
#define MODCHECK_VERIFY_H

#include <stdint.h>

#include "model/module.h"

struct arena;
struct evidence_options;

/*
 * Set signature and signature_detail of those that have a signed_content and whose contents are
 * not what the key signed. A module whose signer's certificate is not at hand is left as it is:
 * nothing is known of it. Where no module has a signed_content, this does nothing.
 */
void verify_signatures(struct module *modules, uint32_t n_modules,
		       const struct evidence_options *evidence, unsigned int n_threads,
		       struct arena *a);

#endif

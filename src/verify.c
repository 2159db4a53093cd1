/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The certificate in a build directory is tried first, as an image takes a second to unpack; that
 * is only done when there is still a module whose signer is not known.
 */
#include "verify.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/pool.h"
#include "kernel/certificates.h"
#include "kernel/evidence.h"
#include "read/pkcs7.h"

struct verify {
	struct module **modules; /* to be verified still */
	uint8_t *verdicts;       /* enum pkcs7_verdict, one a module */
	size_t n;
	struct pkcs7_keys *keys;
	unsigned int n_threads;
};

static void verify_job(void *shared, void *worker, size_t job)
{
	struct verify *v = shared;

	(void)worker;
	v->verdicts[job] = (uint8_t)pkcs7_verify(v->keys, v->modules[job]->signed_content);
}

/* Keep those whose signer is still not known. */
static void take_verdicts(struct verify *v)
{
	size_t n = 0;

	for (size_t i = 0; i < v->n; i++) {
		struct module *m = v->modules[i];
		if (v->verdicts[i] == PKCS7_BAD) {
			m->signature = SIGNATURE_OTHER_FILE;
			m->signature_detail = "it is not one of these contents: the module was "
					      "altered after it was signed, or the signature was";
		}
		if (v->verdicts[i] == PKCS7_OTHER_KEY)
			v->modules[n++] = m;
	}
	v->n = n;
}

static void try_certificates(struct verify *v, const struct certificate *list)
{
	bool has_any = false;

	v->keys = pkcs7_keys_new();
	for (const struct certificate *c = list; c; c = c->next)
		has_any |= pkcs7_keys_add(v->keys, c->bytes, c->size);
	if (has_any) {
		void **workers = mem_zalloc(v->n_threads * sizeof(*workers));
		pool_run(v->n_threads, v->n, verify_job, v, workers);
		free(workers);
		take_verdicts(v);
	}
	pkcs7_keys_free(v->keys);
}

void verify_signatures(struct module *modules, uint32_t n_modules,
		       const struct evidence_options *evidence, unsigned int n_threads,
		       struct arena *a)
{
	struct verify v = { .n_threads = n_threads };

	v.modules = mem_zalloc(n_modules * sizeof(struct module *) + 1);
	v.verdicts = mem_zalloc(n_modules + (size_t)1);
	for (uint32_t i = 0; i < n_modules; i++) {
		if (modules[i].signed_content)
			v.modules[v.n++] = &modules[i];
	}
	if (v.n)
		try_certificates(&v, certificates_of_build(evidence, a));
	if (v.n)
		try_certificates(&v, certificates_of_image(evidence, a));
	free(v.modules);
	free(v.verdicts);
}

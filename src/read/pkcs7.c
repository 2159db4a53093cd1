/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scripts/sign-file makes these messages with CMS_NOATTR: SignedData without contents and
 * certificates, one SignerInfo that names its key by issuer and serial number (or by key
 * identifier), and the signature straight over the digest of the module.
 */
#include "read/pkcs7.h"

#include <openssl/cms.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/module.h"

struct pkcs7_keys {
	STACK_OF(X509) * certificates;
};

static CMS_ContentInfo *parse(const unsigned char *message, size_t size)
{
	const unsigned char *p = message;
	CMS_ContentInfo *cms = d2i_CMS_ContentInfo(NULL, &p, (long)size);

	if (cms && OBJ_obj2nid(CMS_get0_type(cms)) == NID_pkcs7_signed)
		return cms;
	CMS_ContentInfo_free(cms);
	ERR_clear_error();
	return NULL;
}

/* The only signature; NULL if there is none, or several of them. */
static CMS_SignerInfo *get_signer(CMS_ContentInfo *cms)
{
	STACK_OF(CMS_SignerInfo) *all = CMS_get0_SignerInfos(cms);

	return sk_CMS_SignerInfo_num(all) == 1 ? sk_CMS_SignerInfo_value(all, 0) : NULL;
}

static const EVP_MD *get_digest(CMS_SignerInfo *signer)
{
	X509_ALGOR *algorithm = NULL;

	CMS_SignerInfo_get0_algs(signer, NULL, NULL, &algorithm, NULL);
	return algorithm ? EVP_get_digestbyobj(algorithm->algorithm) : NULL;
}

static enum pkcs7_result take_digest(struct signed_content *s, CMS_ContentInfo *cms,
				     const unsigned char *content, size_t size)
{
	CMS_SignerInfo *signer = get_signer(cms);
	const EVP_MD *md = signer ? get_digest(signer) : NULL;
	unsigned int n = 0;

	if (!md || EVP_MD_get_size(md) > (int)sizeof(s->digest))
		return PKCS7_UNKNOWN;
	if (CMS_signed_get_attr_count(signer) > 0)
		return PKCS7_ATTRIBUTES;
	if (!EVP_Digest(content, size, s->digest, &n, md, NULL))
		return PKCS7_UNKNOWN;
	s->digest_size = n;
	return PKCS7_OK;
}

enum pkcs7_result pkcs7_read(struct signed_content *s, const unsigned char *message, size_t size,
			     const unsigned char *content, size_t content_size)
{
	CMS_ContentInfo *cms = parse(message, size);

	if (!cms)
		return PKCS7_DAMAGED;
	enum pkcs7_result result = take_digest(s, cms, content, content_size);
	CMS_ContentInfo_free(cms);
	ERR_clear_error();
	return result;
}

struct pkcs7_keys *pkcs7_keys_new(void)
{
	struct pkcs7_keys *keys = mem_zalloc(sizeof(*keys));

	keys->certificates = sk_X509_new_null();
	if (!keys->certificates)
		mem_exhausted();
	return keys;
}

void pkcs7_keys_free(struct pkcs7_keys *keys)
{
	if (!keys)
		return;
	sk_X509_pop_free(keys->certificates, X509_free);
	free(keys);
}

bool pkcs7_keys_add(struct pkcs7_keys *keys, const unsigned char *der, size_t size)
{
	const unsigned char *p = der;
	X509 *certificate = d2i_X509(NULL, &p, (long)size);

	/* with its public key decoded, nothing of it changes any more, so threads can share it */
	if (certificate && X509_get0_pubkey(certificate) &&
	    sk_X509_push(keys->certificates, certificate) > 0)
		return true;
	X509_free(certificate);
	ERR_clear_error();
	return false;
}

static X509 *find_signer(const struct pkcs7_keys *keys, CMS_SignerInfo *signer)
{
	for (int i = 0; i < sk_X509_num(keys->certificates); i++) {
		X509 *certificate = sk_X509_value(keys->certificates, i);
		if (CMS_SignerInfo_cert_cmp(signer, certificate) == 0)
			return certificate;
	}
	return NULL;
}

static bool verify(const struct signed_content *s, CMS_SignerInfo *signer, EVP_PKEY *key)
{
	const ASN1_OCTET_STRING *signature = CMS_SignerInfo_get0_signature(signer);
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(key, NULL);
	bool is_good = ctx && EVP_PKEY_verify_init(ctx) > 0 &&
		       EVP_PKEY_CTX_set_signature_md(ctx, get_digest(signer)) > 0 &&
		       EVP_PKEY_verify(ctx, ASN1_STRING_get0_data(signature),
				       (size_t)ASN1_STRING_length(signature), s->digest,
				       s->digest_size) == 1;

	EVP_PKEY_CTX_free(ctx);
	return is_good;
}

enum pkcs7_verdict pkcs7_verify(const struct pkcs7_keys *keys, const struct signed_content *s)
{
	CMS_ContentInfo *cms = parse(s->message, s->message_size);
	CMS_SignerInfo *signer = cms ? get_signer(cms) : NULL;
	X509 *certificate = signer ? find_signer(keys, signer) : NULL;
	enum pkcs7_verdict verdict = PKCS7_OTHER_KEY;

	if (certificate)
		verdict = verify(s, signer, X509_get0_pubkey(certificate)) ? PKCS7_GOOD : PKCS7_BAD;
	CMS_ContentInfo_free(cms);
	ERR_clear_error();
	return verdict;
}

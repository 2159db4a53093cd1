/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only door to OpenSSL: PKCS#7 messages and the keys that verify them. The kernel's own
 * parser (crypto/asymmetric_keys/pkcs7_parser.c) and OpenSSL's take the same messages, as far as
 * anyone makes them.
 */
#ifndef MODCHECK_PKCS7_H
#define MODCHECK_PKCS7_H

#include <stdbool.h>
#include <stddef.h>

struct signed_content;

enum pkcs7_result {
	PKCS7_OK,
	PKCS7_DAMAGED,    /* no PKCS#7 message with signatures */
	PKCS7_ATTRIBUTES, /* signed attributes, which pkcs7_verify() of the kernel refuses */
	PKCS7_UNKNOWN,    /* more than one signature, or by an algorithm that is not known here */
};

/* Set digest and digest_size of *s: of the contents, by the algorithm that the message names. */
enum pkcs7_result pkcs7_read(struct signed_content *s, const unsigned char *message, size_t size,
			     const unsigned char *content, size_t content_size);

/* Certificates. */
struct pkcs7_keys;

struct pkcs7_keys *pkcs7_keys_new(void);
void pkcs7_keys_free(struct pkcs7_keys *keys);

/* Add one of `size` bytes of DER, which are copied. False if they are no certificate. */
bool pkcs7_keys_add(struct pkcs7_keys *keys, const unsigned char *der, size_t size);

enum pkcs7_verdict {
	PKCS7_GOOD,
	PKCS7_BAD,       /* the signature is not one of this digest by this key */
	PKCS7_OTHER_KEY, /* none of the certificates is the signer's */
};

/*
 * Is it signed by one of these certificates? Like the kernel this asks for no date and no purpose
 * of the certificate. May be called by several threads at once.
 */
enum pkcs7_verdict pkcs7_verify(const struct pkcs7_keys *keys, const struct signed_content *s);

#endif

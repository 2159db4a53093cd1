/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signatures: the trailer (mod_check_sig(), kernel/module_signature.c), and whether the contents
 * are those that were signed, by a key made here and in the way of scripts/sign-file.c.
 */
#include <openssl/cms.h>
#include <openssl/ec.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "image/kernelimage.h"
#include "kernel/evidence.h"
#include "read/pkcs7.h"
#include "read_fixture.h"
#include "verify.h"

#define MARKER_HEX "7e4d6f64756c65207369676e617475726520617070656e6465647e0a"

static const char *const states[] = {
	"unknown",    "none",    "present",    "length",     "other type",
	"parameters", "message", "attributes", "other file",
};

static void say_state(struct fixture *f, const struct module *m)
{
	say(f, "%s", states[m->signature]);
	assert_int_equal(m->has_signature, m->signature > SIGNATURE_NONE);
}

static void test_trailer(void **state)
{
	static const struct {
		const char *lines, *expected;
	} cases[] = {
		{ "import a\n", "none" },
		{ "import a\nsign\n", "present" },
		{ "import a\nsign\nappend x\n", "none" },
		{ "import a\nsign\ncompress zstd\n", "present" }, /* it is inside the compression */
		{ "import a\nsign\nset e_type=2\n", "present" },
		{ "import a\nsign sig-len=374\n", "message" }, /* it begins a byte late */
		{ "import a\nsign sig-len=376\n", "message" },
		{ "import a\nsign sig-len=0\n", "message" },
		{ "import a\nsign sig-len=1\n", "message" },
		{ "import a\nsign sig-len=4294967295\n", "length" },
		{ "import a\nsign id-type=1\n", "other type" },
		{ "import a\nsign id-type=1 sig-len=999999\n",
		  "length" }, /* which is seen before */
		{ "import a\nsign algo=1\n", "parameters" },
		{ "import a\nsign algo=1 id-type=0\n", "other type" },
		{ "import a\nsign\nbytes -415 hex:31\n", "message" }, /* its first byte */
		{ "import a\nsign\nbytes -414 hex:83\n", "message" },
		/* the marker alone is a file as any other; with the 12 bytes it is no longer */
		{ "truncate 0\nappend hex:" MARKER_HEX "\n", "none" },
		{ "truncate 0\nappend x\nappend hex:" MARKER_HEX "\n", "length" },
		{ "truncate 0\nsign\nbytes 0 hex:00\ntruncate 0\nappend "
		  "hex:000002000000000000000001"
		  "\nappend hex:" MARKER_HEX "\n",
		  "length" },
		{ "section .pad flags=A size=300000 data=zero:300000\nsign\n", "present" },
		{ "section .pad flags=A size=300000 data=zero:300000\nsign sig-len=0\n",
		  "message" },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		make(f, "x.ko", cases[i].lines);
		const char *text = told(f, say_state);
		if (strcmp(text, cases[i].expected) != 0)
			fail_msg("recipe:\n%s\nwanted: %s\ngot:    %s", cases[i].lines,
				 cases[i].expected, text);
	}
}

static void test_unreadable(void **state)
{
	struct fixture *f = *state;

	make(f, "x.ko", "import a\nsign\ncompress xz\ntruncate -20\n");
	assert_string_equal(told(f, say_state), "unknown");
}

/* The loader drops the signature before it looks at ELF. */
static void test_sections_end_before_it(void **state)
{
	struct fixture *f = *state;
	char lines[256];
	size_t size;

	make(f, "x.ko", "import a\nsection .pad size=16 data=zero:16\n");
	free(load(f, &size));
	snprintf(lines, sizeof(lines),
		 "import a\nsection .pad size=16 data=zero:16\nset section .pad "
		 "sh_offset=%zu\nsign\n",
		 size - 8);
	make(f, "x.ko", lines);
	assert_non_null(strstr(told(f, say_faults), "is beyond the file of"));
	/* where nothing is dropped but the marker it lies in the file */
	snprintf(lines + strlen(lines) - 5, 32, "sign id-type=1\n");
	make(f, "x.ko", lines);
	assert_string_equal(told(f, say_faults), "");
	/* and so for the section table */
	make(f, "x.ko",
	     "import a\nsign sig-len=400\nbytes -440 hex:3082000006092a864886f70d010702\n");
	assert_non_null(strstr(told(f, say_faults), "reaches into the signature"));
}

/* --- contents ----------------------------------------------------------------------------------
 */

struct signer {
	EVP_PKEY *key;
	X509 *certificate;
};

static struct signer make_signer(EVP_PKEY *key, const char *name)
{
	struct signer s = { key, X509_new() };
	X509_NAME *subject = X509_get_subject_name(s.certificate);

	assert_non_null(key);
	X509_set_version(s.certificate, 2);
	ASN1_INTEGER_set(X509_get_serialNumber(s.certificate), 0x1234567);
	X509_gmtime_adj(X509_getm_notBefore(s.certificate), -7200);
	X509_gmtime_adj(X509_getm_notAfter(s.certificate),
			-3600); /* long over: the kernel says no word */
	X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, (const unsigned char *)name, -1, -1,
				   0);
	X509_set_issuer_name(s.certificate, subject);
	X509_set_pubkey(s.certificate, key);
	assert_true(X509_sign(s.certificate, key, EVP_sha256()) > 0);
	return s;
}

static void free_signer(struct signer *s)
{
	EVP_PKEY_free(s->key);
	X509_free(s->certificate);
}

static const unsigned int sign_file_flags = CMS_NOCERTS | CMS_BINARY | CMS_NOSMIMECAP | CMS_NOATTR;

/* Append to the module made last what sign-file would. */
static void sign(struct fixture *f, const struct signer *s, const EVP_MD *md, unsigned int flags)
{
	size_t size;
	unsigned char *bytes = load(f, &size), *der = NULL;
	BIO *bio = BIO_new_mem_buf(bytes, (int)size);
	CMS_ContentInfo *cms =
		CMS_sign(NULL, NULL, NULL, NULL,
			 CMS_NOCERTS | CMS_PARTIAL | CMS_BINARY | CMS_DETACHED | CMS_STREAM);

	assert_non_null(CMS_add1_signer(cms, s->certificate, s->key, md, flags));
	assert_int_equal(CMS_final(cms, bio, NULL, CMS_NOCERTS | CMS_BINARY), 1);
	int n = i2d_CMS_ContentInfo(cms, &der);
	assert_true(n > 0);
	unsigned char trailer[12] = { 0, 0,
				      2, [10] = (unsigned char)(n >> 8), [11] = (unsigned char)n };
	FILE *file = fopen(f->path, "ab");
	assert_non_null(file);
	fwrite(der, 1, (size_t)n, file);
	fwrite(trailer, 1, sizeof(trailer), file);
	fputs("~Module signature appended~\n", file);
	fclose(file);
	OPENSSL_free(der);
	CMS_ContentInfo_free(cms);
	BIO_free(bio);
	free(bytes);
}

static enum pkcs7_verdict verify(struct fixture *f, const struct signer *s)
{
	struct pkcs7_keys *keys = pkcs7_keys_new();
	unsigned char *der = NULL;
	int n = i2d_X509(s->certificate, &der);
	struct module m = read_file(f);

	assert_non_null(m.signed_content);
	assert_true(pkcs7_keys_add(keys, der, (size_t)n));
	enum pkcs7_verdict verdict = pkcs7_verify(keys, m.signed_content);
	pkcs7_keys_free(keys);
	OPENSSL_free(der);
	return verdict;
}

static void flip(struct fixture *f, long offset)
{
	FILE *file = fopen(f->path, "r+b");

	assert_non_null(file);
	assert_int_equal(fseek(file, offset, offset < 0 ? SEEK_END : SEEK_SET), 0);
	int c = fgetc(file);
	fseek(file, -1, SEEK_CUR);
	fputc(c ^ 1, file);
	fclose(file);
}

static void check_signer(struct fixture *f, const struct signer *s, const struct signer *other,
			 const EVP_MD *md, unsigned int flags)
{
	make(f, "x.ko", "import a\n");
	sign(f, s, md, flags);
	assert_string_equal(told(f, say_state), "present");
	assert_int_equal(verify(f, s), PKCS7_GOOD);
	assert_int_equal(verify(f, other), PKCS7_OTHER_KEY);
	flip(f, 0x50);
	assert_int_equal(verify(f, s), PKCS7_BAD);
	flip(f, 0x50);
	flip(f, -41); /* the last byte of the signature */
	assert_int_equal(verify(f, s), PKCS7_BAD);
}

static void test_contents(void **state)
{
	struct fixture *f = *state;
	struct signer rsa = make_signer(EVP_RSA_gen(2048), "RSA");
	struct signer ec = make_signer(EVP_EC_gen("P-384"), "EC");

	reader_set_thorough(f->reader, true);
	check_signer(f, &rsa, &ec, EVP_sha256(), sign_file_flags);
	check_signer(f, &rsa, &ec, EVP_sha512(), sign_file_flags);
	check_signer(f, &ec, &rsa, EVP_sha256(), sign_file_flags);
	check_signer(f, &ec, &rsa, EVP_sha384(), sign_file_flags);
	/* attributes, which the kernel does not take in a module's signature */
	make(f, "x.ko", "import a\n");
	sign(f, &rsa, EVP_sha256(), sign_file_flags & ~(unsigned int)CMS_NOATTR);
	assert_string_equal(told(f, say_state), "attributes");
	reader_set_thorough(f->reader, false);
	free_signer(&rsa);
	free_signer(&ec);
}

/* Damage beyond the head of the message is only seen by those who read all of it. */
static void test_message_is_read_thoroughly(void **state)
{
	struct fixture *f = *state;

	make(f, "x.ko", "import a\nsign\nbytes -390 hex:ffff\n");
	assert_string_equal(told(f, say_state), "present");
	reader_set_thorough(f->reader, true);
	assert_string_equal(told(f, say_state), "message");
	make(f, "x.ko", "import a\nsign\n");
	assert_string_equal(told(f, say_state), "present");
	assert_non_null(read_file(f).signed_content);
	reader_set_thorough(f->reader, false);
	assert_null(read_file(f).signed_content);
}

static void write_certificate(const char *path, const struct signer *s)
{
	FILE *file = fopen(path, "wb");
	unsigned char *der = NULL;
	int n = i2d_X509(s->certificate, &der);

	assert_non_null(file);
	fwrite(der, 1, (size_t)n, file);
	fclose(file);
	OPENSSL_free(der);
}

/* By the certificate of a build directory, found as evidence is. */
static void test_verify_stage(void **state)
{
	struct fixture *f = *state;
	struct signer rsa = make_signer(EVP_RSA_gen(2048), "RSA");
	struct evidence_options evidence = { .basedir = f->dir, .moddir = "m", .release = "1" };
	char path[160];

	reader_set_thorough(f->reader, true);
	make(f, "x.ko", "import a\n");
	sign(f, &rsa, EVP_sha256(), sign_file_flags);
	struct module m[3] = { read_file(f) };
	flip(f, 0x50);
	m[1] = read_file(f);
	make(f, "x.ko", "import a\n");
	m[2] = read_file(f);
	verify_signatures(m, 3, &evidence, 2, f->arena); /* no certificate: nothing is known */
	assert_int_equal(m[1].signature, SIGNATURE_PRESENT);
	snprintf(path, sizeof(path), "mkdir -p %s/m/build/certs", f->dir);
	assert_int_equal(system(path), 0);
	snprintf(path, sizeof(path), "%s/m/build/certs/signing_key.x509", f->dir);
	write_certificate(path, &rsa);
	verify_signatures(m, 3, &evidence, 2, f->arena);
	assert_int_equal(m[0].signature, SIGNATURE_PRESENT);
	assert_int_equal(m[1].signature, SIGNATURE_OTHER_FILE);
	assert_non_null(m[1].signature_detail);
	assert_int_equal(m[2].signature, SIGNATURE_NONE);
	reader_set_thorough(f->reader, false);
	free_signer(&rsa);
}

/* Between other bytes, right at the beginning and right at the end; beginnings of others. */
static void test_certificates_in_image(void **state)
{
	struct signer s = make_signer(EVP_RSA_gen(2048), "RSA");
	unsigned char *der = NULL;
	size_t n = (size_t)i2d_X509(s.certificate, &der), size = 3 * n + 100;
	unsigned char *bytes = calloc(1, size);
	struct kernel_image im;
	struct err err;

	(void)state;
	memcpy(bytes, der, n);
	memcpy(bytes + n + 50, der, n);
	memcpy(bytes + size - n, der, n);
	assert_true(kernel_image_read_certificates(&im, bytes, size, &err));
	assert_int_equal(im.n_certificates, 3);
	assert_ptr_equal(im.certificates[2].bytes, bytes + size - n);
	assert_int_equal(im.certificates[2].size, n);
	kernel_image_release(&im);
	assert_true(kernel_image_read_certificates(&im, bytes, size - 1, &err));
	assert_int_equal(im.n_certificates, 2);
	kernel_image_release(&im);
	assert_true(kernel_image_read_certificates(&im, bytes + 5, n, &err));
	assert_int_equal(im.n_certificates, 0);
	kernel_image_release(&im);
	free(bytes);
	OPENSSL_free(der);
	free_signer(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trailer),
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_sections_end_before_it),
		cmocka_unit_test(test_contents),
		cmocka_unit_test(test_message_is_read_thoroughly),
		cmocka_unit_test(test_verify_stage),
		cmocka_unit_test(test_certificates_in_image),
	};

	return cmocka_run_group_tests_name("read_signature", tests, fixture_setup,
					   fixture_teardown);
}

// The whole C boundary to OpenSSL's libcrypto. Inline functions exist only for what Swift cannot import.
#pragma once

// The low-level SHA-256, ECDSA and EC_KEY calls are marked deprecated in OpenSSL 3.0 in favour of EVP, but they
// are the ones without a fetch and an allocation per call. They are kept in every 3.x release.
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/cms.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <string.h>

// Stacks are macros over untyped functions.
static inline STACK_OF(X509) *entitled_X509_stack_new(void) { return sk_X509_new_null(); }
static inline int entitled_X509_stack_push(STACK_OF(X509) *stack, X509 *certificate) {
    return sk_X509_push(stack, certificate);
}
static inline int entitled_X509_stack_count(const STACK_OF(X509) *stack) { return sk_X509_num(stack); }
static inline X509 *entitled_X509_stack_at(const STACK_OF(X509) *stack, int index) {
    return sk_X509_value(stack, index);
}
static inline void entitled_X509_stack_free(STACK_OF(X509) *stack) { sk_X509_free(stack); }
static inline void entitled_X509_stack_free_all(STACK_OF(X509) *stack) { sk_X509_pop_free(stack, X509_free); }
static inline int entitled_CMS_signer_count(CMS_ContentInfo *message) {
    return sk_CMS_SignerInfo_num(CMS_get0_SignerInfos(message));
}
static inline CMS_SignerInfo *entitled_CMS_signer_at(CMS_ContentInfo *message, int index) {
    return sk_CMS_SignerInfo_value(CMS_get0_SignerInfos(message), index);
}

// A macro over BIO_ctrl: the bytes written to a memory BIO so far, still owned by it.
static inline long entitled_BIO_memory(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }

// The name format is a macro made of casts.
static inline int entitled_X509_NAME_print(BIO *bio, const X509_NAME *name) {
    return X509_NAME_print_ex(bio, name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB);
}

#ifndef SPRINGBAR_COPENSSL_H
#define SPRINGBAR_COPENSSL_H

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// Swift cannot call macros: each of these functions is one or two of OpenSSL's.

/// Allows TLS 1.2 and later, and writes from a buffer that moves between two attempts.
///
/// The end of a connection is no fault of TLS, also during the handshake: the replies of Redis have their lengths.
static inline int springbar_tls_configure(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    return (int)SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

/// Sets the name that the client sends in its hello (RFC 6066, section 3).
static inline int springbar_tls_set_server_name(SSL *session, const char *name) {
    return (int)SSL_set_tlsext_host_name(session, name);
}

#endif

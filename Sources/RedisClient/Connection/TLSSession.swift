import COpenSSL
import Glibc
import Network
import Primitives

/// The TLS settings of all connections of a client: the trusted authorities.
///
/// `@unchecked Sendable`: the context is complete after the initialiser, and OpenSSL counts its references with locks
/// of its own (SSL_CTX_up_ref(3)).
package final class TLSContext: @unchecked Sendable {
    fileprivate let pointer: OpaquePointer

    /// Creates a context that trusts the authorities of a PEM file, or those of the system.
    ///
    /// - Throws: `.tls` if the file cannot be read or has no certificate.
    package init(authorities: String?) throws(ConnectionFailure) {
        guard let pointer = SSL_CTX_new(TLS_client_method()) else { throw .tls("no context") }
        self.pointer = pointer
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
        ERR_clear_error()
        let isLoaded =
            authorities.map { SSL_CTX_load_verify_locations(pointer, $0, nil) }
            ?? SSL_CTX_set_default_verify_paths(pointer)
        guard springbar_tls_configure(pointer) == 1, isLoaded == 1 else {
            // `deinit` frees the context: every property is set.
            throw .tls(authorities == nil ? TLSSession.lastError : "the file of authorities cannot be used")
        }
    }

    deinit {
        SSL_CTX_free(pointer)
    }
}

/// The TLS session of one connection.
///
/// It owns the `SSL` object and borrows the descriptor, which `Link` closes after the session.
final class TLSSession {
    private let session: OpaquePointer
    /// Whether bytes were read or written, so that the handshake is complete.
    private var isOpen = false

    /// Creates a session that verifies the certificate for a host name or an IP address.
    init(_ context: TLSContext, descriptor: Int32, name: String) throws(ConnectionFailure) {
        ERR_clear_error()
        guard let session = SSL_new(context.pointer) else { throw .tls(Self.lastError) }
        self.session = session
        // An address is compared with the certificate's addresses, and is no server name (RFC 6066, section 3).
        let isNamed =
            IPAddress(name) != nil
            ? X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), name) == 1
            : SSL_set1_host(session, name) == 1 && springbar_tls_set_server_name(session, name) == 1
        guard isNamed, SSL_set_fd(session, descriptor) == 1 else { throw .tls(Self.lastError) }
        SSL_set_connect_state(session)
    }

    deinit {
        // The session does not own the descriptor (SSL_set_fd(3): the BIO is created with BIO_NOCLOSE).
        SSL_free(session)
    }

    /// Reads decrypted bytes: those of one record at most, since OpenSSL reads no further ahead by default.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> LinkProgress {
        ERR_clear_error()
        return progress(SSL_read(session, buffer.baseAddress, Int32(clamping: buffer.count)))
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> LinkProgress {
        // SSL_write(3) does not define a write of nothing.
        guard !bytes.isEmpty else { return .moved(0) }
        ERR_clear_error()
        return progress(SSL_write(session, bytes.baseAddress, Int32(clamping: bytes.count)))
    }

    private func progress(_ result: Int32) -> LinkProgress {
        guard result <= 0 else {
            isOpen = true
            return .moved(Int(result))
        }
        switch SSL_get_error(session, result) {
        case SSL_ERROR_WANT_READ: return .needsRead
        case SSL_ERROR_WANT_WRITE: return .needsWrite
        // The connection ended below TLS.
        case SSL_ERROR_SYSCALL, SSL_ERROR_ZERO_RETURN: return .failed(.closed)
        default: return .failed(isOpen ? .closed : handshakeFailure)
        }
    }

    private var handshakeFailure: ConnectionFailure {
        let code = SSL_get_verify_result(session)
        let reason = code == Int(X509_V_OK) ? nil : X509_verify_cert_error_string(code).map { String(cString: $0) }
        return .tls(reason ?? Self.lastError)
    }

    /// The reason of the last error on this thread.
    fileprivate static var lastError: String {
        ERR_reason_error_string(ERR_peek_last_error()).map { String(cString: $0) } ?? "unknown error"
    }
}

import CMicroHTTPD
import Glibc

/// The library's connection.
///
/// `@unchecked Sendable`: a pointer that may be carried to another thread, where the only thing done with it is
/// `resume`, which the manual allows there ("It is safe to resume a suspended connection at any time"). It is valid
/// while the connection is suspended, since the library neither times out nor closes a suspended one; the state
/// machines see to it that nobody resumes another.
struct ConnectionHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes the connection out of its worker's hands.
    ///
    /// On the worker, from the handler or a content reader only.
    func suspend() {
        MHD_suspend_connection(pointer)
    }

    /// Gives a suspended connection back to its worker, which calls the handler or the content reader again.
    func resume() {
        MHD_resume_connection(pointer)
    }

    /// Breaks the connection off: the peer sees a reset (RST).
    ///
    /// On the worker only.
    ///
    /// The library closes in order, with an end (FIN) first. To connect a connected socket to no address dissolves it at
    /// once (connect(2): "Some protocol sockets (e.g., TCP sockets …) may dissolve the association by connecting to an
    /// address with the sa_family member … set to AF_UNSPEC"), and for TCP that is a reset.
    func reset() {
        var nowhere = sockaddr()
        nowhere.sa_family = sa_family_t(AF_UNSPEC)
        connect(microhttpd_descriptor(pointer), &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
    }
}

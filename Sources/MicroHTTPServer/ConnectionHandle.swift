import CMicroHTTPD

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
}

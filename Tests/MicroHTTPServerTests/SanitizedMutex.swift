#if THREAD_SANITIZER

@testable import MicroHTTPServer

/// The tests' locks are those that ThreadSanitizer knows, too.
typealias Mutex<Value: ~Copyable> = MicroHTTPServer.Mutex<Value>

#endif

import CMicroHTTPD
import Glibc
import Network
import Primitives
import Synchronization

/// The callbacks of the library, which run on its workers.
///
/// Each function finds its object through a pointer that the library stores for it, and calls one method of the object.
/// There are two kinds of pointers. Each object is retained once when the library gets its pointer, and released once
/// when the library returns it:
///
/// | pointer | object | retained by | released by |
/// |---|---|---|---|
/// | the daemon's context | `ServerContext` | `Daemon.init` | `Daemon.stop`, after the workers have ended |
/// | the connection's | `Exchange` | the start notification | the close notification |
///
/// The pointer of a request is that of its connection: its completed callback precedes the close notification.
///
/// Counts are released in the same places. The close notification releases the connection in `ConnectionLimits`, where
/// it is counted when it is accepted. The completed callback releases the bytes that an exchange has charged to the
/// memory budget. The bytes of a stream are released with the library's response.
///
/// These are static members of an enumeration and not closures where they are used: in a file with top-level code a
/// closure is silently isolated to the main actor, and traps on the library's thread.
enum Callbacks {
    /// A connection has started or is about to be closed.
    static let connectionChanged: MHD_NotifyConnectionCallback = { context, connection, socketContext, code in
        guard let context, let connection, let socketContext else { return }
        let server = Unmanaged<ServerContext>.fromOpaque(context).takeUnretainedValue()
        switch code {
        case .CONNECTION_NOTIFY_STARTED:
            let peer = microhttpd_peer(connection)
            guard !Daemon.isWakeUp(peer) else { return }
            let descriptor = microhttpd_descriptor(connection)
            let new = Connection(
                number: server.connections.makeNumber(),
                descriptor: descriptor,
                peer: peer.flatMap { IPAddress($0) },
                isReserve: server.reserved.withLock { $0.remove(descriptor) } != nil,
                server: server
            )
            server.connections.add(new)
            socketContext.pointee = Unmanaged.passRetained(Exchange(on: new)).toOpaque()
        case .CONNECTION_NOTIFY_CLOSED:
            guard let pointer = socketContext.pointee else { return }
            let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
            socketContext.pointee = nil
            let old = exchange.connection
            if exchange.mayBeSending { server.lingering.add(old) }
            // After this call no other code uses the descriptor; the library closes it when the callback returns.
            server.connections.remove(old)
            server.limits.leave(old.directClient, isReserve: old.isReserve)
            server.reportEnd()
        default:
            break
        }
    }

    /// A request line has been read: the target is raw here and nowhere later.
    static let requestLine:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
        ) -> UnsafeMutableRawPointer? = { _, target, connection in
            guard let connection, let target, let pointer = microhttpd_socket_context(connection) else { return nil }
            Unmanaged<Exchange>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.begin(target: target) }
            microhttpd_empty_query(target)
            microhttpd_skip_cookies(connection)
            return pointer
        }

    /// The head has been read, or a part of the content, or all of it, or the connection was resumed.
    static let answer: MHD_AccessHandlerCallback = { _, connection, _, method, version, data, size, context in
        guard let connection, let size, let pointer = context?.pointee else { return .NO }
        let handle = ConnectionHandle(pointer: connection)
        // No reference is added here: the library's own lasts until the close notification, which runs after this one
        // has returned.
        return Unmanaged<Exchange>.fromOpaque(pointer)._withUnsafeGuaranteedRef { exchange in
            if exchange.awaitsHead {
                guard let method, let version else { return .NO }
                return exchange.receiveHead(method: method, version: version, connection: handle) ? .YES : .NO
            }
            if size.pointee > 0, let data {
                exchange.receiveContent(UnsafeRawBufferPointer(start: data, count: size.pointee))
                size.pointee = 0
                return .YES
            }
            return exchange.respond(connection: handle) ? .YES : .NO
        }
    }

    /// The library has finished a request, successfully or not.
    static let completed: MHD_RequestCompletedCallback = { _, connection, context, code in
        guard let connection, let pointer = context?.pointee else { return }
        context?.pointee = nil
        Unmanaged<Exchange>.fromOpaque(pointer)._withUnsafeGuaranteedRef { exchange in
            exchange.complete(code, status: Int(microhttpd_status(connection)))
        }
    }
}

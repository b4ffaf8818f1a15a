import Network
import Primitives

/// What all connections of a client share.
struct ConnectionEnvironment {
    /// The limits, and the addresses of all servers.
    let configuration: RedisConfiguration
    let tls: TLSContext?
    let descriptors: PollSet
    /// Looks hosts up; the addresses come back through `resolved` of the connection with the id.
    let lookUps: LookUps
}

/// A connection to Redis that is opened again after every loss; it performs the actions of its `ConnectionMachine`.
///
/// Only the thread of the loop uses it.
final class ServerConnection {
    private let url: RedisURL
    private let environment: ConnectionEnvironment
    private let queue: CommandQueue
    /// The number of this connection in the epoll set.
    let id: UInt64
    // Exclusivity is not checked at run time, which would cost a call for each access: only one thread has access.
    @exclusivity(unchecked) private var machine: ConnectionMachine
    @exclusivity(unchecked) private var link: Link?
    private var addresses: [SocketAddress] = []
    private var isResolving = false
    private var reader = ReplyReader()
    private var greeting: Greeting
    private var interest: PollSet.Interest?
    /// Freed in `deinit`; only `receive` uses it.
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

    init(_ url: RedisURL, _ queue: CommandQueue, id: UInt64, now: Instant, _ environment: ConnectionEnvironment) {
        self.url = url
        self.queue = queue
        self.id = id
        self.environment = environment
        greeting = Greeting(url)
        machine = ConnectionMachine(timeout: environment.configuration.timeout, now: now) { .random(in: 0...1) }
    }

    deinit {
        input.deallocate()
    }

    /// The time at which `checkDeadline` must be called.
    var deadline: Instant { machine.deadline(owedSince: queue.owedSince) }

    var isReady: Bool { if case .ready = machine.phase { true } else { false } }

    func checkDeadline(now: Instant) {
        if deadline <= now { drive(.time(owedSince: queue.owedSince), now: now) }
    }

    /// Closes the connection and opens it again.
    func fail(_ failure: ConnectionFailure, now: Instant) { drive(.failed(failure), now: now) }

    /// Closes the connection, which must not be used afterwards.
    func stop() {
        closeLink()
        queue.closed(.stopped)
    }

    func resolved(_ addresses: [SocketAddress], now: Instant) {
        isResolving = false
        guard case .resolving = machine.phase else { return }
        self.addresses = addresses
        drive(.resolved(addresses.count), now: now)
    }

    /// Writes as much as the socket accepts; the loop calls it at the end of each round.
    ///
    /// Only here the socket is watched for room to write, and only while it is full: it has room at all other times, and
    /// every round would be followed by the next one at once.
    func flush(now: Instant) {
        guard let link, !queue.output.isEmpty else { return }
        var written = 0
        // Removed once, because TLS writes 16 KiB at a time, and what is left may be megabytes.
        defer { queue.output.removeFirst(min(written, queue.output.count)) }
        while written < queue.output.count {
            switch queue.output.withUnsafeBytes({ link.write(UnsafeRawBufferPointer(rebasing: $0[written...])) }) {
            case .moved(let count): written += count
            case .needsWrite: return setInterest([.read, .write])
            // TLS reads a message of its own first, such as one of the handshake; the write is repeated after the next read.
            case .needsRead: return setInterest(.read)
            case .failed(let failure): return drive(.failed(failure), now: now)
            }
        }
        // A megabyte at most is kept for the next commands.
        queue.output.removeAll(keepingCapacity: queue.output.capacity <= 1 << 20)
        setInterest(.read)
    }

    func handle(_ readiness: PollSet.Event, now: Instant) {
        guard let link else { return }
        switch machine.phase {
        case .connecting: drive(link.connectFailure().map { .failed($0) } ?? .connected, now: now)
        case .greeting, .ready:
            if readiness.isReadable { receive(link, now: now) }
            flush(now: now)
        case .waiting, .resolving: break
        }
    }

    /// Reads once, and handles the replies.
    ///
    /// The set reports bytes that are left again, so a flood on one connection does not delay the others. TLS leaves none in
    /// its session, because a record is smaller than the buffer.
    private func receive(_ link: Link, now: Instant) {
        switch link.read(into: input) {
        case .moved(let count):
            let failure = take(UnsafeRawBufferPointer(rebasing: input[..<count]), now: now)
            if let failure { drive(.failed(failure), now: now) }
        case .needsRead: break
        case .needsWrite: setInterest([.read, .write])
        case .failed(let failure): drive(.failed(failure), now: now)
        }
    }

    /// Handles received bytes; returns a failure if the connection must be closed.
    private func take(_ bytes: UnsafeRawBufferPointer, now: Instant) -> ConnectionFailure? {
        // After a reply such as READONLY the remaining replies are still delivered: their commands have ended, too.
        var failure: ConnectionFailure?
        do throws(ConnectionFailure) {
            try reader.feed(bytes)
            while true {
                reader.largestReply = queue.largestReply
                guard let reply = try reader.next() else { break }
                if isReady {
                    let result = queue.receive(reply, now: now)
                    failure = failure ?? result
                    continue
                }
                if try greeting.take(reply) { drive(.greeted, now: now) }
            }
        } catch {
            return error
        }
        drive(.received, now: now)
        return failure
    }

    // MARK: Actions

    private func drive(_ event: ConnectionMachine.Event, now: Instant) {
        var next: ConnectionMachine.Event? = event
        while let event = next {
            next = perform(machine.on(event, now: now), now: now)
        }
    }

    /// Performs an action; returns the event that it results in at once, if any.
    private func perform(_ action: ConnectionMachine.Action, now: Instant) -> ConnectionMachine.Event? {
        switch action {
        case .none: break
        case .resolve: return resolve()
        case .connect(let address): return connect(address)
        case .greet:
            greeting = Greeting(url, needsCluster: queue.round.isCluster)
            queue.output += greeting.bytes
        case .open: queue.opened(greeting.facts, now: now)
        case .ping: queue.ping(now: now)
        case .close(let failure):
            closeLink()
            queue.closed(failure)
        }
        return nil
    }

    private func resolve() -> ConnectionMachine.Event? {
        switch url.endpoint {
        case .path(let path): addresses = SocketAddress(path: path).map { [$0] } ?? []
        case .host(let host, let port):
            addresses = SocketAddress.lookUp(host, port: port, isNumeric: true)
            guard addresses.isEmpty else { break }
            // If an earlier look-up is still running, this attempt uses its result.
            if !isResolving { environment.lookUps.add(host, port, id) }
            isResolving = true
            return nil
        }
        return .resolved(addresses.count)
    }

    private func connect(_ address: Int) -> ConnectionMachine.Event? {
        closeLink()
        guard addresses.indices.contains(address) else { return .failed(.unresolved) }
        do {
            let link = try Link(to: addresses[address], environment.tls, name: url.host)
            guard environment.descriptors.add(link.descriptor, id: id, .write) else {
                return .failed(.unreachable("no room in the epoll set"))
            }
            interest = .write
            self.link = link
            return nil
        } catch {
            return .failed(error)
        }
    }

    private func closeLink() {
        // The system removes a closed descriptor from the epoll set (epoll(7)).
        link = nil
        interest = nil
        reader = ReplyReader()
        queue.output = []
    }

    private func setInterest(_ next: PollSet.Interest) {
        guard let link, next != interest else { return }
        environment.descriptors.change(link.descriptor, id: id, next)
        interest = next
    }
}

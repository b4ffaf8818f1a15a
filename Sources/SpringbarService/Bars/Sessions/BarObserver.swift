import BarLayout
import HTTPExchange
import Synchronization

/// One stream that watches a bar: the newest state, each change once, never backwards.
///
/// Writers publish after they have stored, in any order and at the same time. So what they publish is put into a
/// one-place mailbox, where only what is newer stays, and whoever finds the mailbox idle carries its content to the
/// stream, until it is empty. No lock is held while the stream, and through it the server, is woken.
final class BarObserver: Sendable {
    let stream: EventStream
    let wantsCommands: Bool
    private let mailbox: Mutex<Mailbox>

    struct Mailbox: Sendable {
        private var waiting: BarPublication?
        /// The bar that was sent last, without the bytes that were sent.
        private var shown: (revision: Int, session: BarSession)?
        /// Somebody carries; at first that is who opened the stream.
        private var isCarried = true

        /// Puts in what is newer than all before; true for who has to carry it.
        mutating func put(_ publication: BarPublication) -> Bool {
            let newest = max(waiting?.revision ?? -1, shown?.revision ?? -1)
            if publication.revision > newest { waiting = publication }
            guard !isCarried, waiting != nil else { return false }
            isCarried = true
            return true
        }

        /// Takes out what is to be sent next; nil when the carrier has no more to do.
        ///
        /// What looks like what the reader has seen is passed over, unless there are commands that he wants.
        mutating func take(withCommands: Bool) -> BarPublication? {
            while let next = waiting {
                waiting = nil
                let isSame = shown.map { $0.session.looksSame(as: next.session) } ?? false
                shown = (next.revision, next.session)
                let isNews = !isSame || (withCommands && next.hasCommands)
                if isNews { return next }
            }
            isCarried = false
            return nil
        }

        /// Takes note of what the reader has seen before.
        mutating func pretend(_ publication: BarPublication) {
            if let next = waiting, next.revision <= publication.revision { waiting = nil }
            shown = (publication.revision, publication.session)
        }
    }

    /// - Parameters:
    ///   - stream: what the reader reads.
    ///   - wantsCommands: whether the reader wants to know what the bar commands.
    init(stream: EventStream, wantsCommands: Bool) {
        self.stream = stream
        self.wantsCommands = wantsCommands
        mailbox = Mutex(Mailbox())
    }

    /// Begins with the bar as it stands; a reader who has it already, as he says, gets what comes next.
    func begin(_ snapshot: BarPublication, isSeen: Bool) {
        mailbox.withLock { mailbox in
            if isSeen { mailbox.pretend(snapshot) } else { _ = mailbox.put(snapshot) }
        }
        carry()
    }

    func offer(_ publication: BarPublication) {
        if mailbox.withLock({ $0.put(publication) }) { carry() }
    }

    func end(reason: String) {
        stream.finish(with: .end(reason: reason))
    }

    private func carry() {
        while let next = mailbox.withLock({ $0.take(withCommands: wantsCommands) }) {
            stream.send(bytes: wantsCommands ? next.eventWithCommands : next.event, replacing: "state")
        }
    }
}

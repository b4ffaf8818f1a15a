import HTTPExchange

extension BarSessions {
    /// Opens a stream on a bar: its state first, unless the reader has that revision, and then every change.
    func observe(_ id: BarID, lastRevision: Int?, withCommands: Bool) throws(BarSessionError) -> EventStream {
        // The stream has to know its observer and the observer its stream; the observer is what the hub keeps.
        let link = ObserverLink()
        let observers = observers
        let stream = EventStream(limit: 4) { link.cut { observers.remove($0, from: id) } }
        let observer = BarObserver(stream: stream, wantsCommands: withCommands)
        link.tie(observer)
        // Added first and read then: a write in between is published to it, and one before is in what is read.
        observers.add(observer, to: id)
        guard let record = store.load(id, now: now()) else {
            stream.close()
            throw .notFound
        }
        let snapshot = BarPublication(BarAnswer(id, record), withCommands: withCommands)
        observer.begin(snapshot, isSeen: lastRevision == record.revision)
        return stream
    }
}

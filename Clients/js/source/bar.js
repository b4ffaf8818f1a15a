// A session of one bar that does not wait for the network. An event is applied immediately. The service's response
// confirms or corrects it, by the sequence numbers.
//
// One request is in flight at a time; events sent meanwhile are the next batch. `docs/clients.md` describes the design.

import { checkedBody } from './bar-events.js';
import { watchStream } from './bar-stream.js';
import { UNREADABLE } from './connection.js';
import { correction } from './correction.js';
import { onAbort } from './emitter.js';
import { logReader } from './log-reader.js';
import { marked, uniqueName } from './marks.js';
import { differ } from './prediction.js';
import { Problem } from './problem.js';
import { isSame, ShownBar } from './shown-bar.js';

const LOST = 'These events may be lost.';
const ownProblem = (code, detail) => new Problem(0, { code, detail });

export class Bar extends ShownBar {
  #connection;
  #body;
  #detail;
  #id;
  /** The idempotency key of the creation, so that a retry does not create a second bar. */
  #key;
  /**
   * What must be read before the next batch; null for nothing. With `isTrimmed`, the log is too short to tell what
   * happened to unconfirmed events. `reader` is kept after a failure, so that a retry knows the pages before it.
   */
  #question = null;
  /** The newest revision of the stream. */
  #heard = 0;
  #controller = new AbortController();
  #isRunning = false;
  #status = { state: 'connecting', retryAt: null, problem: null };
  #halted = null;
  /** The method of the last request: POST sends events, PUT tracks, GET reads the log; null for a creation. */
  #method = null;
  /** The response to the creation, which `end()` awaits. */
  #creation = null;
  #queueLimit;
  /** Whether the session is another one's, which is continued. */
  #isContinued;
  /** Whether events are only applied, because too many wait, until another session replaces this one. */
  #isFull = false;

  /**
   * Starts a session, or continues the one with `id`. `body` is the body of its creation. With `results` or `explain`,
   * responses have a result for every event (`answer`). If `queueLimit` events wait for the service, another session goes
   * on instead of them. `signal` ends the session on this side.
   */
  constructor(connection, body, { id = null, results, explain, queueLimit = 10_000, signal } = {}) {
    super(body);
    this.#connection = connection;
    this.#body = checkedBody(body);
    this.#detail = { results, explain };
    this.#queueLimit = queueLimit;
    this.#id = id;
    this.#isContinued = id !== null;
    this.#key = uniqueName(this.#connection.environment);
    if (id !== null) this.#ask(0, true);
    signal?.addEventListener('abort', () => this.#stop(signal.reason), { signal: this.#controller.signal });
    if (signal?.aborted) this.#stop(signal.reason);
    this.#wake();
  }

  /** The session's id; null until the service has created it. */
  get id() {
    return this.#id;
  }

  /** The connection: `{ state, retryAt, problem }`. */
  get connection() {
    return this.#status;
  }

  /** Whether everything is confirmed. */
  get isSettled() {
    return !this.#isRunning && !this.#hasWork;
  }

  /**
   * Applies an event and sends it with others of this frame; after the end of the session, or while too many events
   * wait, it is only applied. Throws what the service would refuse.
   */
  send(event) {
    const copy = marked(event, this.#connection.environment);
    const isFull = this.#isFull || this.queue.pending.length >= this.#queueLimit;
    const result = this.withShown(this.prediction.predict(copy, this.#isSent && !isFull));
    this.#isFull = isFull;
    this.emit('change', result);
    this.#wake();
    return result;
  }

  /** Sets tracks by name immediately, and then at the service; null removes a track. */
  setTracks(changes) {
    this.prediction.setTracks(changes, this.#isSent);
    this.emit('change', this.withShown());
    this.#wake();
  }

  /** Reads the changes of other writers from the service. */
  sync() {
    this.#ask();
    this.#wake();
    return this.settled();
  }

  /** Watches the changes of other writers on the service's stream. Returns a function that stops it. */
  follow() {
    return watchStream(this, this.#connection, (revision) => {
      this.#heard = Math.max(this.#heard, revision);
      this.#wake();
    }, this.#controller.signal);
  }

  /** Resolves when everything is confirmed. Rejects if that cannot happen, or when `signal` is aborted. */
  settled({ signal } = {}) {
    return new Promise((resolve, reject) => {
      const check = () => {
        const reason = signal?.aborted ? signal.reason : this.#halted;
        if (!reason && !this.isSettled) return;
        leave();
        ignore();
        if (reason) reject(reason);
        else resolve();
      };
      const leave = this.on('rest', check);
      const ignore = onAbort(signal, check);
      check();
    });
  }

  /** Continues after a `problem` that stopped the session, or ends a pause. */
  retry() {
    if (this.#controller.signal.aborted) return;
    this.#halted = null;
    this.#connection.retryNow();
    this.#wake();
  }

  /** Ends the session, even while it is being created or the page is being left. */
  async end() {
    this.#stop(ownProblem('ended', 'The session has ended.'));
    // A creation whose response was lost is sent again, with its key.
    const id = this.#id ?? (await this.#creation?.catch((problem) => problem.isTransient && this.#sendCreation()))?.id;
    if (!id) return;
    try {
      await this.#connection.request('DELETE', `/v1/bars/${id}`, { keepalive: true });
    } catch (problem) {
      if (problem.status !== 404) throw problem;
    }
  }

  #stop(reason) {
    this.#halted ??= reason;
    this.#drop();
    this.#controller.abort(reason);
    this.emit('rest');
  }

  #drop() {
    this.queue.pending = [];
    this.prediction.trackChanges = {};
  }

  get #isSent() {
    return !this.#controller.signal.aborted && !this.#isFull;
  }

  // The loop that sends requests to the service.

  get #hasWork() {
    if (this.#halted) return false;
    const hasNews = this.#id === null || this.#question || this.#heard > this.revision;
    return hasNews || !this.queue.isEmpty || this.prediction.hasTracks;
  }

  #wake() {
    if (this.#isRunning || !this.#hasWork) return;
    this.#isRunning = true;
    this.#run().catch((error) => this.#halt(error)).finally(() => {
      this.#isRunning = false;
      if (this.#hasWork) this.#wake();
      else this.emit('rest');
    });
  }

  async #run() {
    const { signal } = this.#controller;
    // Requests without an answer, and reactions to answers, one after the other.
    let [failures, cures] = [0, 0];
    while (this.#hasWork) {
      try {
        if (await this.#step(signal)) cures = 0;
        failures = 0;
        this.#tell('online');
      } catch (problem) {
        if (signal.aborted) return;
        if (!(problem instanceof Problem)) throw problem;
        if (problem.isTransient) await this.#wait((failures += 1), problem, signal);
        else {
          failures = 0;
          this.#tell('online');
          if (!this.#cure(problem)) return this.#halt(problem);
          // The first reaction is tried without a pause.
          if ((cures += 1) > 1) await this.#wait(cures - 1, problem, signal);
        }
      }
    }
  }

  async #wait(attempt, problem, signal) {
    const wait = this.#connection.delay(attempt - 1, problem.retryAfter);
    this.#tell('waiting', problem, this.#connection.environment.now() + wait);
    await this.#connection.pause(wait, signal);
    this.#tell('connecting', problem);
  }

  /** Sends the next request; returns true if it made progress. */
  async #step(signal) {
    if (this.#isFull) this.#dropPending();
    if (this.#id === null) return this.#create(signal);
    if (this.queue.isEmpty && this.#heard > this.revision) this.#ask();
    if (this.#question) return this.#readLog(signal);
    await this.#connection.frame();
    return this.prediction.hasTracks ? this.#putTracks(signal) : this.#post(signal);
  }

  async #create(signal) {
    const bar = await this.#ifCurrent(this.#creation = this.#sendCreation());
    signal.throwIfAborted();
    this.#id = bar.id;
    this.prediction.revision = bar.revision;
    this.#compare(bar, this.prediction.confirmed.created.commands);
    this.emit('session', bar);
    return false;
  }

  /** Not cancelled: `end()` needs the id. */
  #sendCreation() {
    return this.#connection.post('/v1/bars', this.#body, { headers: { 'Idempotency-Key': this.#key } });
  }

  async #post(signal) {
    const events = this.queue.next();
    const { now } = this.#connection.environment;
    const sent = now();
    const answer = await this.#request('POST', '/events', { body: { events }, query: this.#detail, signal }).catch(
      (problem) => {
        if (problem.isTransient) this.queue.doubt(true);
        throw problem;
      },
    );
    const milliseconds = now() - sent;
    const before = this.queue.sequence;
    const confirmed = this.queue.confirm(answer.lastSequence);
    const predicted = confirmed.flatMap(({ event }) => this.prediction.confirm(event)?.commands ?? []);
    // Between two events of this client, only tracks can have changed.
    if (answer.revision > this.revision + confirmed.length) this.#ask(before);
    this.prediction.revision = answer.revision;
    if (!this.queue.hasMissing) this.#compare(answer, predicted);
    // A batch of events that were confirmed before, and that the service had lost, confirms none.
    if (confirmed.length) this.emit('confirm', { first: before + 1, last: this.queue.sequence, milliseconds });
    if (answer.results) this.emit('answer', { answer, events, milliseconds });
    return true;
  }

  async #putTracks(signal) {
    const body = this.prediction.nextTracks;
    const answer = await this.#request('PUT', '/tracks', {
      body, headers: { 'If-Match': this.prediction.condition }, signal,
    });
    this.prediction.confirmTracks(body, answer.revision);
    this.#adoptValues(answer);
    return true;
  }

  #request(method, part, options) {
    this.#method = method;
    return this.#ifCurrent(this.#connection.request(method, `/v1/bars/${this.#id}${part}`, options));
  }

  /** Returns an answer, unless too many events have waited for it: then it is that of a session which is replaced. */
  async #ifCurrent(request) {
    const answer = await request;
    if (this.#isFull) {
      this.#id ??= answer?.id ?? null;
      throw ownProblem('queue-full');
    }
    if (Number.isInteger(answer?.revision) || Array.isArray(answer?.events)) return answer;
    // JSON of a proxy, or nothing.
    throw new Problem(0, UNREADABLE);
  }

  /** Starts another session with the shown bar instead of too many events that wait. */
  #dropPending() {
    const events = this.pendingEvents;
    this.#drop();
    // If this fails, the service ends the session later by itself.
    if (this.#id && !this.#isContinued) this.#connection.request('DELETE', `/v1/bars/${this.#id}`).catch(() => {});
    this.#startAnew(this.prediction.shown);
    this.#isFull = false;
    this.emit('problem', { problem: ownProblem('queue-full', LOST), events });
  }

  // Changes of other writers.

  /** Requests to read the log before the next batch, from `sequence` on or, with `isRebuild`, from its beginning. */
  #ask(sequence = this.queue.sequence, isRebuild = false) {
    const { after = sequence, ...asked } = this.#question ?? {};
    this.#question = { ...asked, after: Math.min(after, sequence), isRebuild: isRebuild || asked.isRebuild };
  }

  /** Reads the log: changes of other writers, and events of this client that have arrived. */
  async #readLog(signal) {
    const question = this.#question;
    const { after, isRebuild, isTrimmed } = question;
    this.#heard = 0;
    const settings = { after, body: isRebuild ? this.#body : null, isTrimmed, signal };
    const read = (question.reader ??= logReader((...args) => this.#request(...args), this.prediction, settings));
    const { others, found, bar, hasGap } = await read();
    const lost = isTrimmed || hasGap ? this.queue.dropDoubtful().map(({ event }) => event) : [];
    // What was asked for meanwhile may be newer than what was read.
    this.#question = this.#question === question ? null : { after: this.queue.sequence, isRebuild: false };
    this.#renew(others);
    if (bar) this.#adoptValues(bar);
    for (const numbers of found) this.emit('confirm', { ...numbers, milliseconds: null });
    if (lost.length) {
      this.emit('problem', { problem: ownProblem('sequence-trimmed', LOST), events: lost });
    }
    return others.length > 0;
  }

  // The service's state, and its effect on the shown bar.

  /** Adopts the service's state for the confirmed bar if it differs, and its commands that were not predicted. */
  #compare(bar, predicted) {
    this.#adoptValues(bar);
    if (this.prediction.confirmed.agrees(bar)) return;
    this.prediction.confirmed.adopt(bar);
    this.#renew(bar.commands?.filter((command, index) => differ([command], predicted.slice(index, index + 1))));
  }

  #adoptValues({ values }) {
    if (this.prediction.adoptValues(values)) this.emit('change', this.withShown());
  }

  /** Updates the shown bar after a confirmation that was not predicted; `others` are other writers' commands. */
  #renew(others = []) {
    const before = this.withShown();
    const { commands, refused } = this.prediction.renew();
    const result = this.withShown({ commands: [...others, ...commands], crossings: [] });
    const change = correction(before.state.height, result.state.height);
    if (change) this.emit('correction', { ...result, ...change });
    if (!isSame({ ...before, commands: [] }, result)) this.emit('change', result);
    for (const problem of refused) this.emit('problem', problem);
  }

  /** Reacts to a problem; returns false if there is no reaction. */
  #cure(problem) {
    const { code, status, body, etag } = problem;
    const queue = this.queue;
    if (code === 'bar-not-found') this.#startAnew();
    else if (code === 'sequence-reused') {
      queue.doubt(false);
      this.#ask(queue.sequence, queue.hasMissing);
    } else if (code === 'sequence-gap') {
      if (!queue.goBack(body.expectedSequence)) this.#ask(0, true);
    } else if (code === 'sequence-trimmed') {
      this.#ask();
      this.#question.isTrimmed = true;
    } else if (status === 412) {
      this.prediction.refusalTag = etag;
      this.#ask();
    } else if (code === 'idempotency-key-reused') this.#key = uniqueName(this.#connection.environment);
    else if (status === 413 && this.#method === 'POST' && queue.shrink()) return true;
    else return code === 'queue-full' || this.#dropRefused(problem);
    return true;
  }

  /** Drops the event, or the tracks, that the service refuses for good. */
  #dropRefused(problem) {
    const index = /^\/events\/(\d+)/.exec(problem.errors[0]?.pointer)?.[1];
    const events = index ? this.queue.drop(index).map(({ event }) => event) : [];
    if (this.#method === 'PUT' && [413, 422].includes(problem.status)) this.prediction.trackChanges = {};
    else if (events.length === 0) return false;
    this.#renew();
    this.emit('problem', { problem, events });
    return true;
  }

  /** Creates another session, in which a bar goes on, by default the confirmed one. */
  #startAnew(bar) {
    this.#body = { ...this.prediction.startAnew(bar), ttlSeconds: this.#body.ttlSeconds };
    this.#id = this.#question = this.#method = null;
    this.#isContinued = false;
    this.#heard = 0;
    this.#key = uniqueName(this.#connection.environment);
    this.#renew();
  }

  #tell(state, problem = null, retryAt = null) {
    if (this.#status.state === state && this.#status.retryAt === retryAt) return;
    this.#status = { state, retryAt, problem };
    this.emit('connection', this.#status);
  }

  #halt(problem) {
    this.#halted = problem;
    this.emit('problem', { problem, events: [] });
  }
}

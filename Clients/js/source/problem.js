// What can go wrong, in one type: an answer of the service (RFC 9457), no answer at all, or input that it would refuse.

/** Statuses after which the same request may succeed: nobody was there, or nobody had time. */
const TRANSIENT = new Set([0, 408, 425, 429, 500, 502, 503, 504]);

export class Problem extends Error {
  constructor(status, body, { retryAfter = null, requestId = null, cause } = {}) {
    super(body.detail ?? body.title ?? `The service answered ${status}.`, { cause });
    this.name = 'Problem';
    /** The status of the answer; 0 without one. */
    this.status = status;
    /** The stable code, such as `sequence-gap`; `unreachable`, `timeout` and `unreadable` are the client's own. */
    this.code = body.code ?? (body.type ?? '').split('/').pop();
    /** Where the input is wrong: `{ pointer | parameter, detail }`. */
    this.errors = body.errors ?? [];
    /** Names the request in the service's log. */
    this.requestId = requestId ?? body.instance ?? null;
    /** Seconds after which asking again makes sense; null when the service does not say. */
    this.retryAfter = retryAfter;
    /** The whole document, with members such as `expectedSequence`. */
    this.body = body;
  }

  /** Whether the same request may succeed later. */
  get isTransient() {
    return TRANSIENT.has(this.status) || this.retryAfter !== null;
  }

  /** Input that the service would refuse, found before it was sent. */
  static refused(code, pointer, detail) {
    return new Problem(422, { code, detail: `${pointer}: ${detail}`, errors: [{ pointer, detail }] });
  }
}

// An error: an error response (RFC 9457), no response, or input that the service would refuse.

/** Statuses after which a retry may succeed. */
const TRANSIENT = [0, 408, 425, 429, 500, 502, 503, 504];

export class Problem extends Error {
  constructor(status = 0, body = {}, { retryAfter = null, requestId = null, etag = null, cause } = {}) {
    super(body.detail ?? body.title ?? `The service answered ${status}.`, { cause });
    this.name = 'Problem';
    /** The status of the response; 0 without one. */
    this.status = status;
    /** The stable code, such as `sequence-gap`; `unreachable`, `timeout` and `unreadable` are the client's own. */
    this.code = body.code ?? (body.type ?? '').split('/').pop();
    /** The locations of the faults: `{ pointer | parameter, detail }`. */
    this.errors = body.errors ?? [];
    /** The id of the request in the service's log. */
    this.requestId = requestId ?? body.instance ?? null;
    /** Seconds before a retry; null if the service does not say. */
    this.retryAfter = retryAfter;
    /** The `ETag` of the current state, with status 412; null without one. */
    this.etag = etag;
    /** The whole document, with members such as `expectedSequence`. */
    this.body = body;
  }

  /** Whether a retry may succeed. */
  get isTransient() {
    // A server error that is not the service's is a proxy's.
    const isOfProxy = this.status >= 500 && this.code === 'unreadable';
    const isFinal = /^(ended|queue-full)$/.test(this.code);
    return this.retryAfter !== null || isOfProxy || (TRANSIENT.includes(this.status) && !isFinal);
  }

  /** Creates the problem of input that the service would refuse, before it is sent. */
  static refused(code, pointer, detail, status = 422) {
    return new Problem(status, { code, detail: `${pointer}: ${detail}`, errors: [{ pointer, detail }] });
  }
}

// Sends the requests of the reference: with the token of this tab, and after the steps that a request needs.

import { askForToken } from '../shared/token.js';

const BAR = 'springbar.docs.bar';
/** The operations whose `ETag` is that of the present bar, below its path; that of `/states` is of a past state. */
const PRESENT = ['GET ', 'POST /events', 'PUT /tracks', 'DELETE '];
let token = null;

/** Sends a request `{ method, target, headers, body }`, again with a token if the service asks for one. */
export async function send(request) {
  const { method, target, headers, body } = authorized(request);
  const response = await fetch(target, { method, headers, body, cache: 'no-store', redirect: 'manual' });
  if (response.status !== 401) {
    await follow(request, response);
    return response;
  }
  token = await askForToken();
  return token ? send(request) : response;
}

/** Returns the request with the token of this tab, if there is one. */
export function authorized(request) {
  if (!token) return request;
  return { ...request, headers: { ...request.headers, Authorization: `Bearer ${token}` } };
}

/**
 * Sends the steps of an example. Returns the values that they keep, by name, and a line for each step; throws the
 * response of a step that was refused.
 */
export async function perform(steps) {
  const kept = {};
  const lines = [];
  for (const { method = 'GET', target, headers = {}, body, keep = {} } of steps) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const fields = text === undefined ? headers : { 'Content-Type': 'application/json', ...headers };
    const path = target.replace(/\{(\w+)\}/g, (whole, name) => kept[name] ?? whole);
    const response = await send({ method, target: path, headers: fields, body: text });
    if (!response.ok) throw response;
    const answer = await response.json();
    for (const [name, pointer] of Object.entries(keep)) {
      kept[name] = String(pointer.split('/').slice(1).reduce((node, key) => node?.[key], answer));
    }
    lines.push(`${method} ${path} ${response.status}`);
  }
  return { kept, lines };
}

/** The bar of this tab, `{ id, etag }`: the last one that was created here. Null if there is none. */
export function bar() {
  try {
    return JSON.parse(sessionStorage.getItem(BAR));
  } catch {
    return null;
  }
}

/** Remembers the bar that a response is about, with its version. */
async function follow({ method, target }, response) {
  const [, id, rest = ''] = /^\/v1\/bars\/([0-9a-f]{32})(\/[a-z]+)?(?:\?|$)/.exec(target) ?? [];
  const etag = response.headers.get('etag');
  const isNew = response.status === 201 && method === 'POST';
  if (isNew && etag) remember({ id: (await response.clone().json()).id, etag });
  else if (id && id === bar()?.id) {
    const isGone = response.status === 404 && rest !== '/states';
    if (isGone || (method === 'DELETE' && response.ok)) remember(null);
    else if (etag && PRESENT.includes(`${method} ${rest}`) && (response.ok || response.status === 412)) {
      remember({ id, etag });
    }
  }
}

function remember(value) {
  try {
    sessionStorage.setItem(BAR, JSON.stringify(value));
  } catch {
    // The id is in the response, too.
  }
}

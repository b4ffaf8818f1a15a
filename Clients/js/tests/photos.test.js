// Pages and pictures, without a service or a screen.

import assert from 'node:assert/strict';
import test from 'node:test';

import { ImageLoader } from '../source/image-loader.js';
import { Pager, Springbar } from '../springbar.js';

/** Pages of three photos each; every page begins with the last photo of the page before. */
function library({ failures = [] } = {}) {
  const asked = [];
  const fetch = async (cursor) => {
    asked.push(cursor);
    if (failures.includes(asked.length)) throw new Error('not now');
    const first = Number(cursor ?? 0);
    const items = [first, first + 1, first + 2].map((number) => ({ id: `p${number}` }));
    return { items, page: { nextCursor: String(first + 2), hasMore: first < 6 } };
  };
  return { asked, fetch };
}

const ids = ({ items }) => items.map(({ id }) => id);

test('Pages arrive in order and without duplicate photos, until the last one', async () => {
  const { asked, fetch } = library();
  const pages = [];
  for await (const page of new Pager(fetch)) pages.push(ids(page));
  assert.deepEqual(pages, [['p0', 'p1', 'p2'], ['p3', 'p4'], ['p5', 'p6'], ['p7', 'p8']]);
  assert.deepEqual(asked, [null, '2', '4', '6']);
});

test('Concurrent calls request a page once', async () => {
  const { asked, fetch } = library();
  const pager = new Pager(fetch);
  const [a, b] = await Promise.all([pager.next(), pager.next()]);
  assert.equal(a, b);
  assert.equal(asked.length, 1);
});

test('The next page is requested shortly before the end, and a failure leaves no gap', async () => {
  const { asked, fetch } = library({ failures: [2] });
  const pager = new Pager(fetch, { ahead: 2 });
  const problems = [];
  pager.on('problem', (problem) => problems.push(problem.message));
  await pager.next();
  pager.reached(0);
  assert.equal(asked.length, 1);
  pager.reached(1);
  assert.ok(pager.isLoading);
  await new Promise(setImmediate);
  assert.deepEqual(problems, ['not now']);
  await pager.next();
  assert.deepEqual(asked, [null, '2', '2']);
  assert.deepEqual(ids(pager), ['p0', 'p1', 'p2', 'p3', 'p4']);
});

test('A loop that is left loses no page, and a page that failed is requested again', async () => {
  const { asked, fetch } = library({ failures: [3] });
  const pager = new Pager(fetch);
  for await (const page of pager) {
    assert.deepEqual(ids(page), ['p0', 'p1', 'p2']);
    break;
  }
  assert.deepEqual(asked, [null, '2'], 'the next page is requested in advance');
  const pages = [];
  const loop = async () => {
    for await (const page of pager) pages.push(ids(page));
  };
  await assert.rejects(loop(), { message: 'not now' });
  await loop();
  assert.deepEqual(pages, [['p3', 'p4'], ['p5', 'p6'], ['p7', 'p8']]);
  assert.deepEqual(ids(pager), ['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8']);
});

test('A loop loses no page to the photos that are visible, which load pages after it', async () => {
  const { asked, fetch } = library();
  const pager = new Pager(fetch);
  const pages = [];
  for await (const page of pager) {
    pages.push(...ids(page));
    // The page ahead has arrived.
    await new Promise(setImmediate);
    pager.reached(pager.items.length - 1);
    await new Promise(setImmediate);
    if (pages.length > 4) break;
  }
  assert.deepEqual([pages, asked], [['p0', 'p1', 'p2', 'p3', 'p4'], [null, '2', '4']]);
  pager.reached(pager.items.length - 1);
  await new Promise(setImmediate);
  assert.deepEqual([pager.items.length, asked.at(-1)], [9, '6']);
});

test('A page without a cursor is the last one', async () => {
  const pager = new Pager(async () => ({ items: [{ id: 'a' }], page: { hasMore: true, nextCursor: null } }));
  assert.deepEqual([ids(await pager.next()), await pager.next()], [['a'], null]);
});

test('Picture addresses have widths in pixels that the service caches', () => {
  const { photos } = new Springbar('https://bars.example/');
  const path = (...args) => photos.imageURL(...args).replace('https://bars.example/v1/photos/', '');
  assert.equal(path({ id: 'a' }, { width: 375, scale: 2 }), 'a/image?w=750');
  assert.equal(path('a b', { width: 376, height: 10, scale: 3, quality: 80 }), 'a%20b/image?w=1200&h=32&q=80');
  assert.equal(path('a', { width: 1000, height: 1000, scale: 3 }), 'a/image?w=2400&h=2400', 'the largest of the service');
  assert.equal(path('a', { width: 10, height: 1000, scale: 1 }), 'a/image?w=200&h=2400');
  assert.equal(path('a', { width: 0, height: 10, scale: 2 }), 'a/image?h=20');
  assert.equal(path('a', { width: 375, height: 500, scale: 2 }), 'a/image?w=750&h=1000');
  assert.equal(path('a', { width: 9000, scale: 1 }), 'a/image?w=2400');
  assert.equal(path('a'), 'a/image');
  // A service with tokens signs its links.
  const images = { full: { url: '/v1/photos/a/image/full?s=Ab-_0' } };
  assert.equal(path({ id: 'a', images }, { width: 375, scale: 2 }), 'a/image?w=750&s=Ab-_0');
  assert.equal(path({ id: 'a', images: { full: { url: '/v1/photos/a/image/full' } } }), 'a/image');
});

/** An image with the members that the loader uses. */
class Picture {
  dataset = {};
  #source = null;
  #listeners = {};
  addEventListener(name, listener) {
    this.#listeners[name] = listener;
  }
  set src(source) {
    this.#source = source;
  }
  hasAttribute() {
    return this.#source !== null;
  }
  removeAttribute() {
    this.#source = null;
  }
  removeEventListener(name, listener) {
    if (this.#listeners[name] === listener) delete this.#listeners[name];
  }
  get listeners() {
    return Object.keys(this.#listeners).length;
  }
  tell(name) {
    this.#listeners[name]({ currentTarget: this });
  }
  get loads() {
    return this.#source;
  }
}

test('Pictures are loaded while they are near, a few at a time, and cancelled when they leave', () => {
  let see;
  globalThis.IntersectionObserver = class {
    constructor(callback) {
      see = (target, isIntersecting) => callback([{ target, isIntersecting }]);
    }
    observe() {}
    unobserve() {}
  };
  const givenUp = [];
  const loader = new ImageLoader({ atOnce: 2, onGivenUp: (image) => givenUp.push(image) });
  const pictures = ['a', 'b', 'c', 'd'].map((source) => {
    const picture = new Picture();
    loader.watch(picture, source);
    return picture;
  });
  const [a, b, c, d] = pictures;
  for (const picture of [a, b, c]) see(picture, true);
  assert.deepEqual(pictures.map(({ loads }) => loads), ['a', 'b', null, null]);
  see(a, false);
  assert.deepEqual([a.loads, a.dataset.state, c.loads, givenUp.length], [null, 'waiting', 'c', 1]);
  b.tell('load');
  see(b, false);
  see(b, true);
  assert.deepEqual([b.dataset.state, b.loads], ['loaded', 'b'], 'what is there stays');
  see(d, true);
  c.tell('error');
  assert.deepEqual([c.dataset.state, d.loads], ['failed', 'd']);
  loader.retry(c);
  assert.equal(c.loads, 'c');
  loader.clear([c, d]);
  assert.deepEqual([c.loads, d.loads, givenUp.length], [null, null, 3]);
  assert.deepEqual(pictures.map(({ listeners }) => listeners), [2, 2, 0, 0]);
});

test('a long Retry-After is reported at once, a short one is waited for', async () => {
  const waits = [];
  const answers = [['2'], ['2070'], ['2070']];
  const fetch = async () => {
    const [retryAfter] = answers.shift();
    const body = JSON.stringify({ type: '/problems/upstream-rate-limited', status: 503, detail: 'used up' });
    const headers = new Map([['Content-Type', 'application/problem+json'], ['Retry-After', retryAfter]]);
    return { ok: false, status: 503, headers, text: async () => body };
  };
  const setTimeout = (action, milliseconds) => {
    if (milliseconds < 9000) queueMicrotask(action);
    waits.push(milliseconds);
  };
  const environment = { fetch, setTimeout, clearTimeout() {}, random: () => 0, now: () => 0 };
  const { photos } = new Springbar({ base: 'http://springbar.test', environment });
  await assert.rejects(photos.pager().next(), { code: 'upstream-rate-limited', retryAfter: 2070 });
  assert.deepEqual(waits.filter((one) => one < 9000), [2000]);
  assert.equal(answers.length, 1);
});

test('An image that is watched again loads its new source', () => {
  const seen = [];
  globalThis.IntersectionObserver = class {
    constructor(callback) {
      this.callback = callback;
    }
    // It tells nothing of an image that it observes already.
    observe(target) {
      if (!seen.includes(target)) this.callback([{ target, isIntersecting: true }]);
      seen.push(target);
    }
    unobserve(target) {
      if (seen.includes(target)) seen.splice(0);
    }
  };
  const loader = new ImageLoader();
  const image = new Picture();
  loader.watch(image, 'a');
  loader.watch(image, 'b');
  assert.deepEqual([image.loads, image.dataset.state], ['b', 'loading']);
  image.tell('load');
  loader.watch(image, 'c');
  assert.deepEqual([image.loads, image.dataset.state], ['c', 'loading']);
});

test("A success that is not the service's is a problem, and a page of it is requested again", async () => {
  const contents = ['null', '{}', '<p>', '"a"', '{"items":[{"id":"p1"}],"page":{"hasMore":false}}'];
  const fetch = async () => ({ ok: true, status: 200, headers: new Map(), text: async () => contents.shift() });
  const environment = { fetch, setTimeout() {}, clearTimeout() {}, now: () => 0 };
  const pager = new Springbar({ base: 'http://springbar.test', environment }).photos.pager();
  for (let wrong = 0; wrong < 4; wrong += 1) {
    await assert.rejects(pager.next(), { name: 'Problem', code: 'unreadable', status: 0 });
  }
  assert.deepEqual(ids(await pager.next()), ['p1']);
});

// A page for tests without a browser: a list with its layout, the events of a finger, and frames in simulated time. What
// the follower of a bar uses is global.

import { EventEmitter } from 'node:events';

// A browser has no limit.
EventEmitter.defaultMaxListeners = 100;

let now = 0;
const frames = new Map();
let frameCount = 0;
const observers = new Set();
const window = new EventTarget();
const pixels = (length) => Number.parseFloat(length) || 0;

class PageElement extends EventTarget {
  children = [];
  dataset = {};
  isConnected = true;
  clientTop = 0;
  clientWidth = 375;
  localName = 'main';
  id = '';
  /** The pixels of the window in one of a list. */
  scale = 1;
  /** The height of an element without children, and that of a list's frame. */
  height;
  /** The written styles and custom properties. */
  written = {};
  #top = 0;

  constructor(height) {
    super();
    this.height = height;
    const { written } = this;
    this.style = new Proxy(written, {
      get: (_, name) => ({
        setProperty: (property, value) => (written[property] = value),
        removeProperty: (property) => delete written[property],
      })[name] ?? written[name] ?? '',
    });
  }

  append(child) {
    this.children.push(child);
    child.parentElement = this;
    for (const observer of observers) observer([{ target: this, addedNodes: [child], removedNodes: [] }]);
  }

  querySelector() {
    return null;
  }

  get lastElementChild() {
    return this.children.at(-1) ?? null;
  }

  get clientHeight() {
    return this.height;
  }

  get offsetHeight() {
    return this.height;
  }

  get scrollHeight() {
    const content = this.children.reduce((sum, { height }) => sum + height, 0);
    return Math.max(this.height, Math.round(pixels(this.written.paddingTop) + content + pixels(this.written['--springbar-bottom'])));
  }

  get scrollTop() {
    return (this.#top = Math.min(this.#top, this.scrollHeight - this.height));
  }

  set scrollTop(top) {
    const before = this.#top;
    this.#top = Math.max(0, Math.min(this.scrollHeight - this.height, top));
    if (this.#top !== before) queueMicrotask(() => this.dispatchEvent(new Event('scroll')));
  }

  scrollTo({ top }) {
    this.scrollTop = top;
  }

  getBoundingClientRect() {
    const list = this.parentElement;
    if (!list) return { top: 0, bottom: this.height * this.scale, height: this.height * this.scale };
    let top = pixels(list.written.paddingTop) - list.scrollTop;
    if (list.dataset.springbar === 'shifted') top += pixels(list.written['--springbar-shift']);
    for (const child of list.children.slice(0, list.children.indexOf(this))) top += child.height;
    return { top, bottom: top + this.height, height: this.height };
  }

  getClientRects() {
    return [this.getBoundingClientRect()];
  }

  getRootNode() {
    return document;
  }

  setPointerCapture() {}
}

class Observer {
  constructor(report) {
    this.report = (records = []) => report(records);
    observers.add(this.report);
  }

  observe() {}

  unobserve() {}

  disconnect() {
    observers.delete(this.report);
  }
}

const STYLES = { overflowY: 'scroll', position: 'static', columnCount: 'auto', columnWidth: 'auto', scrollSnapType: 'none', touchAction: 'auto' };
Object.assign(globalThis, {
  Element: PageElement,
  MutationObserver: Observer,
  ResizeObserver: Observer,
  CSSStyleSheet: class { replaceSync() {} },
  devicePixelRatio: 1,
  origin: 'http://page',
  document: { adoptedStyleSheets: [] },
  getComputedStyle: ({ written }) => ({ ...STYLES, ...Object.fromEntries(Object.entries(written).filter(([, value]) => value)) }),
  matchMedia: () => ({ matches: false }),
  addEventListener: window.addEventListener.bind(window),
  removeEventListener: window.removeEventListener.bind(window),
  requestAnimationFrame: (step) => frames.set((frameCount += 1), step) && frameCount,
  cancelAnimationFrame: (id) => frames.delete(id),
});
performance.now = () => now;

/** Returns a list of `count` rows, each 88 points high, in a frame of 667 points. */
export function listOf(count) {
  const list = new PageElement(667);
  for (let row = 0; row < count; row += 1) list.append(new PageElement(88));
  return list;
}

/** Returns the number of observers that are not disconnected. */
export function observerCount() {
  return observers.size;
}

/** Adds a row of `height` points at the end. */
export function grow(list, height) {
  list.append(new PageElement(height));
}

/** Draws as many frames as fit in `milliseconds`; answers of the service arrive between them. */
export async function pass(milliseconds) {
  for (const end = now + milliseconds; now + 16 <= end;) {
    now += 16;
    for (const [id, step] of [...frames]) if (frames.delete(id)) step(now);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

function fire(target, type, members) {
  const event = new Event(type, { cancelable: true });
  const all = { timeStamp: now, composedPath: () => [target], ...members };
  for (const [name, value] of Object.entries(all)) Object.defineProperty(event, name, { value });
  target.dispatchEvent(event);
}

/** A finger on a list. */
export class Finger {
  #list;
  #y;

  constructor(list, y = 400) {
    this.#list = list;
    this.#y = y;
    this.#fire(list, 'pointerdown');
  }

  moveBy(distance) {
    this.#y += distance;
    this.#fire(this.#list, 'pointermove');
  }

  lift() {
    this.#fire(window, 'pointerup');
  }

  #fire(target, type) {
    fire(target, type, { pointerId: 1, pointerType: 'touch', button: 0, buttons: 1, clientX: 100, clientY: this.#y });
  }
}

/** Turns a wheel by `distance` points or, with a `deltaMode` of 1 or 2, lines or pages. */
export function turnWheel(list, distance, deltaMode = 0) {
  fire(list, 'wheel', { deltaX: 0, deltaY: distance, deltaMode, currentTarget: list });
}

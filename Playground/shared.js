// Made by script/playground from source/shared of Playground/source, where the comments are.
import { Spring, Springbar, rubberband } from '/client/springbar.js';
const SETTLED = 5e-4;
const still = window.matchMedia('(prefers-reduced-motion: reduce)');
export function prefersStillness() {
  return still.matches;
}
export class Animation {
  #frame = 0;
  #isRunning = true;
  #resolve;
  constructor(step) {
    this.finished = new Promise((resolve) => (this.#resolve = resolve));
    const began = performance.now();
    const tick = (now) => {
      const isOver = step(Math.max(0, now - began) / 1000);
      if (!this.#isRunning) return;
      if (isOver) return this.#end(true);
      this.#frame = requestAnimationFrame(tick);
    };
    this.#frame = requestAnimationFrame(tick);
  }
  get isRunning() {
    return this.#isRunning;
  }
  stop() {
    cancelAnimationFrame(this.#frame);
    this.#end(false);
  }
  #end(hasArrived) {
    this.#isRunning = false;
    this.#resolve(hasArrived);
  }
}
export function animateSpring(spring, apply) {
  const motion = new Spring(spring);
  const end = motion.settlingTime(SETTLED) ?? Infinity;
  return new Animation((time) => {
    if (prefersStillness() || time >= end) {
      apply(1, 0);
      return true;
    }
    const { position, velocity } = motion.at(time);
    apply(position, velocity);
    return false;
  });
}
export function animateEase(duration, apply) {
  return new Animation((time) => {
    if (prefersStillness() || time >= duration) {
      apply(1);
      return true;
    }
    const x = time / duration;
    apply(x * x * (3 - 2 * x));
    return false;
  });
}
export function element(name, properties = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key === 'dataset') Object.assign(node.dataset, value);
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}
const SVG = 'http://www.w3.org/2000/svg';
export function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}
export function part(root, role) {
  const found = root.querySelector(`[data-role="${role}"]`);
  if (!found) throw new Error(`the page has no part called ${role}`);
  return found;
}
export function figure(value, digits = 3) {
  if (value === null || value === undefined) return '–';
  const rounded = Number(value.toFixed(digits));
  return String(rounded === 0 ? 0 : rounded).replace('-', '−');
}
export function show(node, value, text = figure(value)) {
  node.value = String(value);
  if (node.textContent !== text) node.textContent = text;
}
const RECENT = 5;
export class Exchanges {
  delay = 0;
  #listeners = new Set();
  #number = 0;
  observe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  async fetch(url, init = {}) {
    const exchange = this.#begin(url, init);
    try {
      await pause(this.delay / 2);
      const response = await fetch(url, init);
      const text = await response.text();
      await pause(this.delay / 2);
      Object.assign(
        exchange,
        { status: response.status, answer: text, milliseconds: performance.now() - exchange.sent },
      );
      this.#tell(exchange);
      const { ok, status, headers } = response;
      return { ok, status, headers, text: async () => text };
    } catch (error) {
      exchange.milliseconds = performance.now() - exchange.sent;
      exchange.failure = init.signal?.aborted ? 'cancelled' : 'no answer';
      this.#tell(exchange);
      throw error;
    }
  }
  stream(url) {
    const source = new EventSource(url);
    let exchange = this.#begin(url, { isStream: true });
    const end = (outcome) => {
      if (exchange.milliseconds !== null) return;
      Object.assign(exchange, outcome, { milliseconds: performance.now() - exchange.sent });
      this.#tell(exchange);
    };
    const events = [];
    const take = ({ type, lastEventId, data }) => {
      events.push(`event: ${type}\nid: ${lastEventId}\ndata: ${data}`);
      if (events.length > RECENT) events.shift();
      exchange.answer = events.join('\n\n');
      this.#tell(exchange);
    };
    for (const name of ['state', 'end']) source.addEventListener(name, take);
    source.addEventListener('open', () => end({ status: 200 }));
    source.addEventListener('error', () => {
      const isRefused = source.readyState === EventSource.CLOSED;
      end({ failure: isRefused ? 'refused' : 'no answer' });
      if (!isRefused) exchange = this.#begin(url, { isStream: true });
    });
    return source;
  }
  #begin(url, { method = 'GET', body, headers, isStream = false }) {
    const { pathname, search } = new URL(url, location.href);
    const exchange = { number: (this.#number += 1), method, path: pathname, target: pathname + search, body, headers };
    Object.assign(exchange, { isStream, sent: performance.now(), status: null, milliseconds: null, answer: '' });
    this.#tell(exchange);
    return exchange;
  }
  #tell(exchange) {
    for (const listener of this.#listeners) listener(exchange);
  }
}
function pause(milliseconds) {
  return milliseconds > 0 ? new Promise((resolve) => setTimeout(resolve, milliseconds)) : undefined;
}
export function curl({ method, target, body, headers = {}, isStream = false }) {
  const option = isStream ? '-N ' : method === 'GET' ? '' : `-X ${method} `;
  const lines = [`curl ${option}'${location.origin}${target}'`];
  const kept = Object.entries(headers).filter(([name]) => !['Accept', 'Authorization'].includes(name));
  for (const [name, value] of kept) lines.push(`-H '${name}: ${value}'`);
  if (headers.Authorization) lines.push('-H "Authorization: Bearer $TOKEN"');
  if (body !== undefined && body !== null) lines.push(`-d '${String(body).replaceAll("'", "'\\''")}'`);
  return lines.join(' \\\n  ');
}
export function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
export function oneAtATime(ask) {
  let waiting = null;
  let running = false;
  return async function offer(input) {
    waiting = { input };
    if (running) return;
    running = true;
    try {
      while (waiting) {
        const { input: next } = waiting;
        waiting = null;
        try {
          await ask(next);
        } catch (error) {
          if (!waiting) throw error;
        }
      }
    } finally {
      running = false;
    }
  };
}
export function oncePerFrame(action) {
  let frame = 0;
  return () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      action();
    });
  };
}
export function atRest(milliseconds, action) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, milliseconds);
  };
}
const KEYS = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };
export function rovingFocus(list, selector) {
  const items = () => [...list.querySelectorAll(selector)];
  function stopAt(current) {
    for (const item of items()) item.tabIndex = item === current ? 0 : -1;
  }
  function settle() {
    const all = items();
    stopAt(all.find((item) => item.tabIndex === 0 && item.dataset.stop) ?? all[0]);
  }
  list.addEventListener('focusin', ({ target }) => {
    if (!target.matches(selector)) return;
    for (const item of items()) delete item.dataset.stop;
    target.dataset.stop = 'yes';
    stopAt(target);
  });
  list.addEventListener('keydown', (event) => {
    const step = KEYS[event.key];
    if (!step || !event.target.matches(selector)) return;
    const all = items();
    const next = all[Math.min(all.length - 1, Math.max(0, all.indexOf(event.target) + step))];
    event.preventDefault();
    next.focus();
  });
  new MutationObserver(settle).observe(list, { childList: true });
  settle();
}
const CONSTANT = 0.55;
export function banded(y, minimum, maximum, dimension) {
  if (y < minimum) return minimum - rubberband(minimum - y, { dimension, constant: CONSTANT });
  if (y > maximum) return maximum + rubberband(y - maximum, { dimension, constant: CONSTANT });
  return y;
}
export function unbanded(y, minimum, maximum, dimension) {
  if (y < minimum) return minimum - pullFor(minimum - y, dimension);
  if (y > maximum) return maximum + pullFor(y - maximum, dimension);
  return y;
}
function pullFor(shift, dimension) {
  const held = Math.min(shift, dimension * 0.99);
  return (held * dimension) / (CONSTANT * (dimension - held));
}
const WINDOW = 0.1;
const SHORTEST = 1 / 120;
export class VelocityTracker {
  #samples = [];
  add(time, ...position) {
    this.#samples.push({ time: time / 1000, position });
    while (this.#samples.length > 2 && this.#samples.at(-1).time - this.#samples[0].time > WINDOW) this.#samples.shift();
  }
  velocity(time) {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (!first) return [0];
    const zero = last.position.map(() => 0);
    if (time / 1000 - last.time > WINDOW) return zero;
    const elapsed = last.time - first.time;
    if (elapsed <= 0) return zero;
    return last.position.map((value, axis) => (value - first.position[axis]) / Math.max(elapsed, SHORTEST));
  }
}
const KEY = 'springbar.token';
let given = null;
export function askForToken() {
  const kept = sessionStorage.getItem(KEY);
  if (kept && kept !== given) return Promise.resolve((given = kept));
  sessionStorage.removeItem(KEY);
  const dialog = part(document, 'token');
  const field = part(dialog, 'token-field');
  return new Promise((resolve) => {
    dialog.addEventListener(
      'close',
      () => {
        const token = dialog.returnValue === 'use' && field.value.trim() !== '' ? field.value.trim() : null;
        if (token) sessionStorage.setItem(KEY, token);
        resolve((given = token));
      },
      { once: true },
    );
    dialog.showModal();
  });
}
export function copyButton(what, text, label = 'Copy') {
  const button = element('button', { type: 'button', class: 'copy', 'aria-label': `Copy ${what}` }, label);
  button.addEventListener('click', async () => {
    button.textContent = (await copy(text())) ? 'Copied' : 'Press Ctrl C';
    setTimeout(() => (button.textContent = label), 1600);
  });
  return button;
}
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}
function copySelected(text) {
  const focused = document.activeElement;
  const field = element('textarea', { class: 'visually-hidden', 'aria-hidden': 'true' });
  field.value = text;
  (focused?.closest('dialog') ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  focused?.focus();
  return isCopied;
}
const USABLE = 0.6;
export class BarView {
  #root;
  #shown = null;
  constructor(root) {
    this.#root = root;
  }
  get shown() {
    return this.#shown;
  }
  show({ height, values }) {
    this.#shown = { height, values };
    this.#root.style.height = `${height}px`;
    for (const [track, value] of Object.entries(values)) {
      this.#root.style.setProperty(`--${track.replaceAll('.', '-')}`, String(value));
    }
    part(this.#root, 'search').inert = (values['search.alpha'] ?? 1) < USABLE;
    part(this.#root, 'rows').inert = (values['rows.alpha'] ?? 1) < USABLE;
  }
}
export function look(bar) {
  return { height: bar.state.height, values: bar.values };
}
export function mix(from, to, progress) {
  const at = (a, b) => a + (b - a) * progress;
  const values = Object.entries(to.values).map(([track, value]) => [track, at(from.values[track] ?? value, value)]);
  return { height: at(from.height, to.height), values: Object.fromEntries(values) };
}
const REST = 700;
let timer = 0;
export function hush() {
  clearTimeout(timer);
}
export function announce(text) {
  clearTimeout(timer);
  timer = setTimeout(() => (part(document, 'announcer').textContent = text), REST);
}
export const exchanges = new Exchanges();
export const springbar = new Springbar({
  authorize: askForToken,
  environment: { fetch: (url, init) => exchanges.fetch(url, init) },
});
const SHOWN = 6000;
export function exchangeLine(root, exchanges, concerns) {
  const summary = element('summary', {}, element('span', { class: 'quiet' }, 'No request yet'));
  const content = element('div', { class: 'exchange-content' });
  const details = element('details', { class: 'exchange' }, summary, content);
  let shown = null;
  let isAsked = false;
  function draw() {
    isAsked = false;
    summary.replaceChildren(
      element('code', {}, `${shown.method} ${shorter(shown.target)}`),
      element(
        'span',
        { class: shown.status >= 400 || shown.failure ? 'exchange-status is-wrong' : 'exchange-status' },
        outcome(shown),
      ),
    );
    if (details.open) open();
  }
  function open() {
    if (!shown) return content.replaceChildren();
    const { method, path, target, body, answer } = shown;
    const exchange = shown;
    content.replaceChildren(
      element(
        'p',
        { class: 'exchange-actions' },
        copyButton(`the request ${method} ${path} as curl`, () => curl(exchange), 'Copy as curl'),
        element('a', { href: operationLink(exchange) }, 'Open its operation'),
      ),
      element('pre', { tabindex: '0' }, `${method} ${target}${body ? `\n\n${pretty(body).slice(0, SHOWN)}` : ''}`),
      element('pre', { tabindex: '0' }, answer ? pretty(answer).slice(0, SHOWN) : outcome(exchange)),
    );
  }
  details.addEventListener('toggle', open);
  exchanges.observe((exchange) => {
    if (!concerns(exchange) || (shown && exchange.number < shown.number)) return;
    if (exchange.failure === 'cancelled') return;
    shown = exchange;
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(draw);
  });
  root.replaceChildren(details);
}
export function operationLink({ method, path }) {
  return `/docs#${method}${path}`;
}
function outcome({ status, milliseconds, failure }) {
  if (failure) return failure;
  if (status === null) return 'waiting';
  return `${status} · ${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
}
function shorter(target) {
  return target.replace(/[0-9a-f]{24,}/g, (id) => `${id.slice(0, 6)}…`);
}

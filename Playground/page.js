// Made by script/playground from source/app.js source/springs source/bar source/photos of Playground/source, where the comments are.
import { Animation, BarView, VelocityTracker, animateEase, animateSpring, announce, atRest, banded, copyButton, element, exchangeLine, exchanges, figure, hush, look, mix, oncePerFrame, oneAtATime, part, prefersStillness, rovingFocus, show, springbar, svg, unbanded } from '/playground/shared.js';
import { DECELERATION, ImageLoader, Spring } from '/client/springbar.js';
const RATE = DECELERATION.normal;
const LOG = 1000 * Math.log(RATE);
const SLOW = 12;
const BOUNCE = { dampingRatio: 1, response: 0.4 };
export function decelerate(view, velocity, moved) {
  if (view.y !== view.clamped(view.y)) return bounce(view, velocity, moved);
  if (Math.abs(velocity) < SLOW) return null;
  const start = view.y;
  let running = null;
  const glide = new Animation((time) => {
    const speed = velocity * RATE ** (1000 * time);
    const y = start + (speed - velocity) / LOG;
    view.moveTo(y);
    moved();
    if (y === view.clamped(y)) return Math.abs(speed) < SLOW;
    running = bounce(view, speed, moved);
    return true;
  });
  return {
    stop: () => (glide.stop(), running?.stop()),
    get isRunning() {
      return glide.isRunning || Boolean(running?.isRunning);
    },
  };
}
function bounce(view, velocity, moved) {
  const start = view.y;
  const end = view.clamped(start);
  const travel = end - start;
  const spring = { ...BOUNCE, initialVelocity: travel === 0 ? 0 : velocity / travel };
  return animateSpring(spring, (position) => {
    view.moveTo(start + travel * position);
    moved();
  });
}
const SHOWN = 40;
export class EventLog {
  #list;
  #history;
  #onSelect;
  #selected = null;
  #open = new Set();
  update = oncePerFrame(() => this.#draw());
  constructor(list, history, onSelect) {
    this.#list = list;
    this.#history = history;
    this.#onSelect = onSelect;
    rovingFocus(list, 'button');
  }
  select(sequence) {
    this.#selected = sequence;
    this.update();
  }
  #draw() {
    const groups = this.#history.gestures.slice(-SHOWN).reverse();
    const known = new Map([...this.#list.children].map((row) => [row.dataset.key, row]));
    this.#list.replaceChildren(...groups.map((group) => this.#row(group, known)));
  }
  #row({ name, entries }, known) {
    const first = entries[0].sequence;
    const has = (sequence) => sequence !== null && entries.some((entry) => entry.sequence === sequence);
    const isOpen = this.#open.has(first) || has(this.#selected);
    const key = [first, entries.length, isOpen, has(this.#selected) ? this.#selected : ''].join();
    if (known.has(key)) return known.get(key);
    const from = this.#history.barAt(first - 1)?.state.height;
    const to = entries.at(-1).result.state.height;
    const toggle = () => {
      if (entries.length === 1) return this.#onSelect(first);
      if (isOpen) this.#open.delete(first);
      else this.#open.add(first);
      this.#draw();
      this.#list.querySelector(`[data-first="${first}"] > button`)?.focus();
    };
    const head = element(
      'button',
      {
        type: 'button',
        onclick: toggle,
        'aria-expanded': entries.length > 1 ? String(isOpen) : null,
        'aria-current': entries.length === 1 && isOpen ? 'step' : null,
      },
      element(
        'span',
        { class: 'log-number' },
        entries.length > 1 ? `${first}–${entries.at(-1).sequence}` : String(first),
      ),
      element(
        'span',
        { class: 'log-what' },
        entries.length > 1 ? `${name}, ${entries.length} events` : words(entries[0].event),
        outcome(entries),
      ),
      element(
        'span',
        { class: 'log-height' },
        from === undefined || from === to ? figure(to, 1) : `${figure(from, 1)} → ${figure(to, 1)}`,
      ),
    );
    const events = isOpen && entries.length > 1 ? element('ol', {}, entries.map((entry) => this.#event(entry))) : null;
    return element('li', { dataset: { key, first } }, head, events);
  }
  #event({ sequence, event, result }) {
    return element(
      'li',
      { dataset: { sequence } },
      element(
        'button',
        {
          type: 'button',
          onclick: () => this.#onSelect(sequence),
          'aria-current': sequence === this.#selected ? 'step' : null,
        },
        element('span', { class: 'log-number' }, String(sequence)),
        element('span', { class: 'log-what' }, words(event)),
        element('span', { class: 'log-height' }, figure(result.state.height, 1)),
      ),
    );
  }
}
export function words(event) {
  switch (event.type) {
    case 'contentOffset':
      return `offset ${figure(event.contentOffset.y, 1)}`;
    case 'panGesture':
      return `pan ${event.state}${event.velocity?.y ? ` at ${figure(event.velocity.y, 0)} pt/s` : ''}`;
    case 'contentSize':
      return `content ${figure(event.contentSize.height, 0)} pt`;
    case 'frame':
      return `frame ${figure(event.frame.height, 0)} pt`;
    case 'expand':
      return event.on ? 'expand' : 'collapse';
    case 'set':
      return `list ${event.scrollable.id}`;
    default:
      return event.type;
  }
}
function outcome(entries) {
  const snap = entries.findLast(({ result }) => result.explain?.rule === 'snapped');
  const crossing = entries.flatMap(({ result }) => result.crossings ?? []).at(-1);
  if (snap) return element('em', {}, ` snaps${crossing ? ` to ${crossing.to}` : ''}`);
  return crossing ? element('em', {}, ` reaches ${crossing.to}`) : null;
}
export function exported(body, history) {
  const events = history.entries.map(({ event }) => {
    const { sequence, ...rest } = event;
    return rest;
  });
  return { ...body, events };
}
export function download(name, value) {
  const address = URL.createObjectURL(new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
export class Follower {
  #root;
  #connection;
  #exchanges;
  #view;
  #source = null;
  #animation = null;
  #id = null;
  constructor(root, connection, exchanges) {
    this.#root = root;
    this.#connection = connection;
    this.#exchanges = exchanges;
    this.#view = new BarView(part(root, 'bar'));
    document.addEventListener('visibilitychange', () => (document.hidden ? this.#close() : this.#open()));
  }
  follow(id) {
    this.#id = id;
    this.#open();
  }
  #open() {
    this.#close();
    if (this.#id === null) return;
    this.#tell('connecting');
    const address = this.#connection.address(`/v1/bars/${this.#id}/stream`, { commands: true });
    const source = (this.#source = this.#exchanges.stream(address));
    source.addEventListener('state', ({ data }) => this.#show(JSON.parse(data)));
    source.addEventListener('end', ({ data }) => {
      source.close();
      this.#tell(`ended: ${JSON.parse(data).reason}`);
    });
    source.addEventListener(
      'error',
      () => this.#tell(source.readyState === EventSource.CLOSED ? 'lost' : 'reconnecting'),
    );
  }
  #close() {
    this.#source?.close();
    this.#source = null;
  }
  #show(bar) {
    this.#tell('live');
    this.#animation?.stop();
    const from = this.#view.shown;
    const to = look(bar);
    const command = bar.commands?.findLast((one) => one.animated);
    const step = (progress) => this.#view.show(mix(from, to, progress));
    if (!command || !from) this.#view.show(to);
    else if (command.spring) {
      this.#animation = animateSpring({ ...command.spring, initialVelocity: command.spring.relativeVelocity }, step);
    } else this.#animation = animateEase(command.duration, step);
    const reading = part(this.#root, 'follower-height');
    reading.value = String(bar.state.height);
    reading.textContent = figure(bar.state.height, 1);
    this.#root.dataset.revision = String(bar.revision);
  }
  #tell(state) {
    const node = part(this.#root, 'follower-state');
    if (node.textContent !== state) node.textContent = state;
    this.#root.dataset.state = state;
  }
}
const KEPT = 512;
const OVER = new Set(['ended', 'cancelled', 'failed']);
export class History {
  #entries = [];
  created = null;
  onChange = () => {};
  get entries() {
    return this.#entries;
  }
  get first() {
    return this.#entries[0]?.sequence ?? 0;
  }
  get last() {
    return this.#entries.at(-1)?.sequence ?? 0;
  }
  get isComplete() {
    return this.#entries.length === 0 || this.first === 1;
  }
  clear(created) {
    this.created = created;
    this.#entries = [];
    this.onChange();
  }
  add({ answer, events }) {
    const sent = new Map(events.map((event) => [event.sequence, event]));
    for (const result of answer.results) {
      if (result.sequence <= this.last) continue;
      this.#entries.push({ sequence: result.sequence, event: sent.get(result.sequence), result });
    }
    this.#entries.splice(0, this.#entries.length - KEPT);
    this.onChange();
  }
  barAt(sequence) {
    return sequence === 0 ? this.created : this.entry(sequence)?.result;
  }
  entry(sequence) {
    return this.#entries.find((entry) => entry.sequence === sequence);
  }
  offsetAt(sequence) {
    for (let index = this.#entries.length - 1; index >= 0; index -= 1) {
      const { sequence: number, event, result } = this.#entries[index];
      if (number > sequence) continue;
      const command = result.commands.at(-1);
      if (command) return command.y;
      if (event.type === 'contentOffset') return event.contentOffset.y;
      if (event.type === 'set') return event.scrollable.contentOffset.y;
    }
    return null;
  }
  get gestures() {
    const groups = [];
    let isOpen = false;
    for (const entry of this.#entries) {
      const { type, state } = entry.event;
      const isPan = type === 'panGesture';
      const name = isPan || isOpen ? 'Drag' : (NAMES[type]?.(entry.event) ?? type);
      const last = groups.at(-1);
      const joins = last && last.name === name && (isOpen || (name === 'Glide' && type === 'contentOffset'));
      if (joins) last.entries.push(entry);
      else groups.push({ name, entries: [entry] });
      if (isPan) isOpen = !OVER.has(state);
    }
    return groups;
  }
}
const NAMES = {
  contentOffset: () => 'Glide',
  contentSize: () => 'Content grows',
  frame: () => 'Frame changes',
  expand: ({ on }) => (on ? 'Expand' : 'Collapse'),
  set: ({ scrollable }) => `List ${scrollable.id}`,
};
const SAMPLES = 60;
const WIDTH = 120;
const HEIGHT = 24;
export class Latency {
  #root;
  #samples = [];
  #line = svg('polyline', { fill: 'none' });
  constructor(root) {
    this.#root = root;
    const chart = part(root, 'latency-chart');
    chart.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
    chart.append(this.#line);
  }
  add(milliseconds) {
    this.#samples.push(milliseconds);
    if (this.#samples.length > SAMPLES) this.#samples.shift();
    const sorted = [...this.#samples].sort((a, b) => a - b);
    show(part(this.#root, 'latency-last'), milliseconds, milliseconds.toFixed(1));
    show(part(this.#root, 'latency-median'), median(sorted), median(sorted).toFixed(1));
    const top = Math.max(16, sorted.at(-1));
    const points = this.#samples.map(
      (value, index) => `${WIDTH - ((this.#samples.length - 1 - index) / (SAMPLES - 1)) * WIDTH},${HEIGHT - 1 - (value / top) * (HEIGHT - 2)}`,
    );
    this.#line.setAttribute('points', points.join(' '));
  }
}
function median(sorted) {
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
const SLOP = 6;
export class PanGesture {
  #on;
  #pointer = null;
  #startY = 0;
  #isPanning = false;
  #velocity = null;
  constructor(element, on) {
    this.#on = on;
    element.addEventListener('pointerdown', (event) => this.#down(event));
    element.addEventListener('pointermove', (event) => this.#move(event));
    element.addEventListener('pointerup', (event) => this.#up(event));
    element.addEventListener('pointercancel', (event) => this.#cancel(event));
    element.addEventListener('click', (event) => this.#swallow(event), { capture: true });
    element.addEventListener('dragstart', (event) => event.preventDefault());
  }
  get isTouching() {
    return this.#pointer !== null;
  }
  #down(event) {
    if (event.button !== 0 || this.#pointer !== null) return;
    this.#pointer = event.pointerId;
    this.#startY = event.clientY;
    this.#isPanning = false;
    this.#velocity = new VelocityTracker();
    this.#velocity.add(event.timeStamp, event.clientY);
    this.#on.touched();
  }
  #move(event) {
    if (event.pointerId !== this.#pointer) return;
    this.#velocity.add(event.timeStamp, event.clientY);
    if (!this.#isPanning) {
      if (Math.abs(event.clientY - this.#startY) < SLOP) return;
      this.#isPanning = true;
      this.#startY = event.clientY;
      event.currentTarget.setPointerCapture(event.pointerId);
      this.#on.began();
      return;
    }
    this.#on.changed(event.clientY - this.#startY);
  }
  #up(event) {
    if (event.pointerId !== this.#pointer) return;
    this.#pointer = null;
    if (!this.#isPanning) return this.#on.released();
    const [velocity] = this.#velocity.velocity(event.timeStamp);
    this.#on.ended(velocity);
    setTimeout(() => (this.#isPanning = false));
  }
  #cancel(event) {
    if (event.pointerId !== this.#pointer) return;
    this.#pointer = null;
    if (this.#isPanning) this.#on.cancelled();
    else this.#on.released();
    this.#isPanning = false;
  }
  #swallow(event) {
    if (!this.#isPanning) return;
    event.preventDefault();
    event.stopPropagation();
  }
}
export class ScrollView {
  #scroller;
  #content;
  #y = 0;
  #inset = { top: 0, bottom: 0 };
  #frame = { width: 0, height: 0 };
  #size = { width: 0, height: 0 };
  #writtenTop = 0;
  id;
  onForeignScroll = () => {};
  onResize = () => {};
  constructor(id, scroller, content) {
    this.id = id;
    this.#scroller = scroller;
    this.#content = content;
    this.measure();
    scroller.addEventListener('scroll', () => this.#readBack(), { passive: true });
    const observer = new ResizeObserver(() => {
      const change = this.measure();
      if (change.size || change.frame) this.onResize(change);
    });
    observer.observe(scroller);
    observer.observe(content);
  }
  get element() {
    return this.#scroller;
  }
  get y() {
    return this.#y;
  }
  get size() {
    return this.#size;
  }
  get frame() {
    return { x: 0, y: 0, ...this.#frame };
  }
  get minimumY() {
    return -this.#inset.top;
  }
  get maximumY() {
    return Math.max(this.minimumY, this.#size.height + this.#inset.bottom - this.#frame.height);
  }
  get scrollable() {
    return {
      id: this.id,
      contentOffset: { x: 0, y: this.#y },
      contentSize: this.#size,
      frame: this.frame,
      contentInset: { top: this.#inset.top, left: 0, bottom: this.#inset.bottom, right: 0 },
    };
  }
  measure() {
    const size = { width: this.#content.offsetWidth, height: this.#content.offsetHeight };
    const frame = { width: this.#scroller.clientWidth, height: this.#scroller.clientHeight };
    if (frame.height === 0) return { size: false, frame: false };
    const change = { size: !isSame(size, this.#size), frame: !isSame(frame, this.#frame) };
    this.#size = size;
    this.#frame = frame;
    return change;
  }
  setInset({ top, bottom }) {
    if (top === this.#inset.top && bottom === this.#inset.bottom) return;
    this.#inset = { top, bottom };
    this.#scroller.style.paddingTop = `${top}px`;
    this.#scroller.style.paddingBottom = `${bottom}px`;
    this.moveTo(this.#y);
  }
  moveTo(y) {
    this.#y = y;
    const inside = this.clamped(y);
    this.#scroller.scrollTop = inside - this.minimumY;
    this.#writtenTop = this.#scroller.scrollTop;
    const beyond = y - inside;
    this.#content.style.transform = beyond === 0 ? '' : `translateY(${-beyond}px)`;
  }
  clamped(y) {
    return Math.min(this.maximumY, Math.max(this.minimumY, y));
  }
  #readBack() {
    const top = this.#scroller.scrollTop;
    if (Math.abs(top - this.#writtenTop) < 1) return;
    this.#writtenTop = top;
    this.#y = top + this.minimumY;
    this.#content.style.transform = '';
    this.onForeignScroll(this.#y);
  }
}
function isSame(a, b) {
  return a.width === b.width && a.height === b.height;
}
const HEIGHTS = ['compactStateHeight', 'normalStateHeight', 'expandedStateHeight'];
export class Settings {
  #form;
  #onChange;
  constructor(form, onChange) {
    this.#form = form;
    this.#onChange = onChange;
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('input', (event) => this.#follow(event.target));
    form.addEventListener('change', () => this.#onChange(this.value));
    for (const name of HEIGHTS) this.#tell(name);
  }
  get value() {
    const form = new FormData(this.#form);
    const configuration = Object.fromEntries(HEIGHTS.map((name) => [name, Number(form.get(name))]));
    const options = { snap: form.get('snap') };
    if (options.snap === 'projected') {
      options.decelerationRate = form.get('decelerationRate');
      options.snapSequential = form.has('snapSequential');
    }
    for (const name of ['snapOnCancel', 'clampTargets']) if (form.has(name)) options[name] = true;
    if (form.has('resistance')) options.resistance = { dimension: 200, constant: 0.55 };
    const fixes = form.getAll('fixes');
    if (fixes.length > 0) options.fixes = fixes;
    return { configuration, feedback: form.get('feedback'), options };
  }
  #follow(input) {
    const moved = HEIGHTS.indexOf(input.name);
    if (moved < 0) return;
    HEIGHTS.forEach((name, index) => {
      const other = this.#form.elements[name];
      if (index < moved) other.value = String(Math.min(Number(other.value), Number(input.value)));
      if (index > moved) other.value = String(Math.max(Number(other.value), Number(input.value)));
      this.#tell(name);
    });
  }
  #tell(name) {
    this.#form.querySelector(`output[for="${name}"]`).textContent = this.#form.elements[name].value;
  }
}
export class Tabs {
  #tabs;
  #onSelect;
  constructor(root, onSelect) {
    this.#tabs = [...root.querySelectorAll('[role="tab"]')];
    this.#onSelect = onSelect;
    for (const tab of this.#tabs) {
      tab.addEventListener('click', () => this.select(tab));
      tab.addEventListener('keydown', (event) => this.#key(event, tab));
    }
  }
  select(tab) {
    for (const other of this.#tabs) {
      other.setAttribute('aria-selected', String(other === tab));
      other.tabIndex = other === tab ? 0 : -1;
    }
    this.#onSelect(tab.dataset.list);
  }
  #key(event, tab) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = this.#tabs.at((this.#tabs.indexOf(tab) + step) % this.#tabs.length);
    next.focus();
    this.select(next);
  }
}
const LONGEST = 0.4;
const REST = 120;
export class TimeTravel {
  #root;
  #connection;
  #phone;
  #history;
  #slider;
  #presentY = 0;
  #playing = 0;
  #at = null;
  #confirm = oneAtATime((sequence) => this.#compare(sequence));
  #confirmSoon = atRest(REST, () => this.#at !== null && this.#confirm(this.#at).catch((problem) => this.#tell(problem.message)));
  onTravel = () => {};
  constructor(root, connection, phone, history) {
    this.#root = root;
    this.#connection = connection;
    this.#phone = phone;
    this.#history = history;
    this.#slider = part(root, 'moment');
    this.#slider.addEventListener('input', () => this.go(Number(this.#slider.value)));
    part(root, 'now').addEventListener('click', () => this.leave());
    part(root, 'step-back').addEventListener('click', () => this.go((this.#at ?? history.last) - 1));
    part(root, 'step-on').addEventListener('click', () => this.go((this.#at ?? history.last) + 1));
    part(root, 'replay').addEventListener('click', () => (this.#playing ? this.#pause() : this.#play()));
    this.update();
  }
  go(sequence, isPlaying = false) {
    if (!isPlaying) this.#pause();
    if (sequence >= this.#history.last) return this.leave();
    const bar = this.#history.barAt(sequence);
    if (!bar) return;
    if (this.#at === null) this.#presentY = this.#phone.list.y;
    this.#at = sequence;
    this.#phone.showPast(bar, this.#history.offsetAt(sequence));
    this.update();
    this.#tell(`Event ${sequence} of ${this.#history.last}: height ${figure(bar.state.height)}`);
    this.onTravel(sequence, bar);
    this.#confirmSoon();
  }
  leave() {
    this.#pause();
    if (this.#at === null) return;
    this.#at = null;
    this.#phone.showPresent(this.#presentY);
    this.update();
    this.onTravel(null, null);
  }
  update() {
    const { first, last } = this.#history;
    this.#slider.min = String(Math.max(0, first - 1));
    this.#slider.max = String(last);
    this.#slider.value = String(this.#at ?? last);
    this.#slider.setAttribute('aria-valuetext', this.#at === null ? 'now' : `event ${this.#at} of ${last}`);
    for (const role of ['moment', 'replay', 'step-back', 'step-on']) part(this.#root, role).disabled = last === 0;
    part(this.#root, 'now').disabled = this.#at === null;
    this.#root.classList.toggle('is-past', this.#at !== null);
    if (this.#at === null) this.#tell(last === 0 ? 'Nothing has happened yet.' : `Now, after ${last} events`);
  }
  async #compare(sequence) {
    const bar = await this.#connection.get(`/v1/bars/${this.#phone.bar.id}/states`, { at: sequence });
    if (this.#at !== sequence || this.#playing) return;
    const shown = this.#history.barAt(sequence).state.height;
    const isSame = bar.state.height === shown;
    this.#tell(`Event ${sequence} of ${this.#history.last}: height ${figure(bar.state.height)}${isSame ? ', confirmed by replay' : `, shown as ${figure(shown)}`}`);
    announce(part(this.#root, 'moment-text').textContent);
  }
  #play() {
    const { first, last } = this.#history;
    this.go(this.#at === null ? Math.max(0, first - 1) : this.#at, true);
    part(this.#root, 'replay').textContent = 'Pause';
    const next = () => {
      const from = this.#at;
      if (from === null || from >= last - 1) return this.leave();
      const [one, two] = [from, from + 1].map((sequence) => this.#history.entry(sequence)?.event.timestamp);
      const wait = one === undefined ? 0 : Math.min(LONGEST, Math.max(0, two - one));
      this.#playing = setTimeout(() => {
        this.go(from + 1, true);
        next();
      }, wait * 1000);
    };
    next();
  }
  #pause() {
    clearTimeout(this.#playing);
    this.#playing = 0;
    part(this.#root, 'replay').textContent = 'Play';
  }
  #tell(text) {
    const node = part(this.#root, 'moment-text');
    if (node.textContent !== text) node.textContent = text;
  }
}
export const tracks = {
  'background.alpha': { compactNormalRange: { range: [0, 1] }, normalExpandedRange: { value: 1 } },
  'search.alpha': { compactNormalRange: { range: [-0.6, 1] }, normalExpandedRange: { range: [1, -1] } },
  'search.shift': { compactNormalRange: { range: [-18, 0] }, normalExpandedRange: { range: [0, 22] } },
  'rows.alpha': { compactNormalRange: { value: 0 }, normalExpandedRange: { range: [-0.7, 1] } },
  'rows.shift': { compactNormalRange: { value: -26 }, normalExpandedRange: { range: [-26, 0] } },
  'shadow.alpha': { keyframes: [{ progress: 0, value: 1 }, { progress: 0.5, value: 0.2 }, { progress: 1, value: 0 }] },
};
const WHEEL_QUIET = 140;
const LINE = 16;
const SHARE = 0.35;
export class WheelGesture {
  #on;
  #pending = 0;
  #lastNotch = 0;
  #frame = 0;
  constructor(element, on) {
    this.#on = on;
    element.addEventListener('wheel', (event) => this.#turn(event), { passive: false });
  }
  #turn(event) {
    if (event.ctrlKey || event.deltaY === 0) return;
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE;
    const isRunning = this.#frame !== 0;
    if (!isRunning && !this.#on.wants(Math.sign(event.deltaY))) return;
    event.preventDefault();
    if (!isRunning) {
      this.#on.began();
      this.#frame = requestAnimationFrame((now) => this.#step(now));
    }
    this.#pending += event.deltaY * unit;
    this.#lastNotch = performance.now();
  }
  #step(now) {
    const distance = Math.abs(this.#pending) < 1 ? this.#pending : this.#pending * SHARE;
    this.#pending -= distance;
    if (distance !== 0) this.#on.moved(distance);
    if (this.#pending === 0 && now - this.#lastNotch > WHEEL_QUIET) {
      this.#frame = 0;
      return this.#on.ended();
    }
    this.#frame = requestAnimationFrame((next) => this.#step(next));
  }
  get isRunning() {
    return this.#frame !== 0;
  }
  stop() {
    this.#pending = 0;
  }
}
const ASPECTS = { least: 0.8, most: 1.8 };
export function photoCell(photo, { onOpen, onRetry }) {
  const image = element('img', {
    class: 'photo-image',
    alt: '',
    decoding: 'async',
    dataset: { state: 'waiting' },
  });
  const frame = element('span', { class: 'photo-frame' }, likeness(photo), image);
  frame.style.aspectRatio = String(Math.min(ASPECTS.most, Math.max(ASPECTS.least, photo.aspectRatio)));
  frame.style.backgroundColor = photo.color ?? '';
  const open = element(
    'button',
    { type: 'button', class: 'photo-open', onclick: () => onOpen(photo) },
    frame,
    element('span', { class: 'photo-text', lang: '' }, photo.description),
    element('span', { class: 'photo-by' }, photo.user.name),
  );
  const retry = element(
    'button',
    { type: 'button', class: 'photo-retry', onclick: () => onRetry(image) },
    'The picture did not load. Try again',
  );
  return { cell: element('li', { class: 'photo', dataset: { id: photo.id } }, open, retry), image };
}
export function likeness(photo) {
  return element('img', { class: 'photo-likeness', src: photo.placeholder, alt: '', 'aria-hidden': 'true' });
}
const PAUSE = 350;
export class SearchForm {
  #fields;
  #subjects;
  #filters;
  #timer = 0;
  #onChange;
  #last = '{}';
  constructor(device, onChange) {
    this.#onChange = onChange;
    this.#fields = [part(device, 'query'), part(device, 'query-large')];
    this.#filters = [part(device, 'orientation'), part(device, 'color')];
    this.#subjects = [...device.querySelectorAll('[data-subject]')];
    for (const field of this.#fields) {
      field.addEventListener('input', () => this.#type(field.value));
      field.form.addEventListener('submit', (event) => {
        event.preventDefault();
        this.#apply();
      });
    }
    for (const filter of this.#filters) filter.addEventListener('change', () => this.#apply());
    for (const subject of this.#subjects) subject.addEventListener('click', () => this.#choose(subject));
  }
  #type(text) {
    for (const field of this.#fields) if (field.value !== text) field.value = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#apply(), PAUSE);
  }
  #choose(subject) {
    const isChosen = subject.getAttribute('aria-pressed') === 'true';
    this.#type(isChosen ? '' : subject.dataset.subject);
    this.#apply();
  }
  #apply() {
    clearTimeout(this.#timer);
    const query = this.#fields[0].value.trim();
    const [orientation, color] = this.#filters.map((filter) => filter.value || undefined);
    for (const filter of this.#filters) filter.disabled = query === '';
    for (const subject of this.#subjects) {
      subject.setAttribute('aria-pressed', String(subject.dataset.subject === query.toLowerCase()));
    }
    const source = query ? { query, orientation, color } : {};
    if (JSON.stringify(source) === this.#last) return;
    this.#last = JSON.stringify(source);
    this.#onChange(source);
  }
}
const PERIOD = 5000;
const LINGER = 400;
const UPSTREAM = { ok: 'answers', degraded: 'fails at times', down: 'does not answer' };
export class StatusLine {
  #root;
  #springbar;
  #timer = 0;
  constructor(document, springbar) {
    this.#root = part(document, 'status');
    this.#springbar = springbar;
    document.addEventListener('visibilitychange', () => (document.hidden ? clearTimeout(this.#timer) : this.refresh()));
    this.refresh();
  }
  noteGivenUp() {
    this.#schedule(LINGER);
  }
  tellStale(ageSeconds) {
    part(document, 'stale').textContent = `These photos are ${Math.round(ageSeconds / 60)} minutes old.`;
  }
  async refresh() {
    clearTimeout(this.#timer);
    try {
      const { photos, bars } = await this.#springbar.status();
      const { budget, imageCache, imageLoads } = photos;
      this.#tell('library', photos.library);
      this.#tell('upstream', UPSTREAM[photos.upstream] ?? photos.upstream);
      this.#tell('budget', `${budget.remaining} of ${budget.limit}`);
      part(this.#root, 'budget').title = `Resets in ${Math.ceil(budget.resetsInSeconds / 60)} min`;
      this.#tell('kept', `${imageCache.entries} (${figure(imageCache.bytes / 1e6, 1)} MB)`);
      this.#tell('hits', `${imageCache.hits} of ${imageCache.hits + imageCache.misses}`);
      this.#tell('given-up', String(imageLoads.cancelled));
      this.#tell('sessions', String(bars.sessions));
    } catch (error) {
      this.#tell('upstream', error.status === 0 ? 'unknown: the service does not answer' : error.message);
    }
    this.#schedule();
  }
  #schedule(delay = PERIOD) {
    clearTimeout(this.#timer);
    if (!document.hidden) this.#timer = setTimeout(() => this.refresh(), delay);
  }
  #tell(role, text) {
    part(this.#root, role).textContent = text;
  }
}
const TURN = 2 * Math.PI;
const held = (value, least, most) => Math.min(most, Math.max(least, value));
const ratioResponse = {
  read: ({ dampingRatio, response }) => [dampingRatio, response],
  write: (dampingRatio, response) => ({ dampingRatio, response }),
};
function physicalOf({ mass = 1, stiffness, damping, allowOverDamping = true }) {
  const ratio = damping / (2 * Math.sqrt(stiffness) * Math.sqrt(mass));
  const snapped = Math.abs(ratio - 1) <= 4 * Number.EPSILON ? 1 : ratio;
  return [allowOverDamping ? snapped : Math.min(snapped, 1), TURN / Math.sqrt(stiffness / mass)];
}
const physical = {
  read: physicalOf,
  write: (ratio, response, { mass = 1 } = {}) => {
    const frequency = TURN / response;
    return { stiffness: mass * frequency ** 2, damping: 2 * ratio * mass * frequency };
  },
};
const capped = {
  ...physical,
  read: ({ allowOverDamping = false, ...rest }) => physicalOf({ ...rest, allowOverDamping }),
};
const ratioOf = (bounce) => (bounce >= 0 ? 1 - bounce : 1 / (1 + bounce));
const bounceOf = (ratio) => (ratio <= 1 ? 1 - ratio : 1 / ratio - 1);
const durationBounce = (name, unit, defaults = {}) => ({
  read: (given) => {
    const { [name]: duration, bounce = 0 } = { ...defaults, ...given };
    return [ratioOf(bounce), duration * unit];
  },
  write: (ratio, response) => ({ [name]: response / unit, bounce: bounceOf(ratio) }),
});
const stiffnessRatio = (name, defaults = {}) => ({
  read: (given) => {
    const { stiffness, mass = 1, [name]: ratio = 1 } = { ...defaults, ...given };
    return [ratio, TURN / Math.sqrt(stiffness / mass)];
  },
  write: (ratio, response, { mass = 1 } = {}) => ({ stiffness: mass * (TURN / response) ** 2, [name]: ratio }),
});
function envelopePhase(ratio, threshold) {
  if (ratio < 1) return Math.log(ratio / Math.sqrt((1 - ratio) * (1 + ratio)) / threshold) / ratio;
  let [low, high] = [0, 1000];
  for (let step = 0; step < 100; step += 1) {
    const middle = (low + high) / 2;
    if (Math.log1p(middle) - middle > Math.log(threshold)) low = middle;
    else high = middle;
  }
  return high;
}
function energyPhase(ratio) {
  let [low, high] = [0, 100];
  for (let step = 0; step < 100; step += 1) {
    const s = (low + high) / 2;
    if (Math.log((1 + s) * (1 + s) + ratio * ratio * s * s) - 2 * s > Math.log(6e-9)) low = s;
    else high = s;
  }
  return high;
}
const tensionStiffness = (tension) => 3.62 * (tension - 30) + 194;
const frictionDamping = (friction) => Math.max(0, 3 * (friction - 8) + 25);
const unitMass = (stiffness, damping) => physicalOf({ stiffness, damping });
function frictionWithoutBounce(x) {
  if (x <= 18) return ((0.0007 * x - 0.031) * x + 0.64) * x + 1.28;
  if (x <= 44) return ((0.000044 * x - 0.006) * x + 0.36) * x + 2;
  return ((0.00000045 * x - 0.000332) * x + 0.1078) * x + 5.84;
}
const conventions = {
  wwdc: ratioResponse,
  'swiftui.response': ratioResponse,
  physical,
  uikit: physical,
  'swiftui.physical': capped,
  'flutter.physical': physical,
  'motion.physical': { ...physical, read: (given) => physicalOf({ stiffness: 100, damping: 10, ...given }) },
  'reactnative.physical': { ...physical, read: (given) => physicalOf({ stiffness: 100, damping: 10, ...given }) },
  'reanimated.physical': {
    read: (given) => physicalOf({ mass: 4, stiffness: 900, damping: 120, ...given }),
    write: (ratio, response, { mass = 4 } = {}) => ({ mass, ...physical.write(ratio, response, { mass }) }),
  },
  'reactspring.tensionFriction': {
    read: ({ tension, friction, mass }) => physicalOf({ mass, stiffness: tension, damping: friction }),
    write: (ratio, response, given) => {
      const { stiffness, damping } = physical.write(ratio, response, given);
      return { tension: stiffness, friction: damping };
    },
  },
  'reactspring.frequency': {
    read: ({ frequency, damping = 1 }) => [damping, Math.max(0.01, frequency)],
    write: (ratio, response) => ({ frequency: response, damping: ratio }),
  },
  'swiftui.durationBounce': durationBounce('duration', 1),
  'coreanimation.perceptualDurationBounce': durationBounce('duration', 1),
  'anime.durationBounce': durationBounce('durationMs', 1e-3, { durationMs: 628, bounce: 0.5 }),
  'flutter.durationBounce': {
    read: ({ duration = 0.5, bounce = 0 }) => [ratioOf(bounce), Math.floor(duration * 1000 + 1e-9) / 1000],
    write: (ratio, response) => ({ duration: Math.max(1, Math.round(response * 1000)) / 1000, bounce: bounceOf(ratio) }),
  },
  android: stiffnessRatio('dampingRatio'),
  compose: stiffnessRatio('dampingRatio', { stiffness: 1500 }),
  'flutter.dampingRatio': stiffnessRatio('ratio'),
  'motion.visualDurationBounce': {
    read: ({ visualDuration, bounce = 0.3 }) => [held(1 - bounce, 0.05, 1), 1.2 * visualDuration],
    write: (ratio, response) => ({ visualDuration: response / 1.2, bounce: 1 - held(ratio, 0.05, 1) }),
  },
  'motion.durationBounce': {
    read: ({ durationMs = 800, bounce = 0.3 }) => {
      const ratio = held(1 - bounce, 0.05, 1);
      return [ratio, (TURN * held(durationMs, 10, 10_000)) / 1000 / envelopePhase(ratio, 0.001)];
    },
  },
  'reanimated.durationRatio': {
    read: ({ durationMs = 550, dampingRatio = 1 }) => {
      const frequency = energyPhase(dampingRatio) / ((1.5 * durationMs * dampingRatio) / 1000);
      return [dampingRatio, TURN / Math.min(frequency, Math.sqrt(2000))];
    },
  },
  'swiftui.settlingDuration': {
    read: ({ settlingDuration, dampingRatio, epsilon = 0.001 }) => {
      const ratio = Math.min(dampingRatio, 1);
      return [ratio, (TURN * held(settlingDuration, 0.01, 10)) / envelopePhase(ratio, epsilon)];
    },
  },
  origami: { read: ({ tension = 40, friction = 7 }) => unitMass(tensionStiffness(tension), frictionDamping(friction)) },
  'reactnative.bouncinessSpeed': {
    read: ({ bounciness = 8, speed = 12 }) => {
      const tension = 0.5 + (speed / 34) * 199.5;
      const left = 1 - (0.8 * bounciness) / 34;
      const friction = 0.01 + left * left * (frictionWithoutBounce(tension) - 0.01);
      return unitMass(tensionStiffness(tension), frictionDamping(friction));
    },
  },
};
export function meaning({ convention, parameters }) {
  const [dampingRatio, response] = conventions[convention]?.read(parameters) ?? [];
  const isSpring = dampingRatio >= 0 && dampingRatio <= 100 && response >= TURN * 1e-5 && response <= TURN * 1e4;
  return isSpring ? { dampingRatio, response } : null;
}
export function written(convention, { dampingRatio, response }, given) {
  const parameters = conventions[convention]?.write?.(dampingRatio, response, given);
  return parameters ? { ...given, ...rounded(parameters) } : null;
}
export function rounded(parameters) {
  return Object.fromEntries(
    Object.entries(parameters).map(
      ([name, value]) => [name, typeof value === 'number' ? Number(value.toPrecision(12)) : value],
    ),
  );
}
const PROPERTIES = { x: 'transform', scale: 'scale', opacity: 'opacity', rotate: 'rotate' };
export function cssRule({ css, fallback, duration }, look) {
  const time = `${Math.round(duration * 1000)}ms`;
  const property = PROPERTIES[look];
  return [
    '.element {',
    `  transition: ${property} ${time} ${fallback};`,
    '}',
    '@supports (transition-timing-function: linear(0, 1)) {',
    '  .element {',
    `    transition: ${property} ${time} ${css};`,
    '  }',
    '}',
  ].join('\n');
}
const [PER_PERIOD, LEAST, MOST] = [28, 240, 12_000];
export class Curve {
  constructor({ dampingRatio, response }, initialVelocity = 0, epsilon = 0.001) {
    this.spring = new Spring({ dampingRatio, response, initialVelocity });
    this.initialVelocity = initialVelocity;
    this.settlingTime = this.spring.settlingTime(epsilon);
    this.peak = peak(this.spring);
  }
  get overshoot() {
    return this.peak ? this.peak.position - 1 : 0;
  }
  get regime() {
    const { dampingRatio } = this.spring;
    if (dampingRatio === 0) return 'undamped';
    return dampingRatio < 1 ? 'underdamped' : dampingRatio === 1 ? 'critically damped' : 'overdamped';
  }
  at(time) {
    return this.spring.at(time);
  }
  samples(duration) {
    const { dampingRatio, response } = this.spring;
    const periods = dampingRatio < 1 ? duration / response : 0;
    const count = Math.round(Math.min(MOST, Math.max(LEAST, periods * PER_PERIOD)));
    return Array.from({ length: count + 1 }, (_, index) => {
      const time = (duration * index) / count;
      return [time, this.spring.position(time)];
    });
  }
  distance(other) {
    const duration = Math.min(60, Math.max(this.settlingTime ?? 20, other.settlingTime ?? 20));
    const away = (time) => Math.abs(this.spring.position(time) - other.spring.position(time));
    const steps = 4000;
    let best = 0;
    for (let index = 1; index <= steps; index += 1) {
      if (away((duration * index) / steps) > away((duration * best) / steps)) best = index;
    }
    let [low, high] = [Math.max(0, best - 1), best + 1].map((index) => (duration * index) / steps);
    while (high - low > 1e-12 * duration) {
      const [left, right] = [low + (high - low) / 3, high - (high - low) / 3];
      if (away(left) < away(right)) low = left;
      else high = right;
    }
    return { maxDistance: away(low), time: low };
  }
}
function peak(spring) {
  const { dampingRatio: ratio, naturalFrequency: frequency, initialVelocity } = spring;
  const root = Math.sqrt(Math.abs((1 - ratio) * (1 + ratio)));
  const split = frequency * root;
  const times = [];
  if (ratio < 1) {
    const interval = Math.PI / split;
    const angle = Math.atan2(-initialVelocity * split, frequency * (frequency - ratio * initialVelocity));
    const first = angle < 0 ? angle / split + interval : angle / split;
    times.push(first, first + interval, first + 2 * interval);
  } else {
    const q = -initialVelocity / (frequency * (frequency - (ratio + root) * initialVelocity));
    if (q > 0 && 2 * split * q < 1) times.push(split > 0 ? -Math.log1p(-2 * split * q) / (2 * split) : q);
  }
  for (const time of times) {
    const position = spring.position(time);
    if (time > 0 && position > 1) return { time, position };
  }
  return null;
}
const LOOKS = {
  x: (position, way) => ({ transform: `translateX(${position * way}px)` }),
  scale: (position, way) => ({ transform: `translateX(${way / 2}px) scale(${0.35 + 0.65 * position})` }),
  opacity: (position, way) => ({ transform: `translateX(${way / 2}px)`, opacity: String(Math.min(1, Math.max(0.06, position))) }),
  rotate: (position, way) => ({ transform: `translateX(${way / 2}px) rotate(${position * 180}deg)` }),
};
export class Movers {
  #lanes;
  #curves = {};
  #animation = null;
  #isAway = false;
  look = 'x';
  speed = 1;
  onTime = () => {};
  constructor(lanes) {
    this.#lanes = lanes;
    for (const lane of Object.values(lanes)) new ResizeObserver(() => this.#rest()).observe(lane);
  }
  set curves(curves) {
    this.#curves = curves;
    for (const [name, lane] of Object.entries(this.#lanes)) lane.hidden = !curves[name];
  }
  play(isAsked) {
    this.#animation?.stop();
    if (prefersStillness() && !isAsked) return this.#rest();
    this.#isAway = !this.#isAway;
    const curves = Object.entries(this.#curves).filter(([, curve]) => curve);
    const end = Math.max(...curves.map(([, curve]) => curve.settlingTime ?? 6 * curve.spring.response));
    const mine = (this.#animation = new Animation((seconds) => {
      const time = seconds * this.speed;
      const isOver = time >= end;
      for (const [name, curve] of curves) this.#draw(name, isOver ? 1 : curve.at(time).position);
      this.onTime(isOver ? null : time);
      return isOver;
    }));
    mine.finished.then((hasArrived) => hasArrived || this.#animation !== mine || this.onTime(null));
  }
  rest() {
    this.#animation?.stop();
    this.onTime(null);
    this.#rest();
  }
  #rest() {
    if (this.#animation?.isRunning) return;
    for (const name of Object.keys(this.#lanes)) this.#draw(name, 1);
  }
  #draw(name, position) {
    const lane = this.#lanes[name];
    const thing = lane.firstElementChild;
    const way = Math.max(0, lane.clientWidth - thing.offsetWidth);
    const shown = this.#isAway ? position : 1 - position;
    Object.assign(thing.style, { opacity: '', ...LOOKS[this.look](shown, way) });
  }
}
export function readNumber(text, name, limits) {
  const trimmed = text.trim().replace('−', '-');
  if (trimmed === '') return { error: `${name} is missing.` };
  const plain = /^[+-]?\d*,\d+$/.test(trimmed) ? trimmed.replace(',', '.') : trimmed;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return { error: `${name} must be a number, such as 0.6.` };
  const value = Number(plain);
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = limits;
  if (value < minimum || value <= exclusiveMinimum) {
    return {
      error: `${name} must be ${exclusiveMinimum === undefined ? `at least ${minimum}` : `more than ${exclusiveMinimum}`}.`,
    };
  }
  if (value > maximum || value >= exclusiveMaximum) {
    return {
      error: `${name} must be ${exclusiveMaximum === undefined ? `at most ${maximum}` : `less than ${exclusiveMaximum}`}.`,
    };
  }
  return { value };
}
export function shortened(value) {
  return value === undefined ? '' : String(Number(Number(value).toPrecision(6)));
}
const PLATFORMS = {
  wwdc: 'WWDC 2018',
  physical: 'Physics',
  uikit: 'UIKit',
  swiftui: 'SwiftUI',
  coreanimation: 'Core Animation',
  android: 'Android',
  compose: 'Jetpack Compose',
  flutter: 'Flutter',
  reactspring: 'react-spring',
  motion: 'Motion',
  reactnative: 'React Native',
  origami: 'Origami, Rebound',
  reanimated: 'Reanimated',
  anime: 'anime.js',
};
export function platformOf(id) {
  const [prefix] = id.split('.');
  return PLATFORMS[prefix] ?? prefix;
}
const PAD = { left: 10, right: 14, top: 34, bottom: 30 };
const VISIBLE = 0.004;
export class Plot {
  #root;
  #width = 0;
  #height = 0;
  #content = null;
  #scale = null;
  #drag = null;
  #marks = svg('g', {});
  #head = svg('g', { class: 'plot-head', visibility: 'hidden' });
  #hover = svg('g', { class: 'plot-hover', visibility: 'hidden' });
  #handle = svg('circle', { class: 'plot-handle', r: 9, visibility: 'hidden' });
  onHover = () => {};
  onHandle = () => {};
  constructor(root) {
    this.#root = root;
    root.append(this.#marks, this.#hover, this.#head, this.#handle);
    root.addEventListener('pointermove', (event) => this.#move(event));
    root.addEventListener('pointerleave', () => this.#leave());
    this.#handle.addEventListener('pointerdown', (event) => this.#grab(event));
    for (const type of ['pointerup', 'pointercancel']) root.addEventListener(type, () => this.#release());
    new ResizeObserver(() => this.#measure()).observe(root.parentElement);
  }
  get duration() {
    return this.#scale?.end ?? 1;
  }
  show(curves, canHandle) {
    this.#content = { curves, canHandle };
    this.#root.classList.remove('is-stale');
    this.#draw();
  }
  fade() {
    this.#root.classList.add('is-stale');
    this.#handle.setAttribute('visibility', 'hidden');
  }
  play(time) {
    this.#place(this.#head, time);
  }
  #measure() {
    const width = Math.max(240, this.#root.parentElement.clientWidth);
    const height = this.#root.parentElement.clientHeight;
    if (width === this.#width && height === this.#height) return;
    [this.#width, this.#height] = [width, height];
    this.#root.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.#draw();
  }
  #draw() {
    if (!this.#content || this.#width === 0) return;
    const { curves, canHandle } = this.#content;
    if (!this.#drag) this.#scale = this.#scaleFor(curves);
    const { end, peak, low } = this.#scale;
    const { x, y } = this;
    const rest = [0, 1].map((value) =>
      svg(
        'line',
        {
          class: value ? 'plot-target' : 'plot-rest',
          x1: PAD.left,
          x2: this.#width - PAD.right,
          y1: y(value),
          y2: y(value),
        },
      ),
    );
    this.#marks.replaceChildren(
      ...rest,
      ...ticks(end).map((time) => label(`${figure(time, 2)} s`, x(time), this.#height - 8, 'plot-tick', 'middle')),
      ...curves.flatMap((one, index) => this.#curve(one, index, curves.length)),
    );
    this.#root.dataset.range = `${low} ${peak}`;
    const handle = canHandle ? handlePoint(curves.at(-1).curve) : null;
    this.#handle.setAttribute('visibility', handle ? 'visible' : 'hidden');
    if (handle) {
      this.#handle.setAttribute('cx', x(handle.time));
      this.#handle.setAttribute('cy', y(handle.position));
    }
  }
  #scaleFor(curves) {
    const longest = Math.max(...curves.map(({ curve }) => curve.settlingTime ?? 8 * curve.spring.response));
    const end = Math.min(60, Math.max(0.1, longest * 1.18));
    const peaks = curves.map(({ curve }) => curve.peak?.position ?? 1);
    const lows = curves.map(
      ({ curve }) => (curve.initialVelocity < 0 ? Math.min(...curve.samples(end).map(([, at]) => at)) : 0),
    );
    return { end, peak: Math.max(1.08, ...peaks), low: Math.min(0, ...lows) };
  }
  x = (time) => PAD.left + (time / this.#scale.end) * (this.#width - PAD.left - PAD.right);
  y = (value) => {
    const { peak, low } = this.#scale;
    return PAD.top + ((peak - value) / (peak - low)) * (this.#height - PAD.top - PAD.bottom);
  };
  #curve({ name, curve }, index, count) {
    const { end } = this.#scale;
    const points = thinned(curve.samples(end).map(([time, value]) => [this.x(time), this.y(value)]), this.#width);
    const parts = [svg('polyline', { class: `plot-curve is-${name}`, points: points.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(' '), fill: 'none' })];
    const { settlingTime, overshoot } = curve;
    if (settlingTime !== null && settlingTime <= end) {
      const at = this.x(settlingTime);
      const isLate = at > this.#width - 110;
      const line = this.y(0) - 8 - (count - 1 - index) * 18;
      parts.push(
        svg('line', { class: `plot-settled is-${name}`, x1: at, x2: at, y1: this.y(1), y2: this.#height - PAD.bottom }),
        label(
          `settles ${figure(settlingTime, 3)} s`,
          at + (isLate ? -6 : 6),
          line,
          `plot-mark is-${name}`,
          isLate ? 'end' : 'start',
        ),
      );
    }
    if (overshoot > 0.002) {
      const { time, position } = curve.peak;
      parts.push(
        label(
          `+${figure(overshoot * 100, 1)} %`,
          this.x(time) + 14,
          this.y(position) - 8,
          `plot-mark is-${name}`,
          'start',
        ),
      );
    }
    return parts;
  }
  #place(group, time) {
    if (time === null || !this.#scale) return group.setAttribute('visibility', 'hidden');
    const x = this.x(Math.min(time, this.#scale.end));
    const dots = this.#content.curves.map(({ name, curve }) =>
      svg('circle', { class: `plot-dot is-${name}`, cx: x, cy: this.y(curve.at(time).position), r: 4.5 }),
    );
    group.replaceChildren(svg('line', { x1: x, x2: x, y1: PAD.top - 12, y2: this.#height - PAD.bottom }), ...dots);
    group.setAttribute('visibility', 'visible');
  }
  #at(event) {
    const box = this.#root.getBoundingClientRect();
    const share = (event.clientX - box.left - PAD.left) / (box.width - PAD.left - PAD.right);
    const { end, peak, low } = this.#scale;
    const inner = this.#height - PAD.top - PAD.bottom;
    return {
      time: Math.max(0, share) * end,
      position: peak - ((event.clientY - box.top - PAD.top) / inner) * (peak - low),
    };
  }
  #move(event) {
    if (!this.#scale) return;
    if (this.#drag) return this.onHandle(this.#drag(this.#at(event)));
    const { time } = this.#at(event);
    if (time > this.#scale.end) return this.#leave();
    this.#place(this.#hover, time);
    this.onHover(time);
  }
  #leave() {
    this.#place(this.#hover, null);
    this.onHover(null);
  }
  #grab(event) {
    event.preventDefault();
    this.#root.setPointerCapture(event.pointerId);
    this.#root.classList.add('is-dragged');
    this.#leave();
    const { curve } = this.#content.curves.at(-1);
    const { dampingRatio, response } = curve.spring;
    const { time } = handlePoint(curve);
    this.#drag = (to) => {
      const height = Math.min(0.95, to.position - 1);
      if (height > VISIBLE && curve.initialVelocity === 0) {
        const log = Math.log(height);
        const ratio = -log / Math.hypot(Math.PI, log);
        const wanted = to.time * 2 * Math.sqrt((1 - ratio) * (1 + ratio));
        return { dampingRatio: round(ratio), response: round(Math.min(10, Math.max(0.05, wanted))) };
      }
      const ratio = dampingRatio < 1 && curve.initialVelocity === 0 ? 1 : dampingRatio;
      return { dampingRatio: round(ratio), response: round(Math.min(10, Math.max(0.05, (response * to.time) / time))) };
    };
  }
  #release() {
    if (!this.#drag) return;
    this.#drag = null;
    this.#root.classList.remove('is-dragged');
    this.#draw();
  }
}
function handlePoint(curve) {
  if (curve.overshoot > VISIBLE) return curve.peak;
  let [low, high] = [0, curve.settlingTime ?? curve.spring.response];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (curve.at(middle).position < 0.9) low = middle;
    else high = middle;
  }
  return high > 0 ? { time: high, position: curve.at(high).position } : null;
}
function thinned(points, width) {
  if (points.length < 3 * width) return points;
  const columns = new Map();
  points.forEach((point, index) => {
    const column = Math.floor(point[0]);
    const known = columns.get(column) ?? { low: [index, point], high: [index, point] };
    if (point[1] < known.low[1][1]) known.low = [index, point];
    if (point[1] > known.high[1][1]) known.high = [index, point];
    columns.set(column, known);
  });
  return [...columns.values()].flatMap(({ low, high }) => (low[0] < high[0] ? [low[1], high[1]] : [high[1], low[1]]));
}
function round(value) {
  return Number(value.toFixed(3));
}
function label(text, x, y, className, anchor) {
  return svg('text', { class: className, x, y, 'text-anchor': anchor }, text);
}
function ticks(end) {
  const step = [0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5, 10, 20].find((candidate) => end / candidate <= 6) ?? end / 5;
  const count = Math.floor(end / step - 0.25);
  return Array.from({ length: Math.max(0, count) }, (_, index) => (index + 1) * step);
}
const RANGES = {
  dampingRatio: [0.05, 1.5, 0.01],
  ratio: [0.05, 1.5, 0.01],
  response: [0.05, 1.5, 0.01],
  duration: [0.05, 1.5, 0.01],
  visualDuration: [0.05, 1.5, 0.01],
  settlingDuration: [0.1, 3, 0.01],
  frequency: [0.05, 1.5, 0.01],
  durationMs: [50, 2000, 10],
  bounce: [-0.5, 0.9, 0.01],
  mass: [0.1, 5, 0.1],
  stiffness: [10, 1000, 1],
  tension: [10, 400, 1],
  damping: [1, 80, 0.5],
  friction: [1, 80, 0.5],
  bounciness: [0, 20, 0.5],
  speed: [0, 20, 0.5],
  epsilon: [0.0001, 0.01, 0.0001],
};
export function sliderRange(convention, parameter) {
  const low = parameter.minimum ?? parameter.exclusiveMinimum ?? 0;
  const high = parameter.maximum ?? parameter.exclusiveMaximum ?? 100;
  const key = convention === 'reactspring.frequency' && parameter.name === 'damping' ? 'dampingRatio' : parameter.name;
  const [min, max, step] = RANGES[key] ?? [low, high, (high - low) / 200];
  return { min: Math.max(min, low), max: Math.min(max, high), step };
}
export const defaults = {
  a: { convention: 'wwdc', parameters: { dampingRatio: 0.6, response: 0.4 } },
  b: null,
  initialVelocity: 0,
  maxError: 0.002,
};
export function isShared(search) {
  return new URLSearchParams(search).has('convention');
}
export function query(spring, initialVelocity) {
  const parameters = { convention: spring.convention, ...spring.parameters };
  return initialVelocity === 0 ? parameters : { ...parameters, initialVelocity };
}
export function read(search) {
  const given = new URLSearchParams(search);
  const a = spring(given, '');
  return {
    a: a ?? defaults.a,
    b: spring(given, 'b.'),
    initialVelocity: number(given.get('initialVelocity'), defaults.initialVelocity),
    maxError: number(given.get('maxError'), defaults.maxError),
  };
}
export function write({ a, b, initialVelocity, maxError }) {
  const search = new URLSearchParams({ convention: a.convention, ...a.parameters });
  if (initialVelocity !== defaults.initialVelocity) search.set('initialVelocity', initialVelocity);
  if (maxError !== defaults.maxError) search.set('maxError', maxError);
  if (b) for (const [name, value] of Object.entries(query(b, 0))) search.set(`b.${name}`, value);
  return `?${search}`;
}
const OWN = new Set(['convention', 'initialVelocity', 'maxError']);
function spring(given, prefix) {
  const convention = given.get(`${prefix}convention`);
  if (convention === null) return null;
  const parameters = {};
  for (const [key, value] of given) {
    if (!key.startsWith(prefix)) continue;
    const name = key.slice(prefix.length);
    if (OWN.has(name) || name.startsWith('b.')) continue;
    parameters[name] = value === 'true' ? true : value === 'false' ? false : Number(value);
  }
  return { convention, parameters };
}
function number(text, fallback) {
  const value = Number(text);
  return text === null || Number.isNaN(value) ? fallback : value;
}
const STAGES = {
  ignoreTop: 'without what lies above the top',
  ignoreBottom: 'without what lies below the end',
  cutOut: 'held between the allowed heights',
};
const RULES = {
  attached: () => 'The list was attached: the bar takes its normal height.',
  preconfigured: () => 'The list got new insets, because its content or its frame has another size.',
  duplicate: () => 'The offset is the same as before, so nothing moves.',
  primed: () => 'The first offset after an attachment is only remembered; the next one moves the bar.',
  reduced: ({ from, to }) =>
    from === to ? 'The bar keeps its height: it is at a limit in this direction.' : `The list moved, and the bar with it: ${pt(from)} → ${pt(to)}.`,
  ownAnimation: () => 'A sample of the bar’s own animation, which counted when it was commanded.',
  stored: () => 'Remembered for the rules that need it; the bar does not move.',
  panBegan: ({ isAvailable }) =>
    isAvailable ? 'The drag began at the top, so it may open the bar beyond normal.' : 'The drag began away from the top, so the bar stays at normal or below.',
  expansionWithdrawn: () => 'The content left the top, so the bar may not open beyond normal any more.',
  snapped: ({ from, to, settings, velocity }) => snapWords(from, to, settings, velocity),
  alreadyAtRest: () => 'The finger let go at a height where the bar rests, so there is no snap.',
  expanded: ({ from, to }) => `The button asked for the expanded height: ${pt(from)} → ${pt(to)}.`,
  collapsed: ({ from, to }) => `The button asked for the normal height: ${pt(from)} → ${pt(to)}.`,
  ignored: () => 'No rule reacts to this event.',
};
export function hasConsequence({ result }) {
  return result.explain && !['ignored', 'stored', 'duplicate', 'primed', 'preconfigured'].includes(result.explain.rule);
}
export function explain(root, history, entry, settings) {
  if (!entry?.result.explain) {
    root.replaceChildren(
      element('p', { class: 'quiet' }, 'Drag the list: this says which rule moved the bar, and why.'),
    );
    return;
  }
  const { rule, reductions } = entry.result.explain;
  const before = history.barAt(entry.sequence - 1)?.state;
  const facts = {
    from: before?.height ?? entry.result.state.height,
    to: entry.result.commands.some(({ animated }) => animated) && settings.feedback === 'echoed' ? goal(entry) : entry.result.state.height,
    isAvailable: entry.result.state.isExpandedStateAvailable,
    velocity: entry.event.velocity?.y ?? 0,
    settings,
  };
  root.replaceChildren(
    element('p', { class: 'explain-event' }, `${entry.sequence} · ${words(entry.event)}`),
    element('p', { class: 'explain-rule' }, RULES[rule]?.(facts) ?? rule),
    ...reductions.slice(-1).map(reductionTable),
  );
}
function goal({ result }) {
  return -result.commands.at(-1).y;
}
function snapWords(from, to, { configuration, options }, velocity) {
  const names = { compactStateHeight: 'compact', normalStateHeight: 'normal', expandedStateHeight: 'expanded' };
  const heights = Object.entries(configuration).map(([name, height]) => ({ name: names[name], height }));
  const nearest = [...heights].sort((a, b) => Math.abs(a.height - from) - Math.abs(b.height - from)).slice(0, 2);
  const chosen = heights.find(({ height }) => height === to)?.name ?? 'the nearest state';
  const where = `The finger let go at ${pt(from)}, between ${nearest.map(({ name, height }) => `${name} (${pt(height)})`).sort().join(' and ')}.`;
  if (options.snap === 'projected' && velocity !== 0) {
    return `${where} At ${figure(velocity, 0)} pt/s the list would run on, and ${chosen} is the state nearest to where it would stop.`;
  }
  return `${where} It snaps to ${chosen}, ${pt(Math.abs(from - to))} away.`;
}
const pt = (height) => `${figure(height, 1)}\u00a0pt`;
function reductionTable({ previousY, y, deltaY, stages }) {
  const widest = Math.max(Math.abs(deltaY), ...stages.map((stage) => Math.abs(stage.deltaY)), 1);
  const rows = [{ name: `offset ${figure(previousY, 1)} → ${figure(y, 1)}`, deltaY }, ...stages];
  return element(
    'table',
    { class: 'stages' },
    element('caption', { class: 'visually-hidden' }, 'What each stage leaves of the distance'),
    element(
      'tbody',
      {},
      rows.map((row) => {
        const bar = element('span', { class: row.deltaY < 0 ? 'stage-bar is-negative' : 'stage-bar' });
        bar.style.setProperty('--share', String(Math.abs(row.deltaY) / widest));
        return element(
          'tr',
          { dataset: { stage: row.name } },
          element('th', { scope: 'row' }, STAGES[row.name] ?? row.name),
          element('td', { class: 'stage-lane' }, bar),
          element('td', { class: 'stage-value' }, figure(row.deltaY, 2)),
        );
      }),
    ),
  );
}
const QUIET = 140;
export class ListDriver {
  #view;
  #report;
  #pan;
  #wheel;
  #origin = 0;
  #running = null;
  #foreign = 0;
  canPull = () => true;
  constructor(view, report) {
    this.#view = view;
    this.#report = report;
    this.#pan = new PanGesture(view.element, {
      touched: () => this.#touch(),
      released: () => this.#release(0),
      began: () => this.#begin(),
      changed: (travel) => this.#drag(travel),
      ended: (velocity) => this.#end('ended', -velocity),
      cancelled: () => this.#end('cancelled', 0),
    });
    this.#wheel = new WheelGesture(view.element, {
      wants: (direction) => this.#wants(direction),
      began: () => {
        this.#touch();
        this.#report.pan('began');
      },
      moved: (distance) => this.#scroll(this.#view.clamped(this.#view.y + distance)),
      ended: () => this.#report.pan('ended', 0),
    });
    view.onForeignScroll = () => this.#followForeign();
  }
  get isHeld() {
    return this.#pan.isTouching;
  }
  get isMoving() {
    return Boolean(this.#running?.isRunning) || this.#wheel.isRunning || this.#foreign !== 0;
  }
  stop() {
    this.#running?.stop();
    this.#running = null;
    this.#wheel.stop();
  }
  #touch() {
    this.stop();
    this.#report.touched();
  }
  #begin() {
    const { y, minimumY, maximumY, frame } = this.#view;
    this.#origin = unbanded(y, minimumY, maximumY, frame.height);
    this.#report.pan('began');
  }
  #drag(travel) {
    const { minimumY, maximumY, frame } = this.#view;
    this.#scroll(banded(this.#origin - travel, minimumY, maximumY, frame.height));
  }
  #scroll(y) {
    if (y === this.#view.y) return;
    this.#view.moveTo(y);
    this.#report.offset();
    this.#report.pan('changed');
  }
  #end(state, velocity) {
    this.#release(velocity);
    this.#report.pan(state, velocity);
  }
  #release(velocity) {
    this.#running = decelerate(this.#view, velocity, () => this.#report.offset());
  }
  #wants(direction) {
    const { y, minimumY, maximumY } = this.#view;
    return direction < 0 ? y > minimumY || this.canPull() : y < maximumY;
  }
  #followForeign() {
    if (this.#foreign === 0) this.#report.pan('began');
    clearTimeout(this.#foreign);
    this.#report.offset();
    this.#report.pan('changed');
    this.#foreign = setTimeout(() => {
      this.#foreign = 0;
      this.#report.pan('ended', 0);
    }, QUIET);
  }
}
const SOURCES = {
  description: 'Described by the photographer.',
  altDescription: 'Described in the library’s words.',
  user: 'It has no description; this is its photographer.',
};
export class Detail {
  #photos;
  #dialog;
  #opener = null;
  constructor(root, photos) {
    this.#photos = photos;
    this.#dialog = part(root, 'detail');
    part(this.#dialog, 'detail-download').addEventListener('click', () => {
      photos.trackDownload(this.#dialog.dataset.id).catch((error) => {
        part(this.#dialog, 'detail-note').textContent = error.message;
      });
    });
    part(this.#dialog, 'detail-close').addEventListener('click', () => this.#dialog.close());
    this.#dialog.addEventListener('click', (event) => event.target === this.#dialog && this.#dialog.close());
    this.#dialog.addEventListener('close', () => {
      part(this.#dialog, 'detail-picture').replaceChildren();
      this.#opener?.focus();
    });
  }
  async open(photo) {
    this.#opener = document.activeElement;
    this.#draw(photo);
    this.#dialog.dataset.id = photo.id;
    this.#dialog.showModal();
    part(this.#dialog, 'detail-close').focus();
    try {
      const known = await this.#photos.photo(photo.id);
      if (this.#dialog.open && this.#dialog.dataset.id === photo.id) this.#describe(known);
    } catch (error) {
      part(this.#dialog, 'detail-note').textContent = error.message;
    }
  }
  #draw(photo) {
    const picture = part(this.#dialog, 'detail-picture');
    picture.style.aspectRatio = String(photo.aspectRatio);
    picture.style.backgroundColor = photo.color ?? '';
    const image = element('img', { class: 'photo-image', alt: photo.description, dataset: { state: 'loading' } });
    image.addEventListener('load', () => (image.dataset.state = 'loaded'));
    image.addEventListener('error', () => {
      if (!image.isConnected) return;
      part(this.#dialog, 'detail-note').textContent = 'The picture did not load. Close this and open it again.';
    });
    image.src = this.#photos.imageURL(
      photo,
      { width: Math.min(960, window.innerWidth), scale: Math.min(2, devicePixelRatio) },
    );
    picture.replaceChildren(likeness(photo), image);
    this.#describe(photo);
  }
  #describe(photo) {
    part(this.#dialog, 'detail-title').textContent = photo.description;
    part(this.#dialog, 'detail-download').href = photo.images.full.url;
    part(this.#dialog, 'detail-source').textContent = SOURCES[photo.descriptionSource];
    part(this.#dialog, 'detail-note').textContent = '';
    const facts = [
      ['Size', `${photo.width} × ${photo.height}`],
      ['Likes', figure(photo.likes, 0)],
      ['Added', photo.createdAt ? photo.createdAt.slice(0, 10) : 'unknown'],
      ['Id', photo.id],
    ];
    part(this.#dialog, 'detail-facts').replaceChildren(
      ...facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
    );
    const { attribution } = photo;
    const by = part(this.#dialog, 'detail-by');
    if (by.dataset.id === photo.id) return;
    by.dataset.id = photo.id;
    by.replaceChildren(
      'Photo by ',
      element('a', { href: attribution.photographerUrl, rel: 'noreferrer' }, photo.user.name),
      ' on ',
      element('a', { href: attribution.unsplashUrl, rel: 'noreferrer' }, 'Unsplash'),
    );
  }
}
const KEY = 'springbar.platform';
const FIRST = 'SwiftUI';
export class Code {
  #root;
  #titles;
  #select;
  #answer = null;
  #rows = new Map();
  constructor(root, titles) {
    this.#root = root;
    this.#titles = titles;
    this.#select = part(root, 'platform');
    const platforms = [...new Set([...titles.keys()].map(platformOf))].filter((name) => !['Physics'].includes(name));
    this.#select.replaceChildren(...platforms.map((name) => element('option', {}, name)));
    const kept = remembered();
    this.#select.value = platforms.includes(kept) ? kept : FIRST;
    this.#select.addEventListener('change', () => {
      remember(this.#select.value);
      this.#arrange();
    });
    rovingFocus(part(root, 'snippets'), '.copy');
  }
  show(conventions) {
    this.#answer = conventions;
    const isSame = [...this.#rows.keys()].join() === Object.keys(conventions).join();
    if (!isSame) this.#rows = new Map(
      Object.keys(conventions).map((id) => [id, snippet(id, this.#titles.get(id) ?? id, () => this.#answer[id])]),
    );
    for (const [id, one] of Object.entries(conventions)) this.#rows.get(id).show(one);
    if (!isSame) this.#arrange();
    this.#root.setAttribute('aria-busy', 'false');
  }
  #arrange() {
    const rows = [...this.#rows].map(([id, { node }]) => ({ node, isMine: platformOf(id) === this.#select.value }));
    const [first, ...more] = rows.filter(({ isMine }) => isMine);
    const others = [...more, ...rows.filter(({ isMine }) => !isMine)].map(({ node }) => node);
    part(this.#root, 'my-snippets').replaceChildren(first.node);
    part(this.#root, 'snippets').replaceChildren(...others);
    part(this.#root, 'others-count').textContent = String(others.length);
  }
}
function snippet(id, title, answer) {
  const badge = element('span', { class: 'badge' });
  const code = element('code', {});
  const pre = element('pre', {}, code);
  const warnings = element('ul', { class: 'warnings' });
  const copy = copyButton(`the code for ${title}`, () => answer().snippet);
  const node = element(
    'li',
    { class: 'snippet', dataset: { convention: id } },
    element('div', { class: 'snippet-head' }, element('h4', {}, platformOf(id)), badge, copy),
    element('p', { class: 'snippet-title' }, title),
    pre,
    warnings,
  );
  return {
    node,
    show({ snippet: text, exact, maxDistance, warnings: told }) {
      const isPossible = Boolean(text);
      badge.className = exact ? 'badge' : 'badge is-off';
      badge.textContent = fidelity(isPossible, exact, maxDistance);
      copy.hidden = pre.hidden = !isPossible;
      code.textContent = text ?? '';
      warnings.replaceChildren(...told.map(({ detail }) => element('li', {}, detail)));
    },
  };
}
function fidelity(isPossible, exact, maxDistance) {
  if (exact) return 'exact';
  if (!isPossible) return 'not available';
  if (maxDistance === null || maxDistance === undefined) return 'not exact';
  return maxDistance < 1e-4 ? 'off by less than 0.01 %' : `off by ${figure(maxDistance * 100, 2)} %`;
}
function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
function remember(name) {
  try {
    localStorage.setItem(KEY, name);
  } catch {
  }
}
export class PresetList {
  #root;
  #springs;
  #isLoaded = false;
  constructor(root, springs) {
    this.#root = root;
    this.#springs = springs;
    rovingFocus(root, 'a');
  }
  async load() {
    if (this.#isLoaded) return;
    try {
      const { presets } = await this.#springs.presets();
      this.#isLoaded = true;
      this.#root.replaceChildren(...presets.map(row));
    } catch (error) {
      this.#root.replaceChildren(element('li', { class: 'preset-error' }, error.message));
    }
  }
}
function row(preset) {
  const { dampingRatio, response } = preset.spring;
  const query = new URLSearchParams({ convention: preset.convention, ...preset.parameters });
  return element(
    'li',
    {},
    element(
      'a',
      { class: 'preset', href: `/?${query}#springs`, dataset: { preset: query } },
      element('span', { class: 'preset-name' }, preset.name),
      element('span', { class: 'preset-platform' }, platformOf(preset.platform)),
      element('span', { class: 'preset-numbers' }, `${figure(dampingRatio, 2)} · ${figure(response, 2)} s`),
    ),
  );
}
export class SpringForm {
  #label;
  #conventions;
  #value;
  #faults = new Map();
  #fields = element('div', { class: 'parameters' });
  #select;
  #presets = element('select', {});
  onChange = () => {};
  onFault = () => {};
  translate = () => null;
  constructor(root, label, conventions, value) {
    this.#label = label;
    this.#conventions = new Map(conventions.map((convention) => [convention.id, convention]));
    this.#select = element(
      'select',
      { 'aria-label': `Convention of ${label}`, onchange: () => this.#choose(this.#select.value) },
      byPlatform(conventions, ({ id }) => platformOf(id), ({ id, title }) => element('option', { value: id }, title)),
    );
    this.#presets.setAttribute('aria-label', `Preset of ${label}`);
    this.#presets.addEventListener('change', () => this.#takePreset());
    root.replaceChildren(
      element('label', { class: 'field' }, 'Start from a preset', this.#presets),
      element('label', { class: 'field' }, 'Convention: the parameters of a platform', this.#select),
      this.#fields,
    );
    this.presets = [];
    this.value = value;
  }
  set presets(presets) {
    this.#presets.replaceChildren(
      element('option', { value: '' }, 'Your own'),
      ...byPlatform(presets, ({ platform }) => platformOf(platform), (preset) =>
        element('option', { value: JSON.stringify([preset.convention, preset.parameters]) }, preset.name),
      ),
    );
  }
  get value() {
    return this.#value;
  }
  set value(value) {
    const known = this.#conventions.get(value.convention) ?? this.#byAlias(value.convention);
    if (!known) return;
    this.#value = { convention: known.id, parameters: rounded(value.parameters) };
    this.#select.value = known.id;
    this.#faults.clear();
    this.#fields.replaceChildren(...known.parameters.map((parameter) => this.#field(known.id, parameter)));
  }
  show(parameters) {
    this.#value = { ...this.#value, parameters };
    for (const field of this.#fields.querySelectorAll('.parameter')) {
      const [slider, typed] = field.querySelectorAll('input');
      slider.value = String(parameters[field.dataset.name]);
      typed.value = shortened(parameters[field.dataset.name]);
      this.#mark(typed, field.dataset.name, null);
    }
    this.#presets.value = '';
  }
  #byAlias(name) {
    return [...this.#conventions.values()].find(({ aliases }) => aliases.includes(name));
  }
  #takePreset() {
    if (this.#presets.value === '') return;
    const chosen = this.#presets.value;
    const [convention, parameters] = JSON.parse(chosen);
    this.value = { convention, parameters };
    this.#presets.value = chosen;
    this.onFault('');
    this.onChange(this.#value);
  }
  #choose(id) {
    const { parameters } = this.#conventions.get(id);
    const same = this.translate(id);
    const names = parameters.map(({ name }) => name);
    const value = same ?? Object.fromEntries(parameters.map((one) => [one.name, one.default ?? 1]));
    const kept = Object.entries(value).filter(([name]) => names.includes(name));
    this.value = { convention: id, parameters: Object.fromEntries(kept) };
    this.onFault('');
    this.onChange(this.#value);
  }
  #set(name, value) {
    this.#value = { ...this.#value, parameters: { ...this.#value.parameters, [name]: value } };
    this.#presets.value = '';
    this.onChange(this.#value);
  }
  #mark(typed, name, error) {
    if (error) this.#faults.set(name, error);
    else this.#faults.delete(name);
    typed.setAttribute('aria-invalid', String(Boolean(error)));
    this.onFault(this.#faults.values().next().value ?? '');
  }
  #field(convention, parameter) {
    const { name, unit } = parameter;
    const value = this.#value.parameters[name] ?? parameter.default;
    if (parameter.type === 'boolean') {
      const box = element('input', { type: 'checkbox', checked: value, onchange: () => this.#set(name, box.checked) });
      return element('label', { class: 'check' }, box, spaced(name));
    }
    const range = sliderRange(convention, parameter);
    const title = spaced(name);
    const text = `${title}${unit ? `, ${unit}` : ''}`;
    const slider = element('input', { type: 'range', ...range, value, 'aria-label': `${text} of ${this.#label}` });
    const typed = element('input', {
      type: 'text',
      inputmode: 'decimal',
      autocomplete: 'off',
      spellcheck: 'false',
      value: shortened(value),
      'aria-label': `${text} of ${this.#label}, typed`,
      'aria-invalid': 'false',
    });
    slider.addEventListener('input', () => {
      typed.value = shortened(Number(slider.value));
      this.#mark(typed, name, null);
      this.#set(name, Number(slider.value));
    });
    typed.addEventListener('input', () => {
      const { value: number, error } = readNumber(typed.value, title, parameter);
      this.#mark(typed, name, error);
      if (error) return;
      slider.value = String(number);
      this.#set(name, number);
    });
    return element(
      'div',
      { class: 'parameter', dataset: { name } },
      element('span', { class: 'parameter-name' }, text),
      slider,
      typed,
    );
  }
}
function byPlatform(list, platform, option) {
  const groups = new Map();
  for (const one of list) groups.set(platform(one), [...(groups.get(platform(one)) ?? []), one]);
  return [...groups].map(([label, members]) => element('optgroup', { label }, members.map(option)));
}
function spaced(name) {
  const words = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).replace(/ ms$/, '');
  return words[0].toUpperCase() + words.slice(1);
}
const DURATION = 0.25;
export class Phone {
  #springbar;
  #barView;
  #lists;
  #current;
  #bar = null;
  #body = null;
  #animation = null;
  #isPast = false;
  #wish = null;
  onChange = () => {};
  onSession = () => {};
  onAnswer = () => {};
  onConnection = () => {};
  onCorrection = () => {};
  onProblem = () => {};
  onTouch = () => {};
  onActivity = () => {};
  constructor(springbar, barView, lists) {
    this.#springbar = springbar;
    this.#barView = barView;
    this.#lists = new Map(lists.map((view) => [view.id, { view, driver: this.#drive(view) }]));
    this.#current = lists[0].id;
  }
  get bar() {
    return this.#bar;
  }
  get body() {
    return this.#body;
  }
  get list() {
    return this.#lists.get(this.#current).view;
  }
  get isAtRest() {
    return Boolean(this.#bar?.isSettled) && !this.#animation && !this.#driver.isMoving;
  }
  get isOpen() {
    if (this.#wish !== null) return this.#wish;
    return Boolean(this.#bar) && this.#bar.state.isExpandedStateAvailable && this.#bar.state.transitionProgress > 1;
  }
  get #driver() {
    return this.#lists.get(this.#current).driver;
  }
  start(settings) {
    retire(this.#bar);
    this.#stop();
    this.#wish = null;
    const list = this.list;
    list.measure();
    list.setInset({ top: settings.configuration.normalStateHeight, bottom: 0 });
    list.moveTo(list.minimumY);
    this.#body = { ...settings, tracks, scrollable: list.scrollable };
    const bar = (this.#bar = this.#springbar.bar(this.#body, { results: 'all', explain: true }));
    const isCurrent = (action) => (detail) => this.#bar === bar && action(detail);
    bar.on('change', isCurrent((result) => this.#apply(result)));
    bar.on('session', isCurrent(() => this.onSession(bar)));
    bar.on('answer', isCurrent((answer) => this.onAnswer(answer)));
    bar.on('correction', isCurrent((correction) => this.onCorrection(correction)));
    bar.on('connection', isCurrent((connection) => this.onConnection(connection)));
    bar.on('problem', isCurrent((problem) => this.onProblem(problem)));
    for (const name of ['confirm', 'rest']) bar.on(name, isCurrent(() => this.onActivity()));
    this.#apply(bar.created);
    this.#sendOffset();
  }
  toggle() {
    const on = !this.isOpen;
    this.#stop();
    this.#wish = on;
    if (!on && this.#isEchoed) return this.#collapseByPan();
    this.#send({ type: 'expand', on });
  }
  #collapseByPan() {
    const { view } = this.#lists.get(this.#current);
    const start = view.y;
    const end = -this.#body.configuration.normalStateHeight;
    this.#sendPan('began');
    this.#animate(
      animateEase(DURATION, (progress) => {
        view.moveTo(start + (end - start) * progress);
        this.#sendOffset();
        this.#sendPan('changed');
      }),
      () => this.#sendPan('ended', 0),
    );
  }
  swap(id) {
    if (id === this.#current) return;
    this.#stop();
    this.#wish = null;
    this.list.element.hidden = true;
    this.#current = id;
    this.list.element.hidden = false;
    this.list.measure();
    this.#send({ type: 'set', scrollable: this.list.scrollable });
    this.#sendOffset();
  }
  showPast(bar, y) {
    this.#stop();
    this.#isPast = true;
    this.#barView.show(look(bar));
    this.list.setInset(bar.scrollable.contentInset);
    if (y !== null) this.list.moveTo(y);
  }
  showPresent(y) {
    this.#isPast = false;
    this.list.setInset(this.#bar.scrollable.contentInset);
    this.list.moveTo(y);
    this.#barView.show(look(this.#bar));
  }
  #drive(view) {
    const driver = new ListDriver(view, {
      touched: () => {
        this.#stop();
        this.#wish = null;
        this.onTouch();
        this.onActivity();
      },
      offset: () => this.#sendOffset(),
      pan: (state, velocity) => this.#sendPan(state, velocity),
    });
    driver.canPull = () => this.#bar !== null && this.#bar.state.height < this.#body.configuration.expandedStateHeight;
    view.onResize = (change) => this.#resized(view, change);
    return driver;
  }
  #send(event, isSize = false) {
    if (this.#isPast && !isSize) return;
    try {
      this.#bar?.send(event);
    } catch (problem) {
      this.onProblem({ problem, events: [event] });
    }
    this.onActivity();
  }
  #sendOffset() {
    this.#send({ type: 'contentOffset', contentOffset: { x: 0, y: this.list.y } });
  }
  #sendPan(state, velocity) {
    const event = { type: 'panGesture', state };
    if (velocity !== undefined) event.velocity = { x: 0, y: velocity };
    this.#send(event);
  }
  #resized(view, change) {
    if (view !== this.list) return;
    if (change.frame) this.#send({ type: 'frame', frame: view.frame }, true);
    if (change.size) this.#send({ type: 'contentSize', contentSize: view.size }, true);
  }
  #apply(result) {
    this.onChange(result);
    if (this.#isPast) return;
    const { view } = this.#lists.get(this.#current);
    if (result.scrollable.id !== view.id) return;
    const from = this.#barView.shown;
    view.setInset(result.scrollable.contentInset);
    const commands = this.#driver.isHeld ? [] : result.commands.filter(({ scrollableId }) => scrollableId === view.id);
    for (const command of commands.filter(({ animated }) => !animated)) view.moveTo(command.y);
    const animated = commands.findLast((command) => command.animated);
    if (animated) this.#run(animated, from ?? look(result), look(result));
    else if (!this.#animation || this.#isEchoed) this.#barView.show(look(result));
  }
  get #isEchoed() {
    return this.#body.feedback === 'echoed';
  }
  #run(command, from, to) {
    const { view } = this.#lists.get(this.#current);
    this.#stop();
    const start = view.y;
    const step = (progress) => {
      view.moveTo(start + (command.y - start) * progress);
      if (this.#isEchoed) this.#sendOffset();
      else this.#barView.show(mix(from, to, progress));
    };
    const { spring, duration } = command;
    this.#animate(
      spring ? animateSpring(
        { ...spring, initialVelocity: spring.relativeVelocity },
        step,
      ) : animateEase(duration, step),
    );
  }
  #animate(mine, arrived = () => {}) {
    this.#animation = mine;
    mine.finished.then((hasArrived) => {
      if (this.#animation === mine) this.#animation = null;
      if (hasArrived) arrived();
      if (hasArrived && !this.#isPast) this.#barView.show(look(this.#bar));
      if (hasArrived) this.#wish = null;
      this.onChange(this.#bar);
      this.onActivity();
    });
  }
  #stop() {
    this.#animation?.stop();
    this.#animation = null;
    this.#driver.stop();
  }
}
function retire(bar) {
  if (!bar) return;
  const end = () => bar.end().catch(() => {});
  if (bar.id !== null) end();
  else bar.on('session', end);
}
const PAGE = 10;
export class Feed {
  #photos;
  #list;
  #foot;
  #scroller;
  #loader;
  #status;
  #detail;
  #scrollToTop;
  #pager = null;
  #controller = null;
  #timer = 0;
  #isNear = false;
  constructor(device, springbar, { scrollToTop }) {
    this.#photos = springbar.photos;
    this.#scrollToTop = scrollToTop;
    this.#scroller = part(device, 'list-photos');
    this.#list = part(device, 'photos');
    this.#foot = part(device, 'photos-foot');
    this.#status = new StatusLine(document, springbar);
    this.#loader = new ImageLoader({ root: this.#scroller, onGivenUp: () => this.#status.noteGivenUp() });
    this.#detail = new Detail(document, this.#photos);
    rovingFocus(this.#list, '.photo-open');
    new SearchForm(device, (source) => this.show(source));
    this.#begin({});
    const observer = new IntersectionObserver(([entry]) => this.#approach(entry.isIntersecting), {
      root: this.#scroller,
      rootMargin: '0px 0px 150% 0px',
    });
    observer.observe(this.#foot);
  }
  show(source) {
    this.#loader.clear(this.#list.querySelectorAll('.photo-image'));
    this.#list.replaceChildren();
    this.#scrollToTop();
    this.#begin(source);
    this.#load();
  }
  #begin(source) {
    clearTimeout(this.#timer);
    this.#controller?.abort();
    this.#controller = new AbortController();
    this.#pager = this.#photos.pager({ ...source, limit: PAGE, signal: this.#controller.signal });
  }
  #approach(isNear) {
    this.#isNear = isNear;
    if (isNear && this.#foot.dataset.state !== 'failed') this.#load();
  }
  async #load() {
    const pager = this.#pager;
    if (pager.isLoading || !pager.hasMore) return;
    clearTimeout(this.#timer);
    this.#say('loading');
    try {
      this.#append(await pager.next());
      if (pager === this.#pager && pager.hasMore && this.#isNear) requestAnimationFrame(
        () => this.#isNear && this.#load(),
      );
    } catch (problem) {
      if (pager !== this.#pager) return;
      this.#say('failed', problem);
      if (problem.retryAfter) this.#timer = setTimeout(() => this.#load(), problem.retryAfter * 1000);
    }
    this.#status.refresh();
  }
  #append({ items, page }) {
    const width = this.#list.clientWidth;
    for (const photo of items) {
      const { cell, image } = photoCell(photo, {
        onOpen: (chosen) => this.#detail.open(chosen),
        onRetry: (failed) => this.#loader.retry(failed),
      });
      this.#list.append(cell);
      this.#loader.watch(image, this.#photos.imageURL(photo, { width, scale: Math.min(2, devicePixelRatio) }));
    }
    const { hasMore, items: all } = this.#pager;
    this.#say(hasMore ? 'more' : all.length === 0 ? 'empty' : 'end');
    if (page.stale) this.#status.tellStale(page.ageSeconds);
  }
  #say(state, problem) {
    this.#foot.dataset.state = state;
    this.#list.setAttribute('aria-busy', String(state === 'loading'));
    const content = {
      loading: () => [
        element('span', { class: 'skeleton' }),
        element('span', { class: 'visually-hidden' }, 'Loading photos'),
      ],
      more: () => [],
      end: () => [element('p', {}, 'These are all photos.')],
      empty: () => [element('p', {}, 'No photo fits. Try another word, or fewer filters.')],
      failed: () => [
        element('p', { class: 'foot-title' }, ...failure(problem).slice(0, 1)),
        element('p', {}, ...failure(problem).slice(1)),
        isPaused(problem) ? null : element(
          'button',
          { type: 'button', class: 'button', onclick: () => this.#load() },
          'Try again',
        ),
      ],
    }[state]();
    this.#foot.replaceChildren(...content.filter(Boolean));
  }
}
function isPaused({ retryAfter }) {
  return retryAfter !== null && retryAfter > 30;
}
function failure(problem) {
  if (isPaused(problem)) return [
    'Photos paused: the hour’s calls are used up.',
    `Resets in ${duration(problem.retryAfter)}. Photos that were loaded stay.`,
  ];
  if (problem.status === 0) return ['The service does not answer.', 'Check that it runs, then try again.'];
  return ['The photos did not load.', problem.message];
}
export function duration(seconds) {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}
const [EASING_REST, ADDRESS_REST] = [140, 500];
const TOLERANCE = 1e-6;
const LAB_REQUESTS = ['/v1/springs', '/v1/springs/compare'];
const RETRY = 2000;
export async function startLab(root, springbar, exchanges) {
  const { springs } = springbar;
  let state = read(location.search);
  let fault = { a: '', b: '' };
  let known = null;
  let linear = null;
  let code = null;
  let retry = 0;
  const plot = new Plot(part(root, 'plot'));
  const movers = new Movers({ a: part(root, 'lane-a'), b: part(root, 'lane-b') });
  const velocity = part(root, 'initial-velocity');
  const maxError = part(root, 'max-error');
  const easing = root.querySelector('.linear');
  const compareSwitch = part(root, 'compare-switch');
  const message = part(root, 'lab-message');
  const forms = {};
  exchangeLine(part(root, 'lab-exchange'), exchanges, ({ path }) => LAB_REQUESTS.includes(path));
  exchangeLine(part(root, 'linear-exchange'), exchanges, ({ path }) => path === '/v1/springs/linear');
  part(root, 'linear-copy').replaceWith(copyButton('the CSS', () => part(root, 'linear-css').textContent));
  part(root, 'share').replaceWith(
    copyButton('a link to this spring', () => `${location.origin}/${write(state)}#springs`, 'Copy link'),
  );
  velocity.addEventListener('input', () => change({ initialVelocity: Number(velocity.value) }));
  maxError.addEventListener('input', () => change({ maxError: Number(maxError.value) }));
  compareSwitch.addEventListener(
    'change',
    () => change({ b: compareSwitch.checked ? (forms.b?.value ?? state.a) : null }),
  );
  part(root, 'play').addEventListener('click', () => movers.play(true));
  for (const choice of root.querySelectorAll('[name="look"]')) {
    choice.addEventListener('change', () => {
      movers.look = choice.value;
      movers.rest();
      showRule();
    });
  }
  part(root, 'slow').addEventListener('change', ({ target }) => (movers.speed = target.checked ? 0.2 : 1));
  movers.onTime = (time) => plot.play(time);
  plot.onHover = (time) => readOut(time);
  plot.onHandle = (spring) => {
    const parameters = written(state.a.convention, spring, state.a.parameters);
    if (!parameters) return;
    forms.a?.show(parameters);
    change({ a: { ...state.a, parameters } });
  };
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('[data-preset]');
    if (!link || event.metaKey || event.ctrlKey || !forms.a) return;
    event.preventDefault();
    forms.a.value = read(`?${link.dataset.preset}`).a;
    change({ a: forms.a.value });
    root.scrollIntoView({ behavior: 'smooth' });
  });
  window.addEventListener('popstate', () => {
    state = read(location.search);
    if (forms.a) forms.a.value = state.a;
    if (forms.b) forms.b.value = state.b ?? state.a;
    fault = { a: '', b: '' };
    update();
  });
  window.addEventListener('online', () => confirmSoon());
  const remember = atRest(ADDRESS_REST, () => {
    try {
      history.replaceState(null, '', write(state) + location.hash);
    } catch {
    }
  });
  const confirm = oneAtATime((asked) => ask(asked));
  const confirmSoon = oncePerFrame(() => attempt(confirm(state), root));
  const askEasing = oneAtATime((asked) => linears(asked));
  const easingSoon = atRest(EASING_REST, () => attempt(askEasing(state), easing));
  function change(changes) {
    state = { ...state, ...changes };
    remember();
    update();
  }
  function update() {
    velocity.value = String(state.initialVelocity);
    part(root, 'initial-velocity-value').textContent = figure(state.initialVelocity, 1);
    maxError.value = String(state.maxError);
    part(root, 'max-error-value').textContent = figure(state.maxError, 4);
    compareSwitch.checked = state.b !== null;
    part(root, 'spring-b').hidden = state.b === null;
    part(root, 'comparison').hidden = state.b === null;
    const isRight = !fault.a && !(state.b && fault.b);
    say(isRight ? '' : fault.a || fault.b);
    if (isRight) draw();
    else fade();
    if (!isRight) return;
    root.setAttribute('aria-busy', 'true');
    easing.setAttribute('aria-busy', 'true');
    part(root, 'code').setAttribute('aria-busy', 'true');
    confirmSoon();
    easingSoon();
  }
  function curvesOf({ a, b, initialVelocity }, answers) {
    const curve = (spring, answer) => {
      const meant = meaning(spring) ?? (answer && { dampingRatio: answer.spring.dampingRatio, response: answer.spring.response });
      return meant && new Curve(meant, initialVelocity, epsilonOf(spring));
    };
    return { a: curve(a, answers?.a), b: b && curve(b, answers?.b) };
  }
  function draw(answers) {
    const curves = curvesOf(state, answers);
    if (!curves.a || (state.b && !curves.b)) return fade();
    const drawn = [curves.b && { name: 'b', curve: curves.b }, { name: 'a', curve: curves.a }].filter(Boolean);
    plot.show(drawn, written(state.a.convention, curves.a.spring, {}) !== null);
    movers.curves = curves;
    const { spring, settlingTime, overshoot, regime } = curves.a;
    root.classList.remove('is-stale');
    show(part(root, 'damping-ratio'), spring.dampingRatio);
    show(part(root, 'response'), spring.response);
    show(part(root, 'settling-time'), settlingTime, settlingTime === null ? 'never' : figure(settlingTime));
    show(part(root, 'overshoot'), overshoot, figure(overshoot * 100, 2));
    part(root, 'regime').textContent = regime;
    if (curves.b) {
      const { maxDistance, time } = curves.a.distance(curves.b);
      show(part(root, 'max-distance'), maxDistance, figure(maxDistance * 100, 2));
      show(part(root, 'max-distance-time'), time);
      part(root, 'b-settling').textContent = figure(curves.b.settlingTime);
      part(root, 'b-overshoot').textContent = figure(curves.b.overshoot * 100, 2);
    }
  }
  function fade() {
    plot.fade();
    root.classList.add('is-stale');
  }
  function readOut(time) {
    const readout = part(root, 'readout');
    const curves = curvesOf(state, known);
    if (time === null || !curves.a) return readout.replaceChildren(
      'Move over the curve to read it. Drag its handle to change the spring.',
    );
    const { position, velocity: speed } = curves.a.at(time);
    const second = curves.b ? `, the second ${figure(curves.b.at(time).position * 100, 1)} %` : '';
    readout.replaceChildren(
      `After ${time.toFixed(3)} s: ${figure(position * 100, 1)} % of the way, ${figure(speed, 2)} travels a second${second}`,
    );
  }
  async function attempt(request, asked) {
    try {
      await request;
      if (retry === 0) return;
      clearTimeout(retry);
      retry = 0;
      say('');
    } catch (problem) {
      asked.setAttribute('aria-busy', 'false');
      if (!problem.isTransient) return say(problem.message);
      verdict('offline', 'not confirmed');
      say(
        'The service does not answer. The curve is computed in this page; code and easing are those of before. Asking again.',
      );
      clearTimeout(retry);
      retry = setTimeout(() => {
        confirmSoon();
        easingSoon();
      }, RETRY);
    }
  }
  async function ask(asked) {
    const { a, b, initialVelocity } = asked;
    const wanted = [query(a, initialVelocity), b && query(b, initialVelocity)].filter(Boolean);
    const [first, second = null] = await Promise.all(wanted.map((one) => springs.spring(one)));
    known = { a: first, b: second };
    if (asked !== state) return;
    if (!meaning(a) || (b && !meaning(b))) draw(known);
    const compared = second && (await springs.compare({ a: wanted[0], b: wanted[1] }));
    describe(first);
    judge(curvesOf(asked, known), known, compared);
    root.setAttribute('aria-busy', 'false');
  }
  function judge(curves, answers, compared) {
    const pairs = Object.entries(curves).filter(([, curve]) => curve).flatMap(([name, { spring, settlingTime, overshoot }]) => [
      [spring.dampingRatio, answers[name].spring.dampingRatio],
      [spring.response, answers[name].spring.response],
      [settlingTime ?? 0, answers[name].settling.settlingTime ?? 0],
      [overshoot, answers[name].overshoot ?? 0],
    ]);
    if (compared && curves.b) pairs.push([curves.a.distance(curves.b).maxDistance, compared.maxDistance]);
    const worst = Math.max(...pairs.map(([here, there]) => Math.abs(here - there) / Math.max(1, Math.abs(there))));
    part(root, 'verdict').value = String(worst);
    if (worst <= TOLERANCE) return verdict('confirmed', 'confirmed by the service');
    verdict('differs', `differs from the service by ${worst.toExponential(1)}`);
    say('This page and the service disagree about this spring. Please report it with the link.');
  }
  function verdict(name, text) {
    const node = part(root, 'verdict');
    node.dataset.state = name;
    node.textContent = text;
  }
  function describe({ settling, conventions, warnings }) {
    part(root, 'lab-warnings').replaceChildren(...warnings.map(({ detail }) => element('li', {}, detail)));
    code?.show(conventions);
    const platforms = Object.entries(settling.platforms ?? {});
    part(root, 'platforms').replaceChildren(
      ...platforms.map(([name, seconds]) =>
        element(
          'div',
          {},
          element('dt', {}, PLATFORM_NAMES[name] ?? name),
          element('dd', {}, seconds === null ? 'never' : `${figure(seconds, 3)} s`),
        ),
      ),
    );
  }
  async function linears(asked) {
    linear = await springs.linear({ ...query(asked.a, asked.initialVelocity), maxError: asked.maxError });
    if (asked !== state) return;
    show(part(root, 'stops'), linear.stops);
    show(part(root, 'linear-error'), linear.maxError, figure(linear.maxError, 5));
    show(part(root, 'linear-duration'), linear.duration);
    showRule();
    easing.setAttribute('aria-busy', 'false');
    movers.play(false);
  }
  function showRule() {
    if (linear) part(root, 'linear-css').textContent = cssRule(linear, movers.look);
  }
  function say(text) {
    if (message.textContent !== text) message.textContent = text;
  }
  update();
  readOut(null);
  if (isShared(location.search)) root.scrollIntoView({ behavior: 'instant' });
  const { conventions } = await untilAnswered(
    () => springs.conventions(),
    () => say('The service does not answer. Asking again.'),
  );
  code = new Code(part(root, 'code'), new Map(conventions.map(({ id, title }) => [id, title])));
  for (const name of ['a', 'b']) {
    const title = name === 'a' ? 'the spring' : 'the second spring';
    const form = (forms[name] = new SpringForm(part(root, `spring-${name}`), title, conventions, state[name] ?? state.a));
    form.translate = (id) => {
      const meant = meaning(form.value);
      return (meant && written(id, meant, {})) ?? known?.[name]?.conventions[id]?.parameters ?? null;
    };
    form.onFault = (text) => {
      if (fault[name] === text) return;
      fault = { ...fault, [name]: text };
      update();
    };
    form.onChange = (value) => change({ [name]: value });
  }
  if (known) describe(known.a);
  const loadPresets = async () => {
    for (const type of ['pointerover', 'focusin']) formElement.removeEventListener(type, loadPresets);
    const { presets } = await untilAnswered(() => springs.presets(), () => {});
    for (const form of Object.values(forms)) form.presets = presets;
  };
  const formElement = root.querySelector('.lab-form');
  for (const type of ['pointerover', 'focusin']) formElement.addEventListener(type, loadPresets);
}
const PLATFORM_NAMES = {
  swiftui: 'SwiftUI',
  coreAnimation: 'Core Animation',
  motion50ms: 'Motion, in steps of 50 ms',
  flutter: 'Flutter',
  android: 'Android',
  compose: 'Jetpack Compose',
  reactSpring: 'react-spring',
  reactNative: 'React Native',
  reanimated: 'Reanimated',
};
function epsilonOf({ convention, parameters }) {
  return convention === 'swiftui.settlingDuration' ? (parameters.epsilon ?? 0.001) : 0.001;
}
async function untilAnswered(ask, failed) {
  for (;;) {
    try {
      return await ask();
    } catch {
      failed();
      await new Promise((resolve) => setTimeout(resolve, RETRY));
    }
  }
}
export function startBar(root, springbar, exchanges) {
  const template = document.getElementById('bar-template');
  for (const place of root.querySelectorAll('[data-role="bar-place"]')) {
    place.replaceWith(template.content.cloneNode(true));
  }
  const device = part(root, 'device');
  const list = (id) => {
    const scroller = part(device, `list-${id}`);
    return new ScrollView(id, scroller, scroller.firstElementChild);
  };
  const phone = new Phone(springbar, new BarView(part(device, 'bar')), ['photos', 'presets', 'about'].map(list));
  const history = new History();
  const log = new EventLog(part(root, 'log'), history, (sequence) => travel.go(sequence));
  const travel = new TimeTravel(root, springbar.connection, phone, history);
  const follower = new Follower(part(root, 'follower'), springbar.connection, exchanges);
  const latency = new Latency(root);
  const explaining = part(root, 'explain');
  const settings = new Settings(part(root, 'settings'), (value) => start(value));
  const expandButton = part(root, 'expand');
  part(root, 'sheet').open = matchMedia('(min-width: 760px)').matches;
  let past = null;
  let corrections = 0;
  const line = (role, concerns) => exchangeLine(part(root, role), exchanges, concerns);
  line(
    'bar-exchange',
    ({ path, method, isStream }) => path.startsWith('/v1/bars') && method !== 'DELETE' && !isStream,
  );
  line('stream-exchange', ({ isStream }) => isStream);
  line('session-exchange', ({ path, method }) => path === '/v1/bars' && method === 'POST');
  line('ended-exchange', ({ path, method }) => path.startsWith('/v1/bars/') && method === 'DELETE');
  line('photos-exchange', ({ path }) => /^\/v1\/(photos|search|springs\/presets)/.test(path));
  const read = oncePerFrame(() => showReadings());
  const explainNewest = oncePerFrame(
    () => past === null && explain(explaining, history, history.entries.findLast(hasConsequence), phone.body),
  );
  history.onChange = () => {
    log.update();
    travel.update();
    explainNewest();
    part(root, 'export').disabled = history.entries.length === 0 || !history.isComplete || history.entries.length > 500;
  };
  travel.onTravel = (sequence, bar) => {
    past = bar && { ...bar, revision: sequence };
    log.select(sequence);
    device.classList.toggle('is-past', sequence !== null);
    if (sequence === null) explainNewest();
    else explain(explaining, history, history.entry(sequence), phone.body);
    read();
  };
  phone.onTouch = () => travel.leave();
  phone.onChange = () => read();
  phone.onActivity = () => {
    device.dataset.state = phone.isAtRest ? 'resting' : 'moving';
    read();
    if (!phone.isAtRest) hush();
    else if (past === null) announce(`The bar is ${figure(phone.bar.state.height, 0)} points high.`);
  };
  phone.onSession = (bar) => {
    follower.follow(bar.id);
    part(root, 'session-link').href = `/watch/${bar.id}`;
    root.dataset.session = bar.id;
    tell('');
    read();
  };
  phone.onAnswer = (answered) => {
    latency.add(answered.milliseconds);
    history.add(answered);
  };
  phone.onCorrection = () => show(part(root, 'corrections'), (corrections += 1));
  phone.onConnection = ({ isOnline, problem }) => tell(isOnline ? '' : offline(problem));
  phone.onProblem = ({ problem, events }) =>
    tell(
      events.length > 0 ? `${problem.message} The event was left out.` : `${problem.message} Change a setting to start again.`,
    );
  expandButton.addEventListener('click', () => {
    travel.leave();
    phone.toggle();
    read();
  });
  part(root, 'export').addEventListener(
    'click',
    () => download('springbar-session.json', exported(phone.body, history)),
  );
  for (const choice of root.querySelectorAll('[name="latency"]')) {
    choice.addEventListener('change', () => (exchanges.delay = Number(choice.value)));
  }
  const presets = new PresetList(part(device, 'presets'), springbar.springs);
  new Tabs(device, (id) => {
    travel.leave();
    phone.swap(id);
    if (id === 'presets') presets.load();
  });
  whenSeen(device, () => new Feed(device, springbar, { scrollToTop: () => phone.list.element.scrollTo({ top: 0 }) }));
  window.addEventListener('pagehide', () => phone.bar?.end().catch(() => {}));
  window.addEventListener('pageshow', (event) => event.persisted && start(settings.value));
  function showReadings() {
    const bar = past ?? phone.bar;
    const { height, transitionProgress, stateRange } = bar.state;
    show(part(root, 'height'), height, figure(height, 1));
    show(part(root, 'progress'), transitionProgress, figure(transitionProgress, 2));
    show(part(root, 'inset'), bar.scrollable.contentInset.top);
    show(part(root, 'revision'), past ? past.revision : phone.bar.revision);
    part(root, 'state-range').textContent = stateRange === 'compactNormal' ? 'between compact and normal' : 'between normal and expanded';
    expandButton.setAttribute('aria-pressed', String(phone.isOpen));
    part(root, 'expand-text').textContent = phone.isOpen ? 'Collapse' : 'Expand';
  }
  function tell(text) {
    const node = part(root, 'bar-message');
    if (node.textContent !== text) node.textContent = text;
  }
  function start(value) {
    travel.leave();
    phone.start(value);
    history.clear(phone.bar.created);
  }
  start(settings.value);
  return { phone };
}
function whenSeen(element, start) {
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (!entry.isIntersecting) return;
      observer.disconnect();
      start();
    },
    { rootMargin: '10% 0px' },
  );
  observer.observe(element);
}
function offline(problem) {
  const wait = problem?.retryAfter ? ` Trying again in ${problem.retryAfter} s.` : ' Trying again.';
  if (problem?.status === 429 || problem?.status === 503) return `${problem.message}${wait} The bar goes on in this page.`;
  return 'The service does not answer. The bar goes on in this page, and its events are sent when the service is back.';
}
function whenNear(id, start) {
  const section = document.getElementById(id);
  let attempts = 0;
  const begin = async () => {
    try {
      await start(section, (attempts += 1));
    } catch {
      const retry = element('button', { type: 'button', class: 'button' }, 'Try again');
      const note = element(
        'p',
        { class: 'message chapter-fault', role: 'alert' },
        'This part could not be loaded. ',
        retry,
      );
      retry.addEventListener('click', () => {
        note.remove();
        begin();
      });
      section.querySelector('.lead').append(note);
    }
  };
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      begin();
    },
    { rootMargin: '60% 0px' },
  );
  observer.observe(section);
}
startLab(document.getElementById('springs'), springbar, exchanges);
startBar(document.getElementById('bar'), springbar, exchanges);
whenNear('interfaces', async (section, attempt) => {
  const { startInterfaces } = await import(`/playground/interfaces.js${attempt > 1 ? `?attempt=${attempt}` : ''}`);
  startInterfaces(section, springbar, exchanges);
});

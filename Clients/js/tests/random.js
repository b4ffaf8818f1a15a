// Random numbers that repeat with their seed, and random events of a bar.

/** mulberry32: numbers from 0 to 1; the same seed gives the same numbers. */
export function generator(seed) {
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least, most) => least + random() * (most - least);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const chance = (share) => random() < share;
  return { random, between, pick, chance };
}

const FIXES = ['primeOnAttach', 'overscroll', 'clearExpandedOnCollapse', 'contentSizeRatchet', 'baseInset'];
const PAN = ['possible', 'began', 'began', 'changed', 'changed', 'ended', 'ended', 'cancelled', 'failed'];

/** Bodies and events with fractions of every size, round numbers, and values at which rules change. */
export class RandomBar {
  #make;
  #heights;
  #y = -200;
  #views = ['feed'];

  constructor(seed) {
    this.#make = generator(seed);
    const { between, chance, pick } = this.#make;
    const heights = Array.from({ length: 3 }, () => (chance(0.6) ? pick([0, 44, 100, 200, 300]) : between(0, 400)));
    this.#heights = heights.sort((a, b) => a - b);
  }

  get body() {
    const { chance } = this.#make;
    const [compactStateHeight, normalStateHeight, expandedStateHeight] = this.#heights;
    const body = {
      configuration: { compactStateHeight, normalStateHeight, expandedStateHeight },
      scrollable: this.#view('feed'),
      feedback: chance(0.7) ? 'applied' : 'echoed',
      tracks: { alpha: this.#track(), size: this.#track() },
    };
    if (chance(0.6)) body.options = this.#options();
    return body;
  }

  #options() {
    const { chance, pick, between } = this.#make;
    const options = { snap: pick(['nearest', 'projected', 'none']), fixes: FIXES.filter(() => chance(0.3)) };
    if (chance(0.5)) options.decelerationRate = pick(['normal', 'fast', between(0.9, 0.999)]);
    for (const name of ['snapSequential', 'snapOnCancel', 'clampTargets']) if (chance(0.3)) options[name] = true;
    if (chance(0.4)) options.reopen = pick(['anywhere', 'top', 'top']);
    if (chance(0.3)) options.tolerance = pick([0, 8, between(0, 40)]);
    if (chance(0.3)) options.resistance = { dimension: between(50, 400), constant: between(0.1, 1) };
    return options;
  }

  #track() {
    const { chance, between } = this.#make;
    if (chance(0.5)) {
      const compactNormalRange = { range: [between(-1, 1), between(-9, 9)] };
      return { compactNormalRange, normalExpandedRange: { value: between(-5, 5) } };
    }
    return { keyframes: [0, 0.4, 1, 2].map((progress) => ({ progress, value: between(-100, 100) })) };
  }

  #number() {
    const { chance, pick, between } = this.#make;
    if (chance(0.1)) return pick([0, -0, 1 / 3, -1e-9, 1e6, -5, 5]);
    return chance(0.5) ? Math.round(between(-400, 1500)) : between(-400, 1500);
  }

  /** The next offset: mostly a small step, sometimes a jump or a value at which a rule changes. */
  #offset() {
    const { chance, between, pick } = this.#make;
    if (chance(0.1)) this.#y = this.#number();
    else if (chance(0.1)) this.#y = -pick(this.#heights) + pick([0, 0, 5, -5, 1e-7]);
    else this.#y += chance(0.3) ? Math.round(between(-60, 60)) : between(-60, 60);
    return { x: chance(0.05) ? between(-9, 9) : 0, y: this.#y };
  }

  #view(id) {
    const { chance, pick, between } = this.#make;
    const height = chance(0.3) ? between(0, 900) : pick([0, 500, 2000, 4800]);
    const view = {
      contentOffset: this.#offset(),
      contentSize: { width: 375, height },
      frame: { x: 0, y: 0, width: 375, height: pick([0, 600, 667]) },
    };
    if (id !== 'main') view.id = id;
    if (chance(0.4)) view.contentInset = { top: between(-9, 99), left: 0, bottom: between(-9, 99), right: 1 };
    return view;
  }

  /** One event of any type. */
  get event() {
    const { chance, pick, between, random } = this.#make;
    const dice = random();
    let event;
    if (dice < 0.62) event = { type: 'contentOffset', contentOffset: this.#offset() };
    else if (dice < 0.82) event = { type: 'panGesture', state: pick(PAN) };
    else if (dice < 0.86) event = { type: 'expand', on: chance(0.6) };
    else if (dice < 0.9) event = { type: 'contentSize', contentSize: { width: 375, height: Math.abs(this.#number()) } };
    else if (dice < 0.92) {
      const [y, height] = [this.#number(), Math.abs(this.#number())];
      event = { type: 'frame', frame: { x: 0, y, width: 375, height } };
    }
    else if (dice < 0.94) {
      const [top, bottom] = [this.#number(), this.#number()];
      event = { type: 'contentInset', contentInset: { top, left: 0, bottom, right: 0 } };
    } else {
      const scrollable = this.#view(pick(['feed', 'other', 'main']));
      event = { type: dice < 0.97 ? 'set' : 'preconfigure', scrollable };
    }
    if (event.type === 'panGesture' && chance(0.5)) event.velocity = { x: 0, y: between(-3000, 3000) };
    if (event.type === 'contentOffset' && chance(0.05)) event.source = 'animation';
    if (chance(0.05)) event.scrollableId = pick(['feed', 'other']);
    return event;
  }

  get trackChanges() {
    const { chance } = this.#make;
    return chance(0.3) ? { alpha: null } : { [this.#make.pick(['alpha', 'size', 'shift'])]: this.#track() };
  }
}

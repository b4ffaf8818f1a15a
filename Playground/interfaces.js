// Made by script/playground from source/interfaces of Playground/source, where the comments are.
import { VelocityTracker, animateSpring, announce, element, exchangeLine, figure, oneAtATime, part, prefersStillness, unbanded } from '/playground/shared.js';
import { rubberband } from '/client/springbar.js';
export class Decision {
  #output;
  constructor(card) {
    this.#output = part(card, 'decision');
  }
  tell(text) {
    this.#output.textContent = text;
    announce(text);
  }
  async of(question) {
    try {
      return await question;
    } catch (problem) {
      this.tell(problem.status === 0 ? 'The service does not answer. Try again when it is back.' : problem.message);
      return undefined;
    }
  }
}
export function draggable(thing, on) {
  let pointer = null;
  let origin = null;
  let tracker = null;
  let farthest = 0;
  const travel = (event) => {
    const [vx, vy] = tracker.velocity(event.timeStamp);
    const x = event.clientX - origin.x;
    const y = event.clientY - origin.y;
    farthest = Math.max(farthest, Math.hypot(x, y));
    return { x, y, velocity: { x: vx ?? 0, y: vy ?? 0 }, isTap: farthest < 4 };
  };
  const finish = (event) => {
    if (event.pointerId !== pointer) return;
    pointer = null;
    thing.classList.remove('is-held');
    on.end(travel(event), event);
  };
  thing.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || pointer !== null) return;
    pointer = event.pointerId;
    origin = { x: event.clientX, y: event.clientY };
    tracker = new VelocityTracker();
    tracker.add(event.timeStamp, event.clientX, event.clientY);
    farthest = 0;
    thing.setPointerCapture(pointer);
    thing.classList.add('is-held');
    on.start?.(event);
  });
  thing.addEventListener('pointermove', (event) => {
    if (event.pointerId !== pointer) return;
    tracker.add(event.timeStamp, event.clientX, event.clientY);
    on.move(travel(event), event);
  });
  thing.addEventListener('pointerup', finish);
  thing.addEventListener('pointercancel', finish);
}
export function springOf({ spring }, relativeVelocity) {
  return {
    dampingRatio: spring.dampingRatio,
    response: spring.response,
    initialVelocity: relativeVelocity ?? 0,
  };
}
const EDGE = 20;
export function startSpring(card, { springs }) {
  const decision = new Decision(card);
  const stage = part(card, 'stage');
  const thing = part(card, 'thing');
  const damping = part(card, 'damping');
  const response = part(card, 'response');
  let motion = { start: 0, target: 0, velocity: 0, began: performance.now() };
  let isAway = false;
  let queue = Promise.resolve();
  for (const slider of [damping, response]) {
    slider.addEventListener('input', () => {
      part(card, `${slider.dataset.role}-value`).textContent = figure(Number(slider.value), 2);
    });
  }
  stage.addEventListener('click', () => (queue = queue.then(go)));
  async function go() {
    isAway = !isAway;
    const newTarget = isAway ? stage.clientWidth - thing.offsetWidth - 2 * EDGE : 0;
    const parameters = { dampingRatio: damping.value, response: response.value };
    const asked = performance.now();
    const time = (asked - motion.began) / 1000;
    const answer = await decision.of(springs.retarget({ ...parameters, ...motion, began: undefined, time, newTarget }));
    if (!answer) return;
    motion = { start: answer.value, target: newTarget, velocity: answer.velocity, began: asked };
    run(answer, asked);
    decision.tell(
      `from ${figure(answer.value, 0)} pt at ${figure(answer.velocity, 0)} pt/s → ${answer.stops} stops, ${figure(answer.duration, 2)} s`,
    );
  }
  function run({ value, css, duration }, asked) {
    thing.getAnimations().forEach((animation) => animation.cancel());
    stage.classList.toggle('is-away', isAway);
    if (prefersStillness() || css === null) return;
    const animation = thing.animate(
      [{ transform: `translateX(${value - motion.target}px)` }, { transform: 'none' }],
      { duration: duration * 1000, easing: css },
    );
    animation.currentTime = performance.now() - asked;
  }
}
const DIGITS = 9;
export function startCalculator(card, { gesture }) {
  const decision = new Decision(card);
  const display = part(card, 'display');
  let text = '';
  let line = Promise.resolve();
  const ask = (events) => (line = line.then(() => decision.of(gesture('calculator-button', { events }))));
  for (const key of card.querySelectorAll('[data-key]')) {
    new Key(key, ask, {
      told: (words) => decision.tell(words),
      tapped: () => type(key.dataset.key),
    });
  }
  function type(symbol) {
    if (symbol === '.' && text.includes('.')) return;
    text = symbol === 'C' ? '' : (text + symbol).slice(-DIGITS);
    display.textContent = text || '0';
  }
}
class Key {
  #key;
  #ask;
  #on;
  #events = [];
  #isInside = false;
  #count = 0;
  constructor(key, ask, on) {
    this.#key = key;
    this.#ask = ask;
    this.#on = on;
    key.addEventListener('pointerdown', (event) => this.#down(event));
    key.addEventListener('pointermove', (event) => this.#move(event));
    key.addEventListener('pointerup', () => this.#add(this.#isInside ? 'touchUpInside' : 'touchUpOutside'));
    key.addEventListener('pointercancel', () => this.#add('touchCancel'));
    key.addEventListener('click', (event) => {
      if (event.detail !== 0) return;
      this.#events = ['touchDown'];
      this.#light(true);
      this.#add('touchUpInside');
    });
  }
  #down(event) {
    if (event.button !== 0) return;
    this.#key.setPointerCapture(event.pointerId);
    this.#events = [];
    this.#isInside = true;
    this.#light(true);
    this.#add('touchDown');
  }
  #move(event) {
    if (this.#events.length === 0) return;
    const box = this.#key.getBoundingClientRect();
    const isInside =
      event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
    if (isInside === this.#isInside) return;
    this.#isInside = isInside;
    if (isInside) this.#light(true);
    this.#add(isInside ? 'touchDragEnter' : 'touchDragExit');
  }
  async #add(event) {
    const isLast = event.startsWith('touchUp') || event === 'touchCancel';
    if (this.#events.length === 0 && event !== 'touchDown') return;
    const events = (this.#events = [...this.#events, event]);
    if (isLast) this.#events = [];
    const mine = (this.#count += 1);
    const answer = await this.#ask(events);
    const state = answer?.states.at(-1) ?? 'normal';
    if (mine === this.#count) this.#light(state === 'highlighted');
    if (!answer) return;
    this.#on.told(`${event} → ${state}`);
    if (isLast && answer.taps > 0) this.#on.tapped();
  }
  #light(isLit) {
    this.#key.classList.toggle('is-lit', isLit);
    if (isLit) getComputedStyle(this.#key).getPropertyValue('background-color');
  }
}
const BACK = { dampingRatio: 0.6, response: 0.3 };
const STEP = 30;
const EXPONENT = 0.7;
const DIMENSION = 300;
export function startRubberband(card, { springs }) {
  const decision = new Decision(card);
  const thing = part(card, 'thing');
  const band = part(card, 'band');
  const model = part(card, 'model');
  let offset = 0;
  let origin = 0;
  let shown = 0;
  let animation = null;
  let isHeld = false;
  const ask = oneAtATime(async (pulled) => {
    const parameters = model.value === 'apple' ? { dimension: DIMENSION, constant: 0.55 } : { exponent: EXPONENT };
    const answer = await decision.of(springs.rubberband({ model: model.value, offset: pulled, ...parameters }));
    if (!answer || !isHeld) return;
    place(answer.value);
    decision.tell(`pulled ${figure(pulled, 0)} pt → moves ${figure(answer.value, 1)} pt`);
  });
  draggable(thing, {
    start: () => hold(),
    move: ({ y }) => pull(origin + y),
    end: ({ velocity }) => release(velocity.y),
  });
  thing.addEventListener('keydown', (event) => {
    const direction = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!direction) return;
    event.preventDefault();
    if (!isHeld) hold();
    pull(offset + direction * STEP);
  });
  thing.addEventListener('keyup', () => isHeld && release(0));
  thing.addEventListener('blur', () => isHeld && release(0));
  function hold() {
    animation?.stop();
    isHeld = true;
    origin = reach(shown);
    offset = origin;
  }
  function reach(y) {
    if (model.value === 'power') return Math.sign(y) * Math.abs(y) ** (1 / EXPONENT);
    return y < 0 ? unbanded(y, 0, 0, DIMENSION) : -unbanded(-y, 0, 0, DIMENSION);
  }
  function pull(distance) {
    offset = Math.round(distance);
    const far = Math.abs(offset);
    const way = model.value === 'power' ? far ** EXPONENT : rubberband(far, { dimension: DIMENSION, constant: 0.55 });
    place(Math.sign(offset) * way);
    ask(offset);
  }
  async function release(velocity) {
    isHeld = false;
    const start = shown;
    const slowed = offset === 0 ? 0 : (velocity * shown) / offset;
    const answer = await decision.of(
      springs.retarget({ ...BACK, start, target: start, velocity: Math.round(slowed), time: 0, newTarget: 0 }),
    );
    if (!answer || isHeld) return;
    animation?.stop();
    animation = animateSpring(springOf(answer, answer.initialVelocity), (position) => place(start * (1 - position)));
    decision.tell(`let go at ${figure(start, 1)} pt → settles in ${figure(answer.settling.settlingTime, 2)} s`);
  }
  function place(y) {
    shown = y;
    thing.style.transform = `translateY(${y}px)`;
    band.style.setProperty('--stretch', String(y));
  }
}
const KEY_SPEED = 12;
export function startRotation(card, { gesture }) {
  const decision = new Decision(card);
  const thing = part(card, 'thing');
  let angle = 0;
  let original = 0;
  let grip = null;
  let animation = null;
  let turn = 0;
  const pointers = new Map();
  let tracker = null;
  thing.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    thing.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, event);
    if (pointers.size === 1) begin(event);
    grip = bearing() - angle;
  });
  thing.addEventListener('pointermove', (event) => {
    if (!pointers.has(event.pointerId)) return;
    pointers.set(event.pointerId, event);
    const next = bearing() - grip;
    place(next + 2 * Math.PI * Math.round((angle - next) / (2 * Math.PI)));
    tracker.add(event.timeStamp, angle);
  });
  for (const type of ['pointerup', 'pointercancel']) {
    thing.addEventListener(type, (event) => {
      if (!pointers.delete(event.pointerId)) return;
      if (pointers.size > 0) grip = bearing() - angle;
      else release(tracker.velocity(event.timeStamp)[0]);
    });
  }
  thing.addEventListener('keydown', (event) => {
    const direction = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!direction) return;
    event.preventDefault();
    stop();
    release(direction * KEY_SPEED);
  });
  function stop() {
    animation?.stop();
    turn += 1;
    original = nearestQuarter();
  }
  function begin(event) {
    stop();
    tracker = new VelocityTracker();
    tracker.add(event.timeStamp, angle);
  }
  function bearing() {
    const [one, two] = [...pointers.values()];
    if (two) return Math.atan2(two.clientY - one.clientY, two.clientX - one.clientX);
    const box = card.querySelector('.stage').getBoundingClientRect();
    return Math.atan2(one.clientY - box.top - box.height / 2, one.clientX - box.left - box.width / 2);
  }
  async function release(velocity) {
    const mine = turn;
    const start = angle;
    const turned = { rotation: start - original, velocity, decelerationRate: 0.99, clamp: true };
    const answer = await decision.of(gesture('rotation', turned));
    if (!answer || mine !== turn) return;
    const end = original + answer.angle;
    decision.tell(`${degrees(turned.rotation)} at ${degrees(velocity)}/s → ${degrees(answer.angle)}`);
    animation = animateSpring(
      springOf(answer, answer.relativeVelocity),
      (position) => place(start + (end - start) * position),
    );
  }
  function nearestQuarter() {
    return Math.round(angle / (Math.PI / 2)) * (Math.PI / 2);
  }
  function place(value) {
    angle = value;
    thing.style.transform = `rotate(${value}rad)`;
    thing.setAttribute('aria-valuenow', String(Math.round((value * 180) / Math.PI)));
  }
}
function degrees(radians) {
  return `${figure((radians * 180) / Math.PI, 0)}°`;
}
const MARGIN = 14;
const THROW = 1500;
const NAMES = ['top left', 'top right', 'bottom left', 'bottom right'];
export function startPiP(card, { gesture }) {
  const decision = new Decision(card);
  const stage = part(card, 'stage');
  const thing = part(card, 'thing');
  let center = [0, 0];
  let corner = 3;
  let origin = [0, 0];
  let animations = [];
  let turn = 0;
  draggable(thing, {
    start: () => {
      stop();
      origin = center;
    },
    move: ({ x, y }) => place([origin[0] + x, origin[1] + y]),
    end: ({ velocity }) => fly([Math.round(velocity.x), Math.round(velocity.y)]),
  });
  thing.addEventListener('keydown', (event) => {
    const throws = { ArrowLeft: [-THROW, 0], ArrowRight: [THROW, 0], ArrowUp: [0, -THROW], ArrowDown: [0, THROW] };
    const velocity = throws[event.key];
    if (!velocity) return;
    event.preventDefault();
    stop();
    fly(velocity);
  });
  new ResizeObserver(() => {
    stop();
    place(corners()[corner]);
  }).observe(stage);
  function corners() {
    const x = MARGIN + thing.offsetWidth / 2;
    const y = MARGIN + thing.offsetHeight / 2;
    const [right, bottom] = [stage.clientWidth - x, stage.clientHeight - y];
    return [[x, y], [right, y], [x, bottom], [right, bottom]];
  }
  async function fly(velocity) {
    const mine = (turn += 1);
    const from = center;
    const places = corners();
    const thrown = { center: from, velocity, corners: places, decelerationRate: 0.998 };
    const answer = await decision.of(gesture('pip', thrown));
    if (!answer || mine !== turn) return;
    corner = places.findIndex(([x, y]) => x === answer.corner[0] && y === answer.corner[1]);
    thing.dataset.corner = NAMES[corner];
    const [px, py] = answer.projected;
    decision.tell(`projected to ${figure(px, 0)}, ${figure(py, 0)} → ${NAMES[corner]}`);
    animations = [0, 1].map((axis) =>
      animateSpring(springOf(answer, answer.relativeVelocity[axis]), (position) => {
        const next = [...center];
        next[axis] = from[axis] + (answer.corner[axis] - from[axis]) * position;
        place(next);
      }),
    );
  }
  function stop() {
    for (const animation of animations) animation.stop();
    animations = [];
    turn += 1;
  }
  function place(value) {
    center = value;
    thing.style.transform = `translate(${value[0] - thing.offsetWidth / 2}px, ${value[1] - thing.offsetHeight / 2}px)`;
  }
}
const RETURN = { dampingRatio: 0.8, response: 0.3 };
const LIMIT = 190;
const MOST = 1000;
const RECORDED = [
  [-1000, -100], [-900, -120], [-800, -140], [-700, -152], [-500, -160], [-300, -166], [-100, -168], [-50, -169], [-20, -169],
];
export function startPause(card, { gesture, springs }) {
  const decision = new Decision(card);
  const thing = part(card, 'thing');
  let samples = [];
  let shown = 0;
  let origin = 0;
  let animation = null;
  let drag = 0;
  const ask = oneAtATime(async (asked) => {
    const answer = await decision.of(gesture('pause', { mode: 'repo', samples: asked }));
    if (!answer || asked[0] !== samples[0]) return;
    const at = answer.fired.indexOf(true);
    card.classList.toggle('is-paused', at >= 0);
    decision.tell(
      at < 0 ? `${asked.length} samples → no pause` : `${asked.length} samples → paused at sample ${at + 1}`,
    );
  });
  draggable(thing, {
    start: () => begin(),
    move: ({ y, velocity }) => sample(velocity.y, origin + y),
    end: () => release(),
  });
  part(card, 'replay').addEventListener('click', replay);
  function begin() {
    animation?.stop();
    drag += 1;
    origin = shown;
    samples = [];
    card.classList.remove('is-paused');
  }
  function sample(velocity, y) {
    const offset = Math.max(-LIMIT, Math.min(20, y));
    place(offset);
    if (samples.length === MOST) return;
    samples.push({ velocity: Math.round(velocity), offset });
    ask([...samples]);
  }
  async function replay() {
    begin();
    const mine = drag;
    for (const [velocity, offset] of RECORDED) {
      if (mine !== drag) return;
      sample(velocity, offset);
      await wait(50);
    }
    await wait(900);
    if (mine === drag) release();
  }
  async function release() {
    const mine = drag;
    const start = shown;
    const answer = await decision.of(
      springs.retarget({ ...RETURN, start, target: start, velocity: 0, time: 0, newTarget: 0 }),
    );
    if (!answer || mine !== drag) return;
    animation = animateSpring(springOf(answer, answer.initialVelocity), (position) => place(start * (1 - position)));
    if (!(await animation.finished)) return;
    samples = [];
    card.classList.remove('is-paused');
  }
  function place(y) {
    shown = y;
    thing.style.transform = `translateY(${y}px)`;
    card.style.setProperty('--lift', String(Math.min(1, Math.max(0, -y / LIMIT))));
    part(card, 'offset').textContent = figure(y, 0);
  }
}
function wait(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
const FULL = 0.8;
const MOST_EVENTS = 1000;
const UNMEASURED = [0, 0.5, 1];
export function startForce(card, { gesture }) {
  const decision = new Decision(card);
  const button = part(card, 'button');
  let press = { on: false, events: [] };
  let isAnswered = true;
  let began = 0;
  let isMeasured = false;
  let pressure = null;
  let distance = 0;
  let frame = 0;
  let scale = 1;
  let isOn = false;
  let animation = null;
  const ask = oneAtATime(async (asked) => {
    const answer = await decision.of(gesture('force-button', asked));
    isAnswered = asked.events.length === press.events.length;
    if (answer) take(answer, asked.events.at(-1));
  });
  button.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    button.setPointerCapture(event.pointerId);
    isMeasured = false;
    feel(event);
    begin();
  });
  button.addEventListener('pointermove', (event) => {
    if (frame !== 0) feel(event);
  });
  button.addEventListener('pointerup', () => finish('end'));
  button.addEventListener('pointercancel', () => finish('cancel'));
  button.addEventListener('keydown', (event) => {
    if (![' ', 'Enter'].includes(event.key)) return;
    event.preventDefault();
    if (event.repeat || frame !== 0) return;
    isMeasured = false;
    pressure = null;
    distance = 0;
    begin();
  });
  button.addEventListener('keyup', (event) => {
    if (![' ', 'Enter'].includes(event.key)) return;
    event.preventDefault();
    finish('end');
  });
  button.addEventListener('click', (event) => {
    if (event.detail !== 0 || event.pointerType) return;
    add({ type: 'begin', force: 0.6, distance: 0 });
    add({ type: 'end', force: 0, distance: 0 });
    send();
  });
  function feel(event) {
    isMeasured ||= event.pointerType === 'pen' || (event.pointerType === 'touch' && !UNMEASURED.includes(event.pressure));
    pressure = isMeasured ? event.pressure : null;
    const box = button.getBoundingClientRect();
    distance = Math.hypot(event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2) / scale;
  }
  function begin() {
    animation?.stop();
    began = performance.now();
    add({ type: 'begin', force: pressure ?? 0, distance });
    frame = requestAnimationFrame(hold);
  }
  function add(event) {
    if (event.type === 'begin' && isAnswered) press = { on: isOn, events: [] };
    isAnswered = false;
    press.events.push(event);
  }
  function send() {
    ask({ on: press.on, events: [...press.events] });
  }
  function hold(now) {
    const force = pressure ?? Math.min(1, Math.max(0, (now - began) / 1000 / FULL));
    const last = press.events.at(-1);
    const hasChanged = Math.abs(force - last.force) > 0.015 || Math.abs(distance - last.distance) > 2;
    if (hasChanged && press.events.length < MOST_EVENTS) {
      add({ type: 'move', force: Number(force.toFixed(3)), distance });
      send();
    }
    frame = requestAnimationFrame(hold);
  }
  function finish(type) {
    if (frame === 0) return;
    cancelAnimationFrame(frame);
    frame = 0;
    add({ type, force: 0, distance });
    send();
  }
  function take({ steps, haptics, ...answer }, { type, force }) {
    const step = steps.at(-1);
    isOn = step.on;
    card.classList.toggle('is-on', isOn);
    card.style.setProperty('--force', String(force));
    button.style.setProperty('--whiteness', String(step.whiteness));
    button.setAttribute('aria-pressed', String(isOn));
    const source = isMeasured ? 'pressure' : 'force';
    decision.tell(`${source} ${figure(force, 2)} → ${step.state}${haptics.length ? `, haptics ${haptics.join(' ')}` : ''}`);
    const isOver = ['end', 'cancel'].includes(type);
    if (!isOver) return grow(step.scale);
    if (frame !== 0) return;
    const from = scale;
    animation?.stop();
    if (!answer.spring) return grow(step.scale);
    animation = animateSpring(springOf(answer, 0), (position) => grow(from + (1 - from) * position));
  }
  function grow(value) {
    scale = value;
    button.style.transform = `scale(${value})`;
  }
}
const CAP = 30;
const BELOW = 40;
export function startDrawer(card, { gesture }) {
  const decision = new Decision(card);
  const drawer = part(card, 'drawer');
  const handle = part(card, 'handle');
  let isOpen = false;
  let fraction = 0;
  let heading = 0;
  let grabbed = 0;
  let animation = null;
  let isHeld = false;
  let wasDragged = false;
  let turn = 0;
  const way = () => drawer.offsetHeight - BELOW - handle.offsetHeight;
  const follow = oneAtATime(async (translationY) => {
    const drag = { translationY, closedTranslationY: way(), progress: grabbed, isOpen, isReversed: false };
    const answer = await decision.of(gesture('drawer', drag));
    if (!answer || !isHeld) return;
    place(Math.min(1.08, Math.max(-0.08, answer.fraction)));
    decision.tell(`dragged ${figure(translationY, 0)} pt → ${figure(answer.fraction * 100, 0)} % of the way`);
  });
  draggable(handle, {
    start: () => {
      animation?.stop();
      turn += 1;
      grabbed = fraction;
      isHeld = true;
    },
    move: ({ y, isTap }) => {
      if (isTap) return;
      place(Math.min(1.08, Math.max(-0.08, grabbed + (isOpen ? y : -y) / way())));
      follow(Math.round(y));
    },
    end: ({ velocity, isTap }, event) => {
      isHeld = false;
      wasDragged = !isTap;
      if (wasDragged || event.type === 'pointercancel') letGo(Math.round(velocity.y), false);
    },
  });
  handle.addEventListener('click', (event) => {
    if (event.detail !== 0 && wasDragged) return;
    animation?.stop();
    letGo(0, heading === 1);
  });
  async function letGo(velocityY, isReversed) {
    const mine = (turn += 1);
    const release = {
      velocityY,
      fractionComplete: Math.min(1, Math.max(0, fraction)),
      closedTranslationY: way(),
      isOpen,
      isReversed,
      cap: CAP,
    };
    const answer = await decision.of(gesture('drawer', release));
    if (!answer || mine !== turn) return;
    const start = fraction;
    heading = answer.reversed ? 0 : 1;
    decision.tell(
      `${figure(velocityY, 0)} pt/s → ${answer.action}, ${answer.reversed ? 'stays' : 'turns'} ${isOpen !== answer.reversed ? 'closed' : 'open'}`,
    );
    const run = answer.spring ? springOf(answer, speed(answer, start)) : { dampingRatio: 1, response: 0.4 };
    animation = animateSpring(run, (position) => place(start + (heading - start) * position));
    if (await animation.finished) arrive();
  }
  function speed({ reversed, relativeVelocity }, start) {
    return reversed ? Math.min(CAP, (relativeVelocity * (1 - start)) / Math.max(start, 0.01)) : relativeVelocity;
  }
  function arrive() {
    if (heading === 1) isOpen = !isOpen;
    heading = 0;
    handle.setAttribute('aria-expanded', String(isOpen));
    part(card, 'drawer-text').inert = !isOpen;
    place(0);
  }
  function place(value) {
    fraction = value;
    const open = isOpen ? 1 - value : value;
    drawer.style.transform = `translateY(${(1 - open) * way()}px)`;
    card.style.setProperty('--open', String(Math.min(1, Math.max(0, open))));
  }
  part(card, 'drawer-text').inert = true;
  place(0);
  new ResizeObserver(() => place(fraction)).observe(drawer);
}
const parts = {
  calculator: startCalculator,
  spring: startSpring,
  force: startForce,
  rubberband: startRubberband,
  pause: startPause,
  drawer: startDrawer,
  pip: startPiP,
  rotation: startRotation,
};
const paths = {
  calculator: 'calculator-button',
  spring: 'springs/retarget',
  force: 'force-button',
  rubberband: 'rubberband',
  pause: 'pause',
  drawer: 'drawer',
  pip: 'pip',
  rotation: 'rotation',
};
export function startInterfaces(root, springbar, exchanges) {
  const service = { springs: springbar.springs, gesture: (...question) => springbar.gesture(...question) };
  for (const [name, start] of Object.entries(parts)) {
    const card = root.querySelector(`[data-interface="${name}"]`);
    const line = element('div', {});
    card.append(line);
    exchangeLine(line, exchanges, ({ path }) => path.endsWith(paths[name]));
    start(card, service);
  }
  root.setAttribute('aria-busy', 'false');
}

// The spring lab. Curves, readings and the moving object are computed here at every input; the service confirms them,
// and gives the code for every platform.

import { codeText } from '../shared/code-text.js';
import { copyButton } from '../shared/copy-button.js';
import { element, figure, part, show } from '../shared/dom.js';
import { exchangeLine } from '../shared/exchange-line.js';
import { atRest, oneAtATime } from '../shared/latest.js';
import { unanswered, untilAnswered, waitAfter } from '../shared/retry.js';
import { Code } from './code.js';
import { meaning, written } from './conventions.js';
import { cssRule } from './css-rule.js';
import { Curve } from './curve.js';
import { Movers } from './mover.js';
import { namedSprings } from './named-springs.js';
import { pasteField } from './paste.js';
import { Plot } from './plot.js';
import { SpringForm } from './spring-form.js';
import { isShared, otherThan, query, read, write } from './state.js';
import { TakeAlong } from './take-along.js';

/** Milliseconds without an input before the service confirms, the preview plays, and the address changes. */
const [CONFIRM_REST, EASING_REST, ADDRESS_REST] = [100, 140, 500];
/** The largest difference between this page and the service that counts as rounding. */
const TOLERANCE = 1e-6;
/** The kinds of requests; the newest of them is shown below the readings. */
const LAB_REQUESTS = ['/v1/springs', '/v1/springs/compare'];

export async function startLab(root, springbar, exchanges) {
  const { springs } = springbar;
  let state = read(location.search);
  let fault = { a: '', b: '' };
  let known = null;
  let linear = null;
  let code = null;
  let [retry, retries] = [0, 0];
  const plot = new Plot(part(root, 'plot'));
  const movers = new Movers({ a: part(root, 'lane-a'), b: part(root, 'lane-b') }, root);
  const takeAlong = new TakeAlong(root);
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
    copyButton('link to this spring', () => `${location.origin}/${write(state)}#springs`, 'Copy link'),
  );

  velocity.addEventListener('input', () => change({ initialVelocity: Number(velocity.value) }));
  maxError.addEventListener('input', () => change({ maxError: Number(maxError.value) }));
  compareSwitch.addEventListener(
    'change',
    () => {
      const b = compareSwitch.checked ? otherThan(state.a) : null;
      if (b && forms.b) forms.b.value = b;
      change({ b });
    },
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
  part(root, 'loop').addEventListener('change', ({ target }) => (movers.isLooping = target.checked));
  const preview = part(root, 'preview').style;
  movers.onPosition = (position) => preview.setProperty('--position', position.toFixed(4));
  movers.onTime = (time) => plot.play(time);
  plot.onHover = (time) => readOut(time);
  plot.onHandle = (spring) => {
    const parameters = written(state.a.convention, spring, state.a.parameters);
    if (!parameters) return;
    forms.a?.show(parameters);
    change({ a: { ...state.a, parameters } });
  };
  // A preset of the phone's list opens here without a new page.
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('[data-preset]');
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey || !forms.a) return;
    event.preventDefault();
    forms.a.value = read(`?${link.dataset.preset}`).a;
    change({ a: forms.a.value });
    root.scrollIntoView({ behavior: 'smooth' });
  });
  window.addEventListener('popstate', () => {
    state = read(location.search);
    if (forms.a) forms.a.value = state.a;
    if (forms.b) forms.b.value = state.b ?? otherThan(state.a);
    update();
  });
  window.addEventListener('online', () => confirmSoon());

  const remember = atRest(ADDRESS_REST, () => {
    try {
      history.replaceState(null, '', write(state) + location.hash);
    } catch {
      // Browsers limit the rate of changes; the next change includes this state.
    }
  });
  const confirm = oneAtATime((asked) => ask(asked));
  const confirmSoon = atRest(CONFIRM_REST, () => attempt(confirm(state), root));
  const askEasing = oneAtATime((asked) => linears(asked));
  const easingSoon = atRest(EASING_REST, () => {
    movers.play(false);
    attempt(askEasing(state), easing);
  });

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

  /** Computes the curves of a state; springs that the page cannot convert are taken from the responses. */
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

  /** The old curve is dimmed until the new one is known. */
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

  // Responses of the service.

  /** Shows the problem of a request about a part of the lab, and retries if a retry can succeed. */
  async function attempt(request, asked) {
    try {
      await request;
      if (retry === 0) return;
      clearTimeout(retry);
      [retry, retries] = [0, 0];
      say('');
    } catch (problem) {
      asked.setAttribute('aria-busy', 'false');
      if (!problem.isTransient) return say(problem.message);
      const wait = waitAfter(problem, retries);
      verdict('offline', 'not confirmed');
      say(`${unanswered(problem, wait)} The curve is computed in this page; code and easing are those of before.`);
      clearTimeout(retry);
      retry = setTimeout(() => {
        retries += 1;
        confirmSoon();
        easingSoon();
      }, wait);
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
    takeAlong.showSpring(first, asked);
    judge(curvesOf(asked, known), known, compared);
    root.setAttribute('aria-busy', 'false');
  }

  /** Compares this page's numbers with the service's. */
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
    takeAlong.showEasing(linear);
    easing.setAttribute('aria-busy', 'false');
  }

  function showRule() {
    if (linear) part(root, 'linear-css').replaceChildren(...codeText(cssRule(linear, movers.look)));
  }

  function say(text) {
    if (message.textContent !== text) message.textContent = text;
  }

  update();
  readOut(null);
  // On a large screen the lab is on the first one, below the headline.
  const isBelow = root.getBoundingClientRect().top > innerHeight / 4;
  if (isBelow && isShared(location.search)) root.scrollIntoView({ behavior: 'instant' });

  let waiting = '';
  let conventions;
  try {
    ({ conventions } = await untilAnswered(() => springs.conventions(), (text) => say((waiting = text))));
  } catch (problem) {
    return say(problem.message);
  }
  if (message.textContent === waiting) say('');
  code = new Code(root, new Map(conventions.map(({ id, title }) => [id, title])));
  for (const name of ['a', 'b']) {
    const title = name === 'a' ? 'the spring' : 'the second spring';
    const place = name === 'a' ? part(root, 'have') : null;
    const value = state[name] ?? otherThan(state.a);
    const form = (forms[name] = new SpringForm(part(root, `spring-${name}`), title, conventions, value, place));
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
  pasteField(root, conventions, (spring) => {
    forms.a.value = spring;
    change({ a: forms.a.value });
  });
  if (known) describe(known.a);
  // The list of presets is large, so it is loaded when the pointer or the focus comes near.
  const formElement = root.querySelector('.lab-form');
  const types = ['pointerover', 'focusin'];
  const loadPresets = async () => {
    for (const type of types) formElement.removeEventListener(type, loadPresets);
    try {
      const named = await namedSprings(springs);
      for (const form of Object.values(forms)) form.presets = named;
    } catch (problem) {
      say(problem.message);
      for (const type of types) formElement.addEventListener(type, loadPresets);
    }
  };
  for (const type of types) formElement.addEventListener(type, loadPresets);
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
  remotion: 'Remotion, in frames',
  svelte: 'Svelte',
  anime: 'Anime.js, in steps of 20 ms',
};

/** Returns the settling threshold of a convention; 0.001 if it has none. */
function epsilonOf({ convention, parameters }) {
  return ['settling', 'swiftui.settlingDuration'].includes(convention) ? (parameters.epsilon ?? 0.001) : 0.001;
}

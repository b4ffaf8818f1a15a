// The spring lab: one spring or two, said in any convention, seen as a curve, a motion and code.

import { latest, oneAtATime, patiently } from '../api/latest.js';
import { element, figure, part, show } from '../dom.js';
import { copyButton } from './copy-button.js';
import { Mover } from './mover.js';
import { Plot, plotTimes } from './plot.js';
import { showSnippets } from './snippets.js';
import { SpringForm } from './spring-form.js';
import { query, read, write } from './state.js';

/** A `linear()` is real work for the service: it waits until the slider rests, and one is asked for at a time. */
const REST = 140;

export async function startLab(root, springs) {
  let state = read(location.search);
  let known = null;
  let timer = 0;
  const plot = new Plot(part(root, 'plot'));
  const movers = { a: new Mover(part(root, 'lane-a')), b: new Mover(part(root, 'lane-b')) };
  const velocity = part(root, 'initial-velocity');
  const maxError = part(root, 'max-error');
  const easing = root.querySelector('.linear');
  const compareSwitch = part(root, 'compare-switch');
  const { conventions } = await springs.conventions();
  const titles = new Map(conventions.map(({ id, title }) => [id, title]));
  const formA = new SpringForm(part(root, 'spring-a'), 'the spring', conventions, state.a);
  const formB = new SpringForm(part(root, 'spring-b'), 'the second spring', conventions, state.b ?? state.a);
  const askCurve = latest(curves);
  const askLinear = oneAtATime(linears);
  part(root, 'linear-copy').replaceWith(copyButton('the linear() easing', () => part(root, 'linear-css').textContent));

  formA.translate = (id) => known?.a.conventions[id]?.parameters ?? null;
  formB.translate = (id) => known?.b?.conventions[id]?.parameters ?? null;
  formA.onChange = (a) => change({ a });
  formB.onChange = (b) => change({ b });
  velocity.addEventListener('input', () => change({ initialVelocity: Number(velocity.value) }));
  maxError.addEventListener('input', () => change({ maxError: Number(maxError.value) }));
  compareSwitch.addEventListener('change', () => change({ b: compareSwitch.checked ? formB.value : null }));
  part(root, 'play').addEventListener('click', () => play(true));
  // A preset of the phone's list opens here, without loading the page again.
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('[data-preset]');
    if (!link || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    formA.value = read(`?${link.dataset.preset}`).a;
    change({ a: formA.value });
    root.scrollIntoView({ behavior: 'smooth' });
  });
  window.addEventListener('popstate', () => {
    state = read(location.search);
    formA.value = state.a;
    if (state.b) formB.value = state.b;
    update();
  });

  function change(changes) {
    state = { ...state, ...changes };
    history.replaceState(null, '', write(state) + location.hash);
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
    root.setAttribute('aria-busy', 'true');
    easing.setAttribute('aria-busy', 'true');
    tell(askCurve(state), root);
    clearTimeout(timer);
    timer = setTimeout(() => tell(askLinear(state), easing), REST);
  }

  /** Shows what went wrong with a question about a part of the lab, or that nothing did. */
  async function tell(question, asked) {
    const message = part(root, 'lab-message');
    try {
      await question;
      message.textContent = '';
    } catch (error) {
      message.textContent = error.message;
      asked.setAttribute('aria-busy', 'false');
    }
  }

  async function curves({ a, b, initialVelocity }, options) {
    const asked = [query(a, initialVelocity), b && query(b, initialVelocity)].filter(Boolean);
    const answers = await Promise.all(asked.map((one) => springs.spring(one, options)));
    known = { a: answers[0], b: answers[1] ?? null };
    const longest = Math.max(...answers.map(({ settling }) => settling.settlingTime ?? 3));
    const times = plotTimes(Math.min(60, Math.max(0.1, longest * 1.18)));
    const shapes = await Promise.all(asked.map((one) => springs.curve(one, times, options)));
    const drawn = answers.map((answer, index) => ({
      name: index === 0 ? 'a' : 'b',
      positions: shapes[index].position,
      settlingTime: answer.settling.settlingTime,
      overshoot: answer.overshoot ?? 0,
    }));
    plot.show(times, drawn.reverse());
    describe(answers[0]);
    if (b) await compare(asked, options);
    root.setAttribute('aria-busy', 'false');
  }

  function describe({ spring, settling, overshoot, conventions: said, warnings }) {
    show(part(root, 'damping-ratio'), spring.dampingRatio);
    show(part(root, 'response'), spring.response);
    show(part(root, 'settling-time'), settling.settlingTime);
    show(part(root, 'overshoot'), overshoot, overshoot === null ? '–' : figure(overshoot * 100, 2));
    part(root, 'regime').textContent = spring.regime;
    part(root, 'lab-warnings').replaceChildren(...warnings.map(({ detail }) => element('li', {}, detail)));
    showSnippets(part(root, 'snippets'), said, titles);
    const platforms = Object.entries(settling.platforms ?? {});
    part(root, 'platforms').replaceChildren(
      ...platforms.flatMap(([name, seconds]) => [element('dt', {}, name), element('dd', {}, `${figure(seconds, 3)} s`)]),
    );
  }

  async function compare([a, b], options) {
    const { maxDistance, time } = await springs.compare(a, b, options);
    show(part(root, 'max-distance'), maxDistance, figure(maxDistance * 100, 2));
    show(part(root, 'max-distance-time'), time);
  }

  async function linears(wanted) {
    const ask = (one) => patiently(() => springs.linear(query(one, wanted.initialVelocity), { maxError: wanted.maxError }));
    const first = await ask(wanted.a);
    if (wanted === state) describeLinear(first);
    const second = wanted.b && (await ask(wanted.b));
    // Somebody may have moved on meanwhile; then the next answer is on its way.
    if (wanted !== state) return;
    movers.a.easing = first;
    movers.b.easing = second;
    easing.setAttribute('aria-busy', 'false');
    play(false);
  }

  function describeLinear(first) {
    part(root, 'linear-css').textContent = first.css;
    show(part(root, 'stops'), first.stops);
    show(part(root, 'linear-error'), first.maxError, figure(first.maxError, 5));
    show(part(root, 'linear-duration'), first.duration);
    part(root, 'fallback').textContent = first.fallback;
  }

  function play(isAsked) {
    movers.a.play(isAsked);
    movers.b.play(isAsked);
  }

  update();
}

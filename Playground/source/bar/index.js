// The chapter of the bar: the phone, its second screen, and the views of the session.

import { announce, hush } from '../shared/announcer.js';
import { figure, part, show } from '../shared/dom.js';
import { exchangeLine } from '../shared/exchange-line.js';
import { oncePerFrame } from '../shared/latest.js';
import { Tabs } from '../shared/tabs.js';
import { Feed } from '../photos/feed.js';
import { BarView } from '../shared/bar-view.js';
import { EventLog } from './event-log.js';
import { explain, lastChange } from './explain-view.js';
import { download } from './export.js';
import { Follower } from './follower.js';
import { History } from './history.js';
import { Latency } from './latency.js';
import { Phone } from './phone.js';
import { PresetList } from './preset-list.js';
import { Settings } from './settings.js';
import { smallPhone } from './small-phone.js';
import { TimeTravel } from './time-travel.js';

export function startBar(root, springbar, exchanges) {
  const template = document.getElementById('bar-template');
  for (const place of root.querySelectorAll('[data-role="bar-place"]')) {
    place.replaceWith(template.content.cloneNode(true));
  }
  const device = part(root, 'device');
  const lists = ['photos', 'presets', 'about'].map((name) => [name, part(device, `list-${name}`)]);
  const phone = new Phone(springbar, new BarView(part(device, 'bar')), Object.fromEntries(lists));
  const history = new History();
  const log = new EventLog(part(root, 'log'), history, (sequence) => travel.go(sequence));
  const travel = new TimeTravel(root, springbar.connection, phone, history);
  const follower = new Follower(part(root, 'follower'), springbar.connection, exchanges);
  const latency = new Latency(root);
  const explaining = part(root, 'explain');
  const settings = new Settings(part(root, 'settings'), (value) => start(value));
  const expandButton = part(root, 'expand');
  // The settings are open beside the phone, and closed below it.
  part(root, 'sheet').open = matchMedia('(min-width: 760px)').matches;
  let past = null;
  let corrections = 0;
  let hasSession = false;

  const line = (role, concerns) => exchangeLine(part(root, role), exchanges, concerns);
  line(
    'bar-exchange',
    ({ path, method, isStream }) => path.startsWith('/v1/bars') && method !== 'DELETE' && !isStream,
  );
  line('stream-exchange', ({ isStream }) => isStream);
  // A change of a setting ends one session and starts another.
  line('session-exchange', ({ path, method }) => path === '/v1/bars' && method === 'POST');
  line('ended-exchange', ({ path, method }) => path.startsWith('/v1/bars/') && method === 'DELETE');
  // The contents of the phone's lists.
  line('photos-exchange', ({ path }) => /^\/v1\/(photos|search|springs\/presets)/.test(path));
  const read = oncePerFrame(() => showReadings());
  const explainNewest = oncePerFrame(
    () => past === null && explain(explaining, history, lastChange(history), phone.body),
  );

  history.onChange = () => {
    log.update();
    travel.update();
    explainNewest();
    part(root, 'export').disabled = history.replay === null || history.entries.length > 500;
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
    // The numbers of another session begin again, and its bar continues that of the one before.
    if (hasSession) {
      travel.leave();
      history.clear(bar);
    }
    hasSession = true;
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
  phone.onConnection = ({ state, problem }) => state !== 'connecting' && tell(state === 'online' ? '' : offline(problem));
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
    () => download('springbar-session.json', history.replay),
  );
  for (const choice of root.querySelectorAll('[name="latency"]')) {
    choice.addEventListener('change', () => (exchanges.delay = Number(choice.value)));
  }
  const presets = new PresetList(part(device, 'presets'), springbar.springs);
  smallPhone(device, part(root, 'travel'));
  new Tabs(device, ({ dataset: { list } }) => {
    travel.leave();
    phone.swap(list);
    if (list === 'presets') presets.load();
  });
  whenSeen(device, () => new Feed(device, springbar, { scrollToTop: () => phone.list.scrollTo({ top: 0 }) }));

  function showReadings() {
    const bar = past ?? phone.bar;
    const { height, transitionProgress, stateRange } = bar.state;
    show(part(root, 'height'), height, figure(height, 1));
    show(part(root, 'progress'), transitionProgress, figure(transitionProgress, 2));
    show(part(root, 'inset'), bar.scrollable.contentInset.top);
    show(part(root, 'revision'), past ? past.revision : phone.bar.revision);
    const level = ['compact', 'normal', 'expanded'][transitionProgress];
    const range = stateRange === 'compactNormal' ? 'between compact and normal' : 'between normal and expanded';
    part(root, 'state-range').textContent = level ? `at its ${level} height` : range;
    expandButton.setAttribute('aria-pressed', String(phone.isOpen));
    part(root, 'expand-text').textContent = phone.isOpen ? 'Collapse' : 'Expand';
  }

  function tell(text) {
    const node = part(root, 'bar-message');
    if (node.textContent !== text) node.textContent = text;
  }

  function start(value) {
    travel.leave();
    hasSession = false;
    phone.start(value);
    history.clear(phone.bar.created, phone.body);
  }
  start(settings.value);
  return { phone };
}

/** Calls `start()` once, when the element is near the screen, so that the first screen loads no photos. */
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

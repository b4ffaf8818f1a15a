// The first part of the page: the phone, its second screen, and everything that looks into the session.

import { part, show } from '../dom.js';
import { Feed } from '../photos/feed.js';
import { PresetList } from './preset-list.js';
import { BarView } from './bar-view.js';
import { EventLog } from './event-log.js';
import { explain, hasConsequence } from './explain-view.js';
import { Follower } from './follower.js';
import { History } from './history.js';
import { Latency } from './latency.js';
import { Phone } from './phone.js';
import { ScrollView } from './scroll-view.js';
import { Settings } from './settings.js';
import { Tabs } from './tabs.js';
import { TimeTravel } from './time-travel.js';

export async function startBar(root, springbar) {
  const template = document.getElementById('bar-template');
  for (const place of root.querySelectorAll('[data-role="bar-place"]')) {
    place.replaceWith(template.content.cloneNode(true));
  }
  const device = part(root, 'device');
  const list = (id) => {
    const scroller = part(device, `list-${id}`);
    return new ScrollView(id, scroller, scroller.firstElementChild);
  };
  const phone = new Phone(springbar.bars, new BarView(part(device, 'bar')), ['photos', 'presets', 'about'].map(list));
  const history = new History();
  const log = new EventLog(part(root, 'log'), history, (sequence) => travel.go(sequence));
  const travel = new TimeTravel(root, springbar.bars, phone, history);
  const follower = new Follower(part(root, 'follower'), springbar.bars);
  const latency = new Latency(root);
  const explaining = part(root, 'explain');
  const settings = new Settings(part(root, 'settings'), (value) => start(value));
  const expandButton = part(root, 'expand');
  let milliseconds = 0;

  springbar.client.observe((exchange) => {
    if (!exchange.path.endsWith('/events') || exchange.method !== 'POST') return;
    milliseconds = exchange.milliseconds;
    latency.add(milliseconds);
  });
  history.onChange = () => {
    log.update();
    travel.update();
    if (phone.session?.explains) explain(explaining, history.entries.findLast(hasConsequence));
  };
  travel.onTravel = (sequence) => {
    log.select(sequence);
    device.classList.toggle('is-past', sequence !== null);
    if (sequence !== null) explain(explaining, history.entry(sequence));
  };
  phone.onTouch = () => travel.leave();
  phone.onActivity = () => (device.dataset.state = phone.isAtRest ? 'resting' : 'moving');
  phone.onSession = (session, bar) => {
    session.explains = part(root, 'explain-switch').checked;
    history.clear();
    follower.follow(session.id);
    part(root, 'session-link').href = `/v1/bars/${session.id}`;
    part(root, 'session-link').textContent = session.id;
    read(bar);
    root.dataset.session = session.id;
  };
  phone.onAnswer = (bar, batch) => {
    history.add(bar, batch, milliseconds);
    read(bar);
  };
  phone.onConnection = (isUp) => tell(isUp ? '' : 'The service cannot be reached. Events wait and will be sent again.');
  phone.onError = (error) => tell(error.message);

  expandButton.addEventListener('click', () => phone.expand(expandButton.getAttribute('aria-pressed') !== 'true'));
  part(root, 'explain-switch').addEventListener('change', (event) => {
    explaining.hidden = !event.target.checked;
    if (phone.session) phone.session.explains = event.target.checked;
    explain(explaining, null);
  });
  new Tabs(device, (id) => phone.swap(id));
  new Feed(device, springbar.photos, {
    scrollToTop: () => phone.list.element.scrollTo({ top: 0 }),
  });
  new PresetList(part(device, 'presets'), springbar.springs);
  window.addEventListener('pagehide', () => phone.session?.end());
  window.addEventListener('pageshow', (event) => event.persisted && start(settings.value));

  function read(bar) {
    const { height, transitionProgress, stateRange, isExpandedStateAvailable } = bar.state;
    show(part(root, 'height'), height);
    show(part(root, 'progress'), transitionProgress);
    show(part(root, 'inset'), bar.scrollable.contentInset.top);
    show(part(root, 'revision'), bar.revision);
    part(root, 'state-range').textContent = stateRange === 'compactNormal' ? 'compact – normal' : 'normal – expanded';
    const isOpen = isExpandedStateAvailable && transitionProgress > 1;
    expandButton.setAttribute('aria-pressed', String(isOpen));
  }

  function tell(text) {
    part(root, 'bar-message').textContent = text;
  }

  async function start(value) {
    travel.leave();
    try {
      await phone.start(value);
      tell('');
    } catch (error) {
      tell(error.message);
    }
  }
  await start(settings.value);
  return { phone };
}

// A second device: follows a bar by its event stream and shows it as large as the screen allows.

import { animateCommand, animateEase, lookOf, mix } from '/client/follow.js';
import { BarStream } from '../shared/bar-stream.js';
import { BarView } from '../shared/bar-view.js';
import { figure, part, show } from '../shared/dom.js';
import { exchangeLine } from '../shared/exchange-line.js';
import { Exchanges } from '../shared/exchanges.js';
import { invite } from './invite.js';

const REASONS = {
  deleted: 'The session was ended. Open the link of a new session to go on.',
  expired: 'The session has expired. Open the link of a new session to go on.',
  missing: 'The bar does not exist. Sessions end after some minutes without events: open the link of a new one.',
};

const root = part(document, 'watch');
part(root, 'bar-place').replaceWith(document.getElementById('bar-template').content.cloneNode(true));
const view = new BarView(part(root, 'bar'));
invite(part(root, 'invite'), location.origin + location.pathname);
const id = location.pathname.split('/').pop();
let animation = null;

function tell(text) {
  const node = part(root, 'state');
  if (node.textContent !== text) node.textContent = text;
}

/** Leads from the page of a bar that is over, whose link is of no use, to a new one. */
function end(text) {
  tell(text);
  part(root, 'invite').hidden = true;
  part(root, 'new-bar').hidden = false;
}

function take(bar) {
  tell('Live: this page follows the bar by its event stream.');
  animation?.stop();
  const [from, to] = [view.shown, lookOf(bar)];
  const command = bar.commands?.findLast(({ animated }) => animated);
  const step = (progress) => view.show(mix(from, to, progress));
  if (!command || !from) view.show(to);
  else if (command.spring) animation = animateCommand(command.spring, step);
  else animation = animateEase(command.duration, step);
  show(part(root, 'height'), bar.state.height, figure(bar.state.height, 1));
  show(part(root, 'progress'), bar.state.transitionProgress, figure(bar.state.transitionProgress, 2));
  show(part(root, 'revision'), bar.revision);
}

const exchanges = new Exchanges();
exchangeLine(part(root, 'stream-exchange'), exchanges, () => true);
new BarStream(exchanges, `/v1/bars/${id}/stream?commands=true`, {
  state: take,
  waiting: () => tell('The stream is interrupted. Trying again.'),
  over: (reason) => end(REASONS[reason]),
});

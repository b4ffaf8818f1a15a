// The link of this page for a further device, as a text and as a QR code.

import { copyButton } from '../shared/copy-button.js';
import { part, svg } from '../shared/dom.js';
import { qrCode } from './qr-code.js';

/** The width of the margin around the code, in modules; readers need it. */
const MARGIN = 4;

/** Shows the address `link`, and a note if other devices cannot use its host. */
export function invite(root, link) {
  const { href, hostname, protocol, port } = new URL(link);
  const anchor = part(root, 'link');
  anchor.href = href;
  anchor.textContent = href;
  part(root, 'copy-place').replaceWith(copyButton('link', () => href, 'Copy link'));
  drawCode(part(root, 'qr'), qrCode(href));
  if (!isLoopback(hostname)) return;
  part(root, 'host').textContent = hostname;
  part(root, 'example').textContent = `${protocol}//192.168.1.20${port ? `:${port}` : ''}/`;
  part(root, 'local-note').hidden = false;
}

/** Returns one path of the dark runs of all rows; null if the link is too long for a code. */
function drawCode(node, rows) {
  if (!rows) return node.remove();
  const size = rows.length + 2 * MARGIN;
  const runs = rows.flatMap((row, y) =>
    [...row.map((dark) => (dark ? '1' : '0')).join('').matchAll(/1+/g)].map(
      ({ 0: run, index }) => `M${index + MARGIN} ${y + MARGIN}h${run.length}v1h-${run.length}z`,
    ),
  );
  node.setAttribute('viewBox', `0 0 ${size} ${size}`);
  node.replaceChildren(svg('path', { d: runs.join('') }));
}

function isLoopback(hostname) {
  return /^(.*\.)?localhost$|^127\.|^\[::1\]$/.test(hostname);
}

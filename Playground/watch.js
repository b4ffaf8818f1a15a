// Made by script/playground from source/watch of Playground/source, where the comments are.
import { BarView, Exchanges, animateEase, animateSpring, copyButton, exchangeLine, figure, look, mix, part, show, svg } from '/playground/shared.js';
const CHECKS = [
  10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
  26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
];
const BLOCKS = [
  1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16,
  17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
];
const MASKS = [
  (x, y) => (x + y) % 2 === 0,
  (x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];
export function qrCode(text) {
  const bytes = new TextEncoder().encode(text);
  for (let version = 1; version <= 40; version += 1) {
    const capacity = dataCodewords(version);
    if (bytes.length + headerBits(version) / 8 > capacity) continue;
    return draw(version, interleave(version, codewords(bytes, version, capacity)));
  }
  return null;
}
function headerBits(version) {
  return version < 10 ? 12 : 20;
}
function alignments(version) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = 2 * Math.floor((4 * version + 4) / (2 * (count - 1)) + 0.75);
  const far = Array.from({ length: count - 1 }, (_, index) => 4 * version + 10 - index * step);
  return [6, ...far.reverse()];
}
function allCodewords(version) {
  const size = 4 * version + 17;
  const count = alignments(version).length;
  let modules = size * size - 3 * 64 - 31 - 2 * (size - 16);
  if (count > 0) modules -= 25 * (count * count - 3) - 2 * 5 * (count - 2);
  if (version >= 7) modules -= 2 * 18;
  return Math.floor(modules / 8);
}
function dataCodewords(version) {
  return allCodewords(version) - CHECKS[version - 1] * BLOCKS[version - 1];
}
function codewords(bytes, version, capacity) {
  const bits = [];
  const write = (value, length) => {
    for (let bit = length - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1);
  };
  write(0b0100, 4);
  write(bytes.length, headerBits(version) - 4);
  for (const byte of bytes) write(byte, 8);
  write(0, Math.min(4, capacity * 8 - bits.length));
  write(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < capacity * 8; pad ^= 0xec ^ 0x11) write(pad, 8);
  const value = (at) => bits.slice(at, at + 8).reduce((sum, bit) => sum * 2 + bit, 0);
  return Array.from({ length: capacity }, (_, index) => value(index * 8));
}
function product(a, b) {
  let sum = 0;
  for (let factor = a, rest = b; rest > 0; rest >>= 1) {
    if (rest & 1) sum ^= factor;
    factor = factor & 0x80 ? (factor << 1) ^ 0x11d : factor << 1;
  }
  return sum;
}
function generator(degree) {
  let polynomial = [1];
  for (let index = 0, root = 1; index < degree; index += 1, root = product(root, 2)) {
    polynomial = [...polynomial, 0].map((value, at) => value ^ (at > 0 ? product(polynomial[at - 1], root) : 0));
  }
  return polynomial.slice(1);
}
function remainder(data, divisor) {
  const rest = new Array(divisor.length).fill(0);
  for (const value of data) {
    const factor = value ^ rest.shift();
    rest.push(0);
    divisor.forEach((coefficient, at) => (rest[at] ^= product(coefficient, factor)));
  }
  return rest;
}
function interleave(version, data) {
  const count = BLOCKS[version - 1];
  const divisor = generator(CHECKS[version - 1]);
  const short = Math.floor(data.length / count);
  const long = data.length % count;
  const blocks = [];
  for (let start = 0; blocks.length < count;) {
    const length = short + (blocks.length < count - long ? 0 : 1);
    blocks.push(data.slice(start, start + length));
    start += length;
  }
  const checks = blocks.map((block) => remainder(block, divisor));
  const inTurn = (lists) =>
    Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, at) =>
      lists.filter((list) => at < list.length).map((list) => list[at]),
    ).flat();
  return [...inTurn(blocks), ...inTurn(checks)];
}
function withRemainder(value, generatorBits, length) {
  let rest = value << length;
  for (let bit = 31 - Math.clz32(rest); bit >= length; bit -= 1) {
    if ((rest >> bit) & 1) rest ^= generatorBits << (bit - length);
  }
  return (value << length) | rest;
}
function draw(version, stream) {
  const size = 4 * version + 17;
  const fixed = Array.from({ length: size }, () => new Array(size).fill(null));
  drawPatterns(fixed, version);
  const rows = fixed.map((row) => [...row]);
  fill(rows, stream);
  let best = null;
  MASKS.forEach((mask, number) => {
    drawFormat(fixed, number);
    const masked = rows.map((row, y) => row.map((dark, x) => fixed[y][x] ?? dark !== mask(x, y)));
    const cost = penalty(masked);
    if (!best || cost < best.cost) best = { cost, masked };
  });
  return best.masked;
}
function drawPatterns(rows, version) {
  const size = rows.length;
  for (const [centreX, centreY] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
    for (let y = Math.max(0, centreY - 4); y <= Math.min(size - 1, centreY + 4); y += 1) {
      for (let x = Math.max(0, centreX - 4); x <= Math.min(size - 1, centreX + 4); x += 1) {
        const ring = Math.max(Math.abs(x - centreX), Math.abs(y - centreY));
        rows[y][x] = ring !== 2 && ring !== 4;
      }
    }
  }
  for (let at = 8; at < size - 8; at += 1) rows[6][at] = rows[at][6] = at % 2 === 0;
  const centres = alignments(version);
  for (const centreY of centres) {
    for (const centreX of centres) {
      const isAtFinder = (centreX < 8 || centreX > size - 9) && (centreY < 8 || centreY > size - 9);
      if (isAtFinder && !(centreX > 8 && centreY > 8)) continue;
      for (let y = -2; y <= 2; y += 1) {
        for (let x = -2; x <= 2; x += 1) rows[centreY + y][centreX + x] = Math.max(Math.abs(x), Math.abs(y)) !== 1;
      }
    }
  }
  if (version >= 7) {
    const bits = withRemainder(version, 0x1f25, 12);
    for (let bit = 0; bit < 18; bit += 1) {
      const [short, long] = [size - 11 + (bit % 3), Math.floor(bit / 3)];
      rows[long][short] = rows[short][long] = ((bits >> bit) & 1) === 1;
    }
  }
  drawFormat(rows, 0);
}
function drawFormat(rows, mask) {
  const size = rows.length;
  const bits = withRemainder(mask, 0x537, 10) ^ 0x5412;
  for (let bit = 0; bit < 15; bit += 1) {
    const isDark = ((bits >> bit) & 1) === 1;
    const near = bit < 6 ? bit : bit < 8 ? bit + 1 : 14 - bit;
    if (bit < 8) rows[near][8] = rows[8][size - 1 - bit] = isDark;
    else {
      rows[8][bit === 8 ? 7 : near] = isDark;
      rows[size - 15 + bit][8] = isDark;
    }
  }
  rows[size - 8][8] = true;
}
function fill(rows, stream) {
  const size = rows.length;
  let bit = 0;
  let isUpward = true;
  for (let right = size - 1; right > 0; right -= 2, isUpward = !isUpward) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const y = isUpward ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (rows[y][x] !== null) continue;
        rows[y][x] = (((stream[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
        bit += 1;
      }
    }
  }
}
function penalty(rows) {
  const size = rows.length;
  const columns = rows.map((_, x) => rows.map((row) => row[x]));
  let cost = 0;
  for (const line of [...rows, ...columns]) {
    const text = line.map((dark) => (dark ? '1' : '0')).join('');
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) cost += run.length - 2;
    for (const pattern of [/(?=10111010000)/g, /(?=00001011101)/g]) cost += 40 * [...text.matchAll(pattern)].length;
  }
  for (let y = 1; y < size; y += 1) {
    for (let x = 1; x < size; x += 1) {
      const dark = rows[y][x];
      if (rows[y - 1][x] === dark && rows[y][x - 1] === dark && rows[y - 1][x - 1] === dark) cost += 3;
    }
  }
  const share = rows.flat().filter(Boolean).length / (size * size);
  return cost + 10 * Math.floor(Math.abs(share - 0.5) * 20);
}
const MARGIN = 4;
export function invite(root, link) {
  const { href, hostname, protocol, port } = new URL(link);
  const anchor = part(root, 'link');
  anchor.href = href;
  anchor.textContent = href;
  part(root, 'copy-place').replaceWith(copyButton('the link', () => href, 'Copy link'));
  drawCode(part(root, 'qr'), qrCode(href));
  if (!isLoopback(hostname)) return;
  part(root, 'host').textContent = hostname;
  part(root, 'example').textContent = `${protocol}//192.168.1.20${port ? `:${port}` : ''}/`;
  part(root, 'local-note').hidden = false;
}
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
const REASONS = {
  deleted: 'The session was ended.',
  expired: 'The session has expired.',
  shutdown: 'The service stops.',
  reset: 'The session went back.',
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
function take(bar) {
  tell('Live: this page follows the bar by its event stream.');
  animation?.stop();
  const [from, to] = [view.shown, look(bar)];
  const command = bar.commands?.findLast(({ animated }) => animated);
  const step = (progress) => view.show(mix(from, to, progress));
  if (!command || !from) view.show(to);
  else if (command.spring) animation = animateSpring(
    { ...command.spring, initialVelocity: command.spring.relativeVelocity },
    step,
  );
  else animation = animateEase(command.duration, step);
  show(part(root, 'height'), bar.state.height, figure(bar.state.height, 1));
  show(part(root, 'progress'), bar.state.transitionProgress, figure(bar.state.transitionProgress, 2));
  show(part(root, 'revision'), bar.revision);
}
const exchanges = new Exchanges();
exchangeLine(part(root, 'stream-exchange'), exchanges, () => true);
const source = exchanges.stream(`/v1/bars/${id}/stream?commands=true`);
source.addEventListener('state', ({ data }) => take(JSON.parse(data)));
source.addEventListener('end', ({ data }) => {
  source.close();
  tell(`${REASONS[JSON.parse(data).reason] ?? 'The stream has ended.'} Open the link of a new session to go on.`);
});
source.addEventListener('error', () => {
  const isGone = source.readyState === EventSource.CLOSED;
  tell(
    isGone ? 'The bar does not exist. Sessions end after some minutes without events: open the link of a new one.' : 'The service does not answer. Trying again.',
  );
});

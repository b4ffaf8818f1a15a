// Compiled, never run: checks the examples of the README and docs/clients.md against springbar.d.ts.

import { Bar, BarLayout, Photo, Problem, Result, Spring, Springbar } from '../springbar.js';

const springbar = new Springbar('http://127.0.0.1:8080');
const bar: Bar = springbar.bar({
  configuration: { compactStateHeight: 100, normalStateHeight: 200, expandedStateHeight: 300 },
  scrollable: {
    contentOffset: { x: 0, y: -200 },
    contentSize: { width: 375, height: 4800 },
    frame: { x: 0, y: 0, width: 375, height: 667 },
  },
  tracks: { 'title.alpha': { compactNormalRange: { range: [0, 1] }, normalExpandedRange: { value: 1 } } },
  options: { snap: 'projected', decelerationRate: 0.99, fixes: ['overscroll'] },
});
const result: Result = bar.send({ type: 'contentOffset', contentOffset: { x: 0, y: -150 } });
const height: number = result.state.height + result.values['title.alpha'];
bar.send({ type: 'panGesture', state: 'ended', velocity: { x: 0, y: -800 } });
const leave: () => void = bar.on('correction', ({ from, to, residue }) => console.log(from - to, residue(0.1)));
bar.on('problem', ({ problem, events }) => console.log(problem instanceof Problem && problem.code, events.length));
// @ts-expect-error: no such event.
bar.on('nothing', () => {});
// @ts-expect-error: an offset must be a point.
bar.send({ type: 'contentOffset', contentOffset: 3 });
// @ts-expect-error: the response is missing.
new Spring({ dampingRatio: 1 });

const { keyframes, options } = new Spring({ duration: 0.5, bounce: 0.3 }).keyframes((x) => ({ transform: `scale(${x})` }));
document.body.animate(keyframes, options);
const rest: number | null = new Spring({ stiffness: 100, damping: 10 }).settlingTime();
new BarLayout(new BarLayout({} as never)).apply({ type: 'expand', on: true });

async function show(): Promise<string> {
  const loader = new ImageLoader({ atOnce: 4 });
  const pager = springbar.photos.pager({ query: 'sea', limit: 20 });
  for await (const { items, page } of pager) {
    const urls: string[] = items.map((photo: Photo) => springbar.photos.imageURL(photo, { width: 375 }));
    loader.watch(new Image(), urls[0] ?? '');
    if (page.stale) break;
  }
  pager.reached(3);
  const { css } = await springbar.springs.linear({ dampingRatio: 0.8, response: 0.3 });
  await bar.settled({ signal: new AbortController().signal });
  return css;
}

export { height, leave, rest, show };

import { Answers } from '../springbar.js';

const answered = (spring: Answers.SpringAnswer): string => JSON.stringify(spring);
// @ts-expect-error: the answers are types only.
console.log(Answers, answered);

import { BarFollower, follow, ImageLoader, Look } from '../follow.js';

async function followList(list: HTMLElement, header: HTMLElement): Promise<void> {
  const configuration = { compactStateHeight: 100, normalStateHeight: 200, expandedStateHeight: 300 };
  const follower: BarFollower = await springbar.follow(list, { bar: header, configuration });
  follower.expand();
  const offset: number = follower.y + follower.session.state.height;
  const other = follow(springbar, list, { bar: ({ height, values }: Look) => console.log(height, values), configuration });
  other.on('activity', () => console.log(other.isAtRest, offset));
  // @ts-expect-error: the bar is missing.
  springbar.follow(list, { configuration });
  await follower.stop();
}
followList(document.body, document.body);

import { MockService } from '../testing.js';

async function typed(): Promise<void> {
  const service = new MockService();
  service.on('GET', '/v1/status', () => ({ status: 503, retryAfter: 1 }));
  const { springs, gesture, status } = new Springbar({ environment: service.environment });
  const settled: number | null = (await springs.spring({ response: 0.4 })).settling.settlingTime;
  const css: string = (await springs.linear({ response: 0.4 })).css;
  const fraction: number | null | undefined = (await gesture('drawer', { start: 0, end: 300, dragStart: 0, dragCurrent: 20 } as never)).fraction;
  const version: string = (await status()).version;
  const ratio: number | undefined = (await springs.designTokens()).designTokens[0]?.spring?.dampingRatio;
  // @ts-expect-error: there is no such member.
  (await springs.presets()).nothing;
  // @ts-expect-error: there is no such gesture.
  gesture('wave', {});
  const { state, retryAt } = bar.connection;
  const waits: boolean = state === 'waiting' && retryAt !== null;
  // @ts-expect-error: there is no such state.
  state === 'offline';
  throw new Problem(503, { code: 'overloaded', detail: `${settled} ${css} ${fraction} ${version} ${waits} ${ratio}` }, { retryAfter: 2 });
}
typed();

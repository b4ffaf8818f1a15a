// Types of springbar.js. Lengths are points, times seconds, velocities points a second, unless a name says otherwise.

export interface Point { x: number; y: number }
export interface Size { width: number; height: number }
export interface Rect extends Point, Size {}
export interface EdgeInsets { top: number; left: number; bottom: number; right: number }

/** A scroll view, in UIKit's words: `contentOffset.y` is negative above the content's beginning. */
export interface Scrollable {
  /** `main` when it is left out. */
  id?: string;
  contentOffset: Point;
  contentSize: Size;
  frame: Rect;
  contentInset?: EdgeInsets;
}

export interface Configuration {
  compactStateHeight: number;
  normalStateHeight: number;
  expandedStateHeight: number;
}

export type Fix = 'primeOnAttach' | 'overscroll' | 'clearExpandedOnCollapse' | 'contentSizeRatchet' | 'baseInset';

/** What differs from AirBar; nothing, unless asked for. */
export interface BarOptions {
  snap?: 'nearest' | 'projected' | 'none';
  /** `normal` is 0.998, `fast` 0.99; a number is above 0 and below 1. */
  decelerationRate?: 'normal' | 'fast' | number;
  snapSequential?: boolean;
  snapOnCancel?: boolean;
  clampTargets?: boolean;
  resistance?: Resistance;
  fixes?: Fix[];
}

export interface Resistance { dimension: number; constant?: number }

export type ValueRange = { value: number } | { range: [number, number] };
/** A number that follows the bar: over its two transitions, or by points at a progress of 0 to 2. */
export type Track =
  | { compactNormalRange: ValueRange; normalExpandedRange: ValueRange }
  | { keyframes: { progress: number; value: number }[] };
export type Tracks = Record<string, Track>;

/** The body of `POST /v1/bars`. */
export interface BarBody {
  configuration: Configuration;
  scrollable: Scrollable;
  /** `applied` (the default): a command counts as carried out at once, so its frames are not to be sent. */
  feedback?: 'applied' | 'echoed';
  tracks?: Tracks;
  ttlSeconds?: number;
  options?: BarOptions;
}

export type PanState = 'possible' | 'began' | 'changed' | 'ended' | 'cancelled' | 'failed';

/** `sequence` and `timestamp` are the client's business. */
export type BarEvent = { scrollableId?: string; source?: 'user' | 'animation' } & (
  | { type: 'contentOffset'; contentOffset: Point }
  | { type: 'contentSize'; contentSize: Size }
  | { type: 'frame'; frame: Rect }
  | { type: 'contentInset'; contentInset: EdgeInsets }
  | { type: 'panGesture'; state: PanState; velocity?: Point }
  | { type: 'expand'; on: boolean }
  | { type: 'set' | 'preconfigure'; scrollable: Scrollable }
);

/** An event as it was sent: with the mark of the client that sent it. */
export type SentEvent = BarEvent & { timestamp: number };

export interface BarState {
  offset: number;
  height: number;
  isExpandedStateAvailable: boolean;
  /** 0 compact, 1 normal, 2 expanded. */
  transitionProgress: number;
  stateRange: 'compactNormal' | 'normalExpanded';
}

/** What is to be written to a view, before the commands are carried out. */
export interface WrittenScrollable {
  id: string;
  contentInset: { top: number; bottom: number };
  scrollIndicatorInsets: { top: number };
}

/** Stop the view's deceleration, then move its content to `x`, `y`. */
export interface Command {
  type: 'updateContentOffset';
  scrollableId: string;
  x: number;
  y: number;
  animated: boolean;
  duration: number;
  stopsDeceleration: true;
  /** Of a projected snap; `relativeVelocity` is in travels a second. */
  spring?: { dampingRatio: number; response: number; relativeVelocity: number };
}

export type Level = 'compact' | 'normal' | 'expanded';

/** What an event brought about. */
export interface Outcome {
  commands: Command[];
  /** The states that were reached: a haptic tick each. */
  crossings: { from: Level; to: Level; direction: 'expanding' | 'collapsing' }[];
  /** The view that a `preconfigure` got ready. */
  preconfigured?: WrittenScrollable;
}

/** What an event brought about, and the bar after it. */
export interface Result extends Outcome {
  state: BarState;
  scrollable: WrittenScrollable;
  values: Record<string, number>;
}

/** Everything that a bar remembers between two events. */
export interface Snapshot {
  offset: number;
  isExpandedStateAvailable: boolean;
  scrollable: Required<Scrollable>;
  previousContentOffset: Point | null;
  previousContentSize: Size | null;
  baseInsetBottom: number;
}

/** AirBar's controller as a value, without a service. */
export class BarLayout {
  constructor(origin: BarBody | BarLayout);
  readonly created: Outcome;
  readonly state: BarState;
  readonly scrollable: WrittenScrollable;
  readonly values: Record<string, number>;
  readonly snapshot: Snapshot;
  readonly settings: Required<Pick<BarBody, 'configuration' | 'feedback' | 'options' | 'tracks'>>;
  /** Throws `Problem`, and changes nothing, for what the service would refuse. */
  apply(event: BarEvent): Outcome;
  setTracks(changes: Record<string, Track | null>): void;
}

/** A bar as the service answers it. */
export interface BarAnswer {
  id: string;
  revision: number;
  lastSequence: number;
  expiresAt: string | null;
  state: BarState;
  scrollable: WrittenScrollable;
  commands?: (Command & { sequence: number })[];
  values?: Record<string, number>;
  replayed?: boolean;
  results?: (Result & { sequence: number; replayed: boolean; explain?: unknown })[];
}

/** What is shown was not what the service has confirmed; it is now, at once, at `state`. */
export interface Correction extends Result {
  /** The height that was shown, and the right one. */
  from: number;
  to: number;
  /** The spring that takes the difference away. */
  spring: Spring;
  /** What is left of the difference after `time` seconds: add it to the height while it is more than nothing. */
  residue(time: number): number;
}

export interface BarEvents {
  /** The bar looks different or has commands: by an event of this client's, or by what the service says. */
  change: Result;
  /** By more than half a point. `change` follows with the same content. */
  correction: Correction;
  /** The service has confirmed the events with these numbers. */
  confirm: { first: number; last: number; milliseconds: number };
  /** With `results: 'all'`: the service's own answer to these events. */
  answer: { answer: BarAnswer; events: (SentEvent & { sequence: number })[]; milliseconds: number };
  /** The session has a name, or another one because it had ended. */
  session: BarAnswer;
  /** The service cannot be reached, or can be again. */
  connection: { isOnline: boolean; problem: Problem | null };
  /** These events are given up; without any, everything stops until `retry()`. */
  problem: { problem: Problem | Error; events: SentEvent[] };
}

declare class Emitter<Events> {
  /** Calls `listener` each time; returns a function that ends it. */
  on<Name extends keyof Events>(name: Name, listener: (detail: Events[Name]) => void): () => void;
}

export interface BarSessionOptions {
  /** A session to go on with, instead of a new one. */
  id?: string | null;
  /** What answers are to contain (`answer`). */
  results?: 'last' | 'all' | 'none';
  explain?: boolean;
  /** Ends everything here; the service's session runs out by itself. */
  signal?: AbortSignal;
}

/** A session for one bar that does not wait for the network. */
export class Bar extends Emitter<BarEvents> {
  constructor(connection: Connection, body: BarBody, options?: BarSessionOptions);
  /** The bar at its beginning, with the commands of the attachment. */
  readonly created: Result;
  /** The session's name; null until the service has given it one. */
  readonly id: string | null;
  readonly lastSequence: number;
  readonly revision: number;
  readonly state: BarState;
  readonly scrollable: WrittenScrollable;
  readonly values: Record<string, number>;
  readonly snapshot: Snapshot;
  /** The events that have no answer yet. */
  readonly pendingEvents: SentEvent[];
  readonly isSettled: boolean;
  /** Applies an event at once and sends it. Throws `Problem`, and changes nothing, if the service would refuse it. */
  send(event: BarEvent): Result;
  /** Sets tracks by name; null removes one. */
  setTracks(changes: Record<string, Track | null>): void;
  /** Asks the service what others have done. */
  sync(): Promise<void>;
  /** Keeps up with what others do, by the service's stream; returns a function that ends it. */
  follow(): () => void;
  /** Resolves when the service has confirmed everything. */
  settled(options?: { signal?: AbortSignal }): Promise<void>;
  /** Goes on after a problem, or at once instead of after a pause. */
  retry(): void;
  /** Ends the session. */
  end(): Promise<void>;
}

/** An error answer (RFC 9457), no answer, or input that the service would refuse. */
export class Problem extends Error {
  /** 0 without an answer. */
  readonly status: number;
  /** Such as `sequence-gap`; `unreachable`, `timeout`, `unreadable` and `ended` are the client's own. */
  readonly code: string;
  readonly errors: { pointer?: string; parameter?: string; detail: string }[];
  readonly requestId: string | null;
  /** Seconds. */
  readonly retryAfter: number | null;
  readonly body: Record<string, unknown>;
  /** Whether the same request may succeed later. */
  readonly isTransient: boolean;
}

/** Clock, chance and network, for tests. */
export interface Environment {
  fetch(
    url: string,
    init: RequestInit,
  ): Promise<Pick<Response, 'ok' | 'status' | 'text'> & { headers: Pick<Headers, 'get'> }>;
  random(): number;
  /** Milliseconds. */
  now(): number;
  setTimeout(action: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
  /** undefined where there are no frames. */
  requestFrame(action: () => void): unknown;
}

export interface ConnectionOptions {
  /** The service's address; by default the origin that the module came from. */
  base?: string;
  token?: string | null;
  /** Asked for a token when the service wants one or has refused the one it got; null leaves it. */
  authorize?(): Promise<string | null> | string | null;
  /** Milliseconds that an answer may take. */
  timeout?: number;
  environment?: Partial<Environment>;
}

type Parameters = Record<string, unknown>;
interface Cancellable { signal?: AbortSignal }

export interface RequestOptions extends Cancellable {
  query?: Parameters;
  body?: unknown;
  headers?: Record<string, string>;
  keepalive?: boolean;
}

export interface Connection {
  readonly base: string;
  address(path: string, query?: Parameters): string;
  /** Asks again while the service says that it is too busy. */
  get<Answer = any>(path: string, query?: Parameters, options?: Cancellable): Promise<Answer>;
  post<Answer = any>(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
  request<Answer = any>(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** Called after every answer. */
  on(
    name: 'answer',
    listener: (answer: { method: string; path: string; status: number; milliseconds: number }) => void,
  ): () => void;
  retryNow(): void;
}

export class Springbar {
  constructor(connection?: string | ConnectionOptions);
  readonly connection: Connection;
  readonly springs: Springs;
  readonly photos: Photos;
  /** A session for a bar, usable at once. */
  bar(body: BarBody, options?: BarSessionOptions): Bar;
  gesture<Answer = any>(
    name: 'pause' | 'force-button' | 'calculator-button' | 'drawer' | 'pip' | 'rotation',
    body: unknown,
    options?: RequestOptions,
  ): Promise<Answer>;
  status<Answer = any>(options?: Cancellable): Promise<Answer>;
}

/** What the service knows of springs; parameters are those of the path. */
export class Springs {
  constructor(connection: Connection);
  spring<Answer = any>(parameters: Parameters, options?: Cancellable): Promise<Answer>;
  linear<Answer = { css: string; duration: number; stops: number; maxError: number; fallback: string }>(
    parameters: Parameters,
    options?: Cancellable,
  ): Promise<Answer>;
  curve<Answer = any>(parameters: Parameters, options?: Cancellable): Promise<Answer>;
  retarget<Answer = any>(parameters: Parameters, options?: Cancellable): Promise<Answer>;
  compare<Answer = any>(springs: { a: Parameters; b: Parameters }, options?: Cancellable): Promise<Answer>;
  conventions<Answer = any>(parameters?: {}, options?: Cancellable): Promise<Answer>;
  presets<Answer = any>(parameters?: {}, options?: Cancellable): Promise<Answer>;
  rubberband<Answer = any>(parameters: Parameters, options?: Cancellable): Promise<Answer>;
}

/** A spring in one of three conventions; the names of its members tell which. */
export type SpringParameters = {
  convention?: 'wwdc' | 'physical' | 'swiftui.durationBounce';
  /** Travels a second, positive towards the target; `relativeVelocity` is the same. */
  initialVelocity?: number;
  relativeVelocity?: number;
} & (
  | { dampingRatio: number; response: number; mass?: number }
  | { mass?: number; stiffness: number; damping: number }
  | { duration: number; bounce?: number }
);

/** The motion from 0 to 1 of a damped spring, in closed form. */
export class Spring {
  constructor(parameters: SpringParameters);
  readonly dampingRatio: number;
  readonly response: number;
  readonly mass: number;
  readonly stiffness: number;
  readonly damping: number;
  readonly bounce: number;
  readonly naturalFrequency: number;
  readonly initialVelocity: number;
  at(time: number): { position: number; velocity: number };
  position(time: number): number;
  /** In points, with `velocity` in points a second. */
  value(
    time: number,
    motion: { start: number; target: number; velocity?: number },
  ): { value: number; velocity: number };
  /** The last time at which it is further than `epsilon` of the travel from its target; null when it never rests. */
  settlingTime(epsilon?: number): number | null;
  /** The spring that goes on from where this one is at `time`, to `newTarget`. */
  retarget(time: number, motion: { start?: number; target?: number; velocity?: number; newTarget: number }): Spring;
  stops(options?: { maxError?: number; duration?: number }): { time: number; position: number }[];
  linear(options?: { maxError?: number; duration?: number }): { css: string; duration: number; stops: number };
  /** For `element.animate(keyframes, options)`. */
  keyframes<Frame extends object>(
    frame: (position: number) => Frame,
    options?: { maxError?: number; [option: string]: unknown },
  ): {
    keyframes: (Frame & { offset: number; easing: 'linear' })[];
    options: { duration: number; fill: 'both'; [option: string]: unknown };
  };
}

export const DECELERATION: { normal: 0.998; fast: 0.99 };
/** Points to rest from `velocity`. */
export function project(velocity: number, rate?: number): number;
/** `velocity` in travels a second; 0 where there is no way to go. */
export function relativeVelocity(velocity: number, current: number, target: number): number;
/** How far UIKit's rubber band gives way to a pull of 0 or more. */
export function rubberband(pull: number, band: Resistance): number;

export interface Picture { url: string; width: number; height: number }

export interface Photo {
  id: string;
  slug: string;
  width: number;
  height: number;
  aspectRatio: number;
  description: string;
  descriptionSource: 'description' | 'altDescription' | 'user';
  color: string | null;
  blurHash: string | null;
  placeholder: string;
  images: Record<'thumb' | 'small' | 'regular' | 'full', Picture>;
  hotlinks: Record<'raw' | 'full' | 'regular' | 'small' | 'thumb', string>;
  attribution: { text: string; html: string; photographerUrl: string; unsplashUrl: string };
  user: { username: string; name: string };
  createdAt: string | null;
  likes: number;
  sponsored: boolean;
  premium: boolean;
}

export interface PhotoPage {
  items: Photo[];
  page: {
    nextCursor: string | null;
    hasMore: boolean;
    totalEstimate: number | null;
    ageSeconds: number;
    stale: boolean;
    removedDuplicates: number;
  };
}

export interface PhotoSource { query?: string; orientation?: string; color?: string; limit?: number }

export class Photos {
  constructor(connection: Connection);
  pager(source?: PhotoSource & { ahead?: number; signal?: AbortSignal }): Pager;
  page(source?: PhotoSource & { cursor?: string | null }, options?: Cancellable): Promise<PhotoPage>;
  photo(id: string, options?: { detail?: 'basic' | 'full' } & Cancellable): Promise<Photo>;
  /** `width` and `height` in points, `scale` in pixels a point (by default the screen's). */
  imageURL(
    photo: Pick<Photo, 'id'> | string,
    size?: { width?: number; height?: number; scale?: number; quality?: number; fit?: string; format?: string },
  ): string;
  trackDownload(photo: Pick<Photo, 'id'> | string): Promise<unknown>;
  prefetch(
    photos: Pick<Photo, 'id'>[],
    options?: { variant?: 'thumb' | 'small' | 'regular' | 'full' } & Cancellable,
  ): Promise<unknown>;
}

/** Pages one after the other, no photo twice. */
export class Pager extends Emitter<{ page: PhotoPage; problem: Problem }> {
  constructor(
    fetch: (cursor: string | null, options: Cancellable) => Promise<PhotoPage>,
    options?: { signal?: AbortSignal; ahead?: number },
  );
  /** All photos so far. */
  readonly items: Photo[];
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  /** The next page; null after the last one. After a failure it may be asked again. */
  next(): Promise<PhotoPage | null>;
  /** The photo at `index` is seen. */
  reached(index: number): void;
  [Symbol.asyncIterator](): AsyncGenerator<PhotoPage, void>;
}

/** Loads pictures while they are near the screen. */
export class ImageLoader {
  constructor(options?: {
    root?: Element | Document | null;
    margin?: string;
    atOnce?: number;
    onGivenUp?(image: HTMLImageElement): void;
  });
  watch(image: HTMLImageElement, source: string): void;
  retry(image: HTMLImageElement): void;
  clear(images: Iterable<HTMLImageElement>): void;
}

export const VERSION: string;

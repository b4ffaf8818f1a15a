// Types of springbar.js; those of answers are in answers.d.ts. Unless noted otherwise, lengths are points, times are
// seconds, and velocities are points per second.

import type * as Answers from './answers.cjs';
export type { Answers };

export interface Point { x: number; y: number }
export interface Size { width: number; height: number }
export interface Rect extends Point, Size {}
export interface EdgeInsets { top: number; left: number; bottom: number; right: number }

/** A scroll view, with UIKit's names. `contentOffset.y` is negative above the beginning of the content. */
export interface Scrollable {
  /** The default is `main`. */
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

/** Differences from AirBar; none by default. */
export interface BarOptions {
  snap?: 'nearest' | 'projected' | 'none';
  /** `normal` is 0.998, `fast` is 0.99; a number must be above 0 and below 1. */
  decelerationRate?: 'normal' | 'fast' | number;
  snapSequential?: boolean;
  snapOnCancel?: boolean;
  clampTargets?: boolean;
  /** Where content that moves up opens the bar again; `anywhere` by default. */
  reopen?: 'anywhere' | 'top';
  /** The points that content moves after a change of direction before the bar follows; 0 by default. */
  tolerance?: number;
  resistance?: Resistance;
  fixes?: Fix[];
}

export interface Resistance { dimension: number; constant?: number }

export type ValueRange = { value: number } | { range: [number, number] };
/** A number that follows the bar: over its two transitions, or by keyframes at a progress of 0 to 2. */
export type Track =
  | { compactNormalRange: ValueRange; normalExpandedRange: ValueRange }
  | { keyframes: { progress: number; value: number }[] };
export type Tracks = Record<string, Track>;

/** The body of `POST /v1/bars`. */
export type BarBody = { configuration: Configuration } & Beginning & BarSettings;
/** A view to attach, or the state in which an earlier bar goes on. */
export type Beginning = { scrollable: Scrollable; snapshot?: undefined } | { snapshot: Snapshot; scrollable?: undefined };
export interface BarSettings {
  /** With `applied` (the default), a command counts as carried out immediately, so its frames are not sent. */
  feedback?: 'applied' | 'echoed';
  tracks?: Tracks;
  ttlSeconds?: number;
  options?: BarOptions;
}

export type PanState = 'possible' | 'began' | 'changed' | 'ended' | 'cancelled' | 'failed';

/** The client sets `sequence` and `timestamp`. */
export type BarEvent = { scrollableId?: string; source?: 'user' | 'animation' } & (
  | { type: 'contentOffset'; contentOffset: Point }
  | { type: 'contentSize'; contentSize: Size }
  | { type: 'frame'; frame: Rect }
  | { type: 'contentInset'; contentInset: EdgeInsets }
  | { type: 'panGesture'; state: PanState; velocity?: Point }
  | { type: 'expand'; on: boolean }
  | { type: 'set' | 'preconfigure'; scrollable: Scrollable }
);

/** An event as it was sent, with the mark of the client that sent it. */
export type SentEvent = BarEvent & { timestamp: number };

export interface BarState {
  offset: number;
  height: number;
  isExpandedStateAvailable: boolean;
  /** 0 is compact, 1 normal, 2 expanded. */
  transitionProgress: number;
  stateRange: 'compactNormal' | 'normalExpanded';
}

/** The insets to write to a view before its commands are carried out. */
export interface WrittenScrollable {
  id: string;
  contentInset: { top: number; bottom: number };
  scrollIndicatorInsets: { top: number };
}

/** Stops the view's deceleration, then moves its content to `x`, `y`. */
export interface Command {
  type: 'updateContentOffset';
  scrollableId: string;
  x: number;
  y: number;
  animated: boolean;
  duration: number;
  stopsDeceleration: true;
  /** Only for a projected snap; `relativeVelocity` is in travels per second. */
  spring?: { dampingRatio: number; response: number; relativeVelocity: number };
}

export type Level = 'compact' | 'normal' | 'expanded';

/** The result of an event. */
export interface Outcome {
  commands: Command[];
  /** The states that the bar reached or passed, for haptic feedback. */
  crossings: { from: Level; to: Level; direction: 'expanding' | 'collapsing' }[];
  /** The view that a `preconfigure` prepared. */
  preconfigured?: WrittenScrollable;
}

/** The result of an event, and the bar after it. */
export interface Result extends Outcome {
  state: BarState;
  scrollable: WrittenScrollable;
  values: Record<string, number>;
}

/** All values that a bar keeps between two events. */
export interface Snapshot {
  offset: number;
  isExpandedStateAvailable: boolean;
  scrollable: Required<Scrollable>;
  previousContentOffset?: Point;
  previousContentSize?: Size;
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
  /** The body of a new bar that goes on where this one is. */
  readonly body: BarBody;
  /** Throws `Problem` and changes nothing if the service would refuse the event. */
  apply(event: BarEvent): Outcome;
  setTracks(changes: Record<string, Track | null>): void;
}

/** A bar as in the service's responses. */
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

/** The shown bar differed from the confirmed one. It is corrected immediately, to `state`. */
export interface Correction extends Result {
  /** The height that was shown, and the correct one. */
  from: number;
  to: number;
  /** The spring that animates the difference to zero. */
  spring: Spring;
  /** The remaining difference after `time` seconds. Add it to the height until it is zero. */
  residue(time: number): number;
}

/** The connection of a session to the service. */
export interface ConnectionState {
  /** A request is made and nothing was answered yet; the last request was answered; the next one waits. */
  state: 'connecting' | 'online' | 'waiting';
  /** The time of the next request while waiting, in the milliseconds of `performance.now()`. */
  retryAt: number | null;
  /** The reason to wait. */
  problem: Problem | null;
}

export interface BarEvents {
  /** The shown bar changed or has commands, because of an event of this client or a response of the service. */
  change: Result;
  /** A correction of more than half a point. `change` follows with the same content. */
  correction: Correction;
  /** The service has confirmed the events with these numbers; `milliseconds` is null if they were found in its log. */
  confirm: { first: number; last: number; milliseconds: number | null };
  /** With `results: 'all'`: the service's own results of these events. */
  answer: { answer: BarAnswer; events: (SentEvent & { sequence: number })[]; milliseconds: number };
  /** The session has an id, or a new one because it had ended. */
  session: BarAnswer;
  /** The state of the connection changed. */
  connection: ConnectionState;
  /** These events are dropped. If there are none, the session stops until `retry()`. */
  problem: { problem: Problem | Error; events: SentEvent[] };
}

/** An object with listeners. */
export class Emitter<Events> {
  /** Calls `listener` for each event. Returns a function that removes it. */
  on<Name extends keyof Events>(name: Name, listener: (detail: Events[Name]) => void): () => void;
}

export interface BarSessionOptions {
  /** The id of a session to continue, instead of a new one. */
  id?: string | null;
  /** The detail of responses (`answer`). */
  results?: 'last' | 'all' | 'none';
  explain?: boolean;
  /**
   * The most events that wait for the service; the default is 10,000. Then they are dropped (a `problem` with the code
   * `queue-full`), and another session goes on with the shown bar.
   */
  queueLimit?: number;
  /** Ends the session on this side; at the service it expires. */
  signal?: AbortSignal;
}

/** A session of one bar that does not wait for the network. */
export class Bar extends Emitter<BarEvents> {
  constructor(connection: Connection, body: BarBody, options?: BarSessionOptions);
  /** The bar after its creation, with the commands of the attachment. */
  readonly created: Result;
  /** The session's id; null until the service has created it. */
  readonly id: string | null;
  readonly lastSequence: number;
  readonly revision: number;
  /** The shown bar. The objects are the same until they change. */
  readonly state: BarState;
  readonly scrollable: WrittenScrollable;
  readonly values: Record<string, number>;
  readonly connection: ConnectionState;
  readonly snapshot: Snapshot;
  /** The events that are not confirmed. */
  readonly pendingEvents: SentEvent[];
  readonly isSettled: boolean;
  /**
   * Applies an event and sends it; after the end of the session it is only applied. Throws `Problem` and changes nothing
   * if the service would refuse it.
   */
  send(event: BarEvent): Result;
  /** Sets tracks by name; null removes a track. */
  setTracks(changes: Record<string, Track | null>): void;
  /** Reads the changes of other writers. */
  sync(): Promise<void>;
  /** Watches the changes of other writers on the service's stream. Returns a function that stops it. */
  follow(): () => void;
  /** Resolves when everything is confirmed. */
  settled(options?: { signal?: AbortSignal }): Promise<void>;
  /** Continues after a problem, or ends a pause. */
  retry(): void;
  /** Ends the session, also one that is being created. */
  end(): Promise<void>;
}

/** An error response (RFC 9457), no response, or input that the service would refuse. */
export class Problem extends Error {
  constructor(
    status?: number,
    body?: { code?: string; detail?: string; errors?: Problem['errors']; [member: string]: unknown },
    details?: { retryAfter?: number | null; requestId?: string | null; etag?: string | null; cause?: unknown },
  );
  /** 0 without a response. */
  readonly status: number;
  /** A code such as `sequence-gap`; `unreachable`, `timeout`, `unreadable`, `queue-full` and `ended` are the client's own. */
  readonly code: string;
  readonly errors: { pointer?: string; parameter?: string; detail: string }[];
  readonly requestId: string | null;
  /** Seconds before a retry. */
  readonly retryAfter: number | null;
  /** The ETag of the current state, with status 412. */
  readonly etag: string | null;
  readonly body: Record<string, unknown>;
  /** Whether a retry may succeed. */
  readonly isTransient: boolean;
}

/** Clock, random numbers and network, which tests can replace. */
export interface Environment {
  fetch(
    url: string,
    init: RequestInit,
  ): Promise<
    Pick<Response, 'ok' | 'status' | 'text'> & { headers: Pick<Headers, 'get'>; body?: Response['body'] }
  >;
  random(): number;
  /** In milliseconds. */
  now(): number;
  setTimeout(action: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
  /** undefined if there are no frames. */
  requestFrame(action: () => void): unknown;
}

export interface ConnectionOptions {
  /** The service's address; the default is the origin of the module. */
  base?: string;
  token?: string | null;
  /**
   * Called for a token if the service requires one or refused the last one, once a request; null means that there is none.
   * A failure is a `Problem` of the request, with the code `unauthorized`.
   */
  authorize?(): Promise<string | null> | string | null;
  /** The time limit of a response, in milliseconds. */
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
  /** Retries while the service is too busy. */
  get<Answer = unknown>(path: string, query?: Parameters, options?: Cancellable): Promise<Answer>;
  post<Answer = unknown>(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
  request<Answer = unknown>(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** Called after every response. */
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
  /** Starts the session of a bar, which can be used immediately. */
  bar(body: BarBody, options?: BarSessionOptions): Bar;
  /** Lets a bar follow a scrolling element; loads `follow.js`. */
  follow(list: Element, options: import('./follow.cjs').FollowOptions): Promise<import('./follow.cjs').BarFollower>;
  /** Returns the decision of an interface of "Building Fluid Interfaces". */
  gesture<Name extends keyof Gestures>(
    name: Name,
    body: Gestures[Name]['body'],
    options?: RequestOptions,
  ): Promise<Gestures[Name]['answer']>;
  status(options?: Cancellable): Promise<Answers.Status>;
}

/** The service's operations on springs. The parameters are those of the path. */
export class Springs {
  constructor(connection: Connection);
  spring(parameters: Parameters, options?: Cancellable): Promise<Answers.SpringAnswer>;
  linear(parameters: Parameters, options?: Cancellable): Promise<Answers.LinearAnswer>;
  curve(parameters: Parameters, options?: Cancellable): Promise<Answers.CurveAnswer>;
  retarget(parameters: Parameters, options?: Cancellable): Promise<Answers.RetargetAnswer>;
  compare(springs: { a: Parameters; b: Parameters }, options?: Cancellable): Promise<Answers.CompareAnswer>;
  conventions(parameters?: {}, options?: Cancellable): Promise<Answers.ConventionsAnswer>;
  presets(parameters?: {}, options?: Cancellable): Promise<Answers.PresetsAnswer>;
  rubberband(parameters: Parameters, options?: Cancellable): Promise<Answers.RubberbandAnswer>;
  designTokens(parameters?: {}, options?: Cancellable): Promise<Answers.DesignTokensAnswer>;
}

/** The contents and answers of the gestures. */
export interface Gestures {
  pause: { body: Answers.PauseGesture; answer: Answers.PauseAnswer };
  'force-button': { body: Answers.ForceButtonGesture; answer: Answers.ForceButtonAnswer };
  'calculator-button': { body: Answers.CalculatorButtonGesture; answer: Answers.CalculatorButtonAnswer };
  drawer: { body: Answers.DrawerGesture; answer: Answers.DrawerAnswer };
  pip: { body: Answers.PictureInPictureGesture; answer: Answers.PictureInPictureAnswer };
  rotation: { body: Answers.RotationGesture; answer: Answers.RotationAnswer };
}

/** A spring in one of three conventions, told apart by the names of its members. */
export type SpringParameters = {
  convention?: 'wwdc' | 'physical' | 'swiftui.durationBounce';
  /** In travels per second, positive towards the target; `relativeVelocity` is another name for it. */
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
  /** In points, with `velocity` in points per second. */
  value(
    time: number,
    motion: { start: number; target: number; velocity?: number },
  ): { value: number; velocity: number };
  /** The last time at which the distance exceeds `epsilon` of the travel; null if it never settles. */
  settlingTime(epsilon?: number): number | null;
  /** The spring of a motion that is interrupted at `time` and continues to `newTarget`. */
  retarget(time: number, motion: { start?: number; target?: number; velocity?: number; newTarget: number }): Spring;
  /**
   * The curve as line segments. `maxError`, from 0.0005 to 0.1 of the travel, is 0.002 by default. `duration`, from 1e-6
   * to 3600, is by default the time at which the spring has settled within the error. Others are a RangeError.
   */
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
/** Returns the distance to rest from `velocity`, in points. */
export function project(velocity: number, rate?: number): number;
/** Returns `velocity` in travels per second; 0 if there is no distance. */
export function relativeVelocity(velocity: number, current: number, target: number): number;
/** Returns how far UIKit's rubber band moves for a pull of 0 or more. */
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

/** `orientation` and `color` are filters of a search: without `query` they are omitted. */
export interface PhotoSource { query?: string; orientation?: string; color?: string; limit?: number }

export class Photos {
  constructor(connection: Connection);
  pager(source?: PhotoSource & { ahead?: number; signal?: AbortSignal }): Pager;
  page(source?: PhotoSource & { cursor?: string | null }, options?: Cancellable): Promise<PhotoPage>;
  photo(id: string, options?: { detail?: 'basic' | 'full' } & Cancellable): Promise<Photo>;
  /**
   * `width` and `height` are in points, `scale` in pixels per point (by default the screen's). If the service requires
   * tokens, `photo` must be one of its answers, whose links are signed.
   */
  imageURL(
    photo: Pick<Photo, 'id'> & Partial<Pick<Photo, 'images'>> | string,
    size?: { width?: number; height?: number; scale?: number; quality?: number; fit?: string; format?: string },
  ): string;
  trackDownload(photo: Pick<Photo, 'id'> | string): Promise<unknown>;
  prefetch(
    photos: Pick<Photo, 'id'>[],
    options?: { variant?: 'thumb' | 'small' | 'regular' | 'full' } & Cancellable,
  ): Promise<unknown>;
}

/** A sequence of pages without duplicate photos. */
export class Pager extends Emitter<{ page: PhotoPage; problem: Problem }> {
  constructor(
    fetch: (cursor: string | null, options: Cancellable) => Promise<PhotoPage>,
    options?: { signal?: AbortSignal; ahead?: number },
  );
  /** All photos so far. */
  readonly items: Photo[];
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  /** Returns the next page; null after the last one. It can be called again after a failure. */
  next(): Promise<PhotoPage | null>;
  /** Reports that the photo at `index` is visible. */
  reached(index: number): void;
  [Symbol.asyncIterator](): AsyncGenerator<PhotoPage, void>;
}

export const VERSION: string;

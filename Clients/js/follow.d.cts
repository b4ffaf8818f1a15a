// Types of follow.js: a bar that follows a list of a page, its animations, and pictures loaded near the screen.

import {
  Bar,
  BarBody,
  BarSessionOptions,
  BarSettings,
  BarState,
  Command,
  Configuration,
  Emitter,
  SpringParameters,
  Springbar,
  WrittenScrollable,
} from './springbar.cjs';

/** The appearance of a bar: its height in points, its progress from 0 to 2, and the values of its tracks. */
export interface Look {
  height: number;
  progress: number;
  values: Record<string, number>;
}

/** What a bar of the service, a session or a result shows. */
export interface Shown {
  state: BarState;
  scrollable: WrittenScrollable;
  values: Record<string, number>;
}

export interface FollowOptions extends BarSettings, Omit<BarSessionOptions, 'id'> {
  configuration: Configuration;
  /**
   * The element of the bar, which gets its height and the custom properties `--progress` and, for a track
   * `title.alpha`, `--title-alpha`; or a function that draws the bar.
   */
  bar: HTMLElement | ((look: Look) => void);
  /** The name of the list in the session; the default is `main`. */
  id?: string;
  /** Whether a mouse drags the list, as a finger does. */
  mouse?: boolean;
  /** Stops the follower. */
  signal?: AbortSignal;
}

/** Lets a bar follow a scrolling element. */
export class BarFollower extends Emitter<{
  /** A finger or a wheel touched the list. */
  touch: void;
  /** `isAtRest` may have changed. */
  activity: void;
}> {
  constructor(springbar: Springbar, list: Element, options: FollowOptions);
  /** The session, with the predicted and the confirmed bar. */
  readonly session: Bar;
  /** The body of the session's creation. */
  readonly body: BarBody;
  /** The attached element. */
  readonly list: HTMLElement;
  /** The list's content offset; minus the top inset at its beginning. */
  readonly y: number;
  /** Whether nothing moves and every event is confirmed. */
  readonly isAtRest: boolean;
  /** Whether the bar is open or opens. */
  readonly isOpen: boolean;
  /** Opens or closes the bar, with an animation. */
  expand(on?: boolean): void;
  /** Puts another list under the bar. */
  attach(list: Element, id: string): void;
  /** Shows another bar, such as one of the past; movements of the list are then ignored. */
  preview(bar: Shown, y?: number | null): void;
  /** Ends a preview; the list goes to `y`. */
  resume(y: number): void;
  /** Releases the list and the bar as they are, and ends the session. */
  stop(): Promise<void>;
}

/** Lets a bar follow a scrolling element; `springbar.follow` loads this module first. */
export function follow(springbar: Springbar, list: Element, options: FollowOptions): BarFollower;

/** A running animation. */
export class Animation {
  /** Calls `step(seconds)` each frame until it returns true. */
  constructor(step: (seconds: number) => boolean);
  /** Resolves with true at the end, or with false if the animation was stopped. */
  readonly finished: Promise<boolean>;
  readonly isRunning: boolean;
  stop(): void;
}

/** Follows a spring from 0 to 1, and ends exactly at (1, 0). */
export function animateSpring(
  spring: SpringParameters,
  apply: (position: number, velocity: number) => void,
): Animation;
/** Follows the spring of a command from 0 to 1. */
export function animateCommand(spring: NonNullable<Command['spring']>, apply: (position: number) => void): Animation;
/** UIKit's curve for a command without a spring, over `duration` seconds. */
export function animateEase(duration: number, apply: (progress: number) => void): Animation;
/** Whether the system requests reduced motion: all animations then end at once. */
export function prefersStillness(): boolean;

export function lookOf(bar: Pick<Shown, 'state' | 'values'>): Look;
/** Interpolates two appearances; `progress` may overshoot. */
export function mix(from: Look, to: Look, progress: number): Look;
/** Draws an appearance as `FollowOptions.bar` describes. */
export function paint(element: HTMLElement, look: Look): void;

/** Returns the position of a list of height `dimension` for a pull `y` of the finger, beyond its ends as in UIKit. */
export function banded(y: number, minimum: number, maximum: number, dimension: number): number;
/** Returns the pull of the finger for a position `y`. */
export function unbanded(y: number, minimum: number, maximum: number, dimension: number): number;

/** The velocity over the last tenth of a second, per second and for each axis. */
export class VelocityTracker {
  /** Adds a position at a time in milliseconds. */
  add(time: number, ...position: number[]): void;
  /** Returns the velocity at a time in milliseconds; zero after a rest. */
  velocity(time: number): number[];
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

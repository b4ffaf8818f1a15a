// The spring that an answer carries, ready to be run.

/** `relativeVelocity` is the one of the axis, or of the whole. */
export function springOf({ spring }, relativeVelocity) {
  return {
    dampingRatio: spring.dampingRatio,
    response: spring.response,
    initialVelocity: relativeVelocity ?? 0,
  };
}

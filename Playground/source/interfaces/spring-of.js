// Creates the spring of a response.

/** `relativeVelocity` is that of the axis, or of the whole motion. */
export function springOf({ spring }, relativeVelocity) {
  return {
    dampingRatio: spring.dampingRatio,
    response: spring.response,
    initialVelocity: relativeVelocity ?? 0,
  };
}

// A damped spring about its rest, exactly: y'' + 2γy' + ω²y = 0 with γ = ζω, for every damping ratio ζ.
//
//     y (t) = E [ y₀ (c + a q) + y₁ q ]        y'(t) = E [ y₁ c - (ω² y₀ + b y₁) q ]
//
// - ζ < 1: E = e^(-γt), c = cos rt, q = sin(rt)/r, a = b = γ, r = ω√((1-ζ)(1+ζ)).
// - ζ ≥ 1: E = e^(-slow t), c = 1, q = (1 - e^(-2rt))/2r, a = slow, b = fast, r = ω√((ζ-1)(ζ+1)),
//   fast = ω(ζ + √((ζ-1)(ζ+1))), slow = ω²/fast. Nothing overflows, and no two close numbers are subtracted.

/** Returns `(time) => [displacement, rate]` of the motion that starts with `y0` and `y1`. */
export function freeMotion(ratio, frequency, y0, y1) {
  const root = Math.sqrt(Math.abs((1 - ratio) * (1 + ratio)));
  const split = frequency * root;
  const slow = frequency * (ratio < 1 ? ratio : 1 / (ratio + root));
  const fast = ratio < 1 ? slow : frequency * (ratio + root);
  return (time) => {
    const envelope = Math.exp(-slow * time);
    let [c, q] = [1, time];
    if (ratio < 1) [c, q] = [Math.cos(split * time), Math.sin(split * time) / split];
    else if (split > 0) q = -Math.expm1(-2 * split * time) / (2 * split);
    return [
      envelope * (y0 * (c + slow * q) + y1 * q),
      envelope * (y1 * c - (frequency * frequency * y0 + fast * y1) * q),
    ];
  };
}

/**
 * Returns the last time, in seconds, at which the motion that starts with 1 and `y1` is further than `threshold` from
 * rest; null if there is none.
 *
 * Between two extrema the motion is monotone, and each extremum is smaller than the previous by the same factor. The
 * last extremum above the threshold is found by a logarithm. The result is the one crossing after it.
 */
export function lastTimeAbove(threshold, ratio, frequency, y1) {
  const motion = freeMotion(ratio, frequency, 1, y1);
  const distance = (time) => Math.abs(motion(time)[0]);
  const root = Math.sqrt(Math.abs((1 - ratio) * (1 + ratio)));
  const split = frequency * root;
  let [start, end] = [0, Infinity];
  if (ratio < 1) {
    const angle = Math.atan2(y1 * split, frequency * (frequency + ratio * y1));
    const interval = Math.PI / split;
    const first = angle < 0 ? angle / split + interval : angle / split;
    if (distance(first) > threshold) {
      if (ratio === 0) return null;
      const loss = ratio * frequency * interval;
      let index = Math.floor(Math.log(distance(first) / threshold) / loss);
      // The logarithm may be off by one in either direction at the limit.
      if (distance(first) * Math.exp(-loss * index) <= threshold) index -= 1;
      if (distance(first) * Math.exp(-loss * (index + 1)) > threshold) index += 1;
      start = first + index * interval;
      end = start + interval;
    } else end = first;
  } else {
    const q = y1 / (frequency * (frequency + (ratio + root) * y1));
    const isTurning = q > 0 && 2 * split * q < 1;
    const turn = isTurning ? (split > 0 ? -Math.log1p(-2 * split * q) / (2 * split) : q) : 0;
    if (distance(turn) > threshold) start = turn;
    else end = turn;
  }
  if (!(distance(start) > threshold)) return 0;
  // A threshold below 0 is never reached: it ends when the span is infinite, too.
  for (let span = 1 / frequency; end - span === Infinity; span *= 2) {
    if (!(distance(start + span) > threshold)) end = start + span;
  }
  // Bisection to the last bit, on the side of the start; the motion beyond rest may be as large.
  const side = Math.sign(motion(start)[0]);
  for (;;) {
    const middle = start + (end - start) / 2;
    if (!(middle > start && middle < end)) return start;
    if (side * motion(middle)[0] > threshold) start = middle;
    else end = middle;
  }
}

// A spring as a CSS rule to paste: the easing, its duration, and what older browsers get.

const PROPERTIES = { x: 'transform', scale: 'scale', opacity: 'opacity', rotate: 'rotate' };

/** The rule for an answer of `GET /v1/springs/linear` and what moves: `x`, `scale`, `opacity` or `rotate`. */
export function cssRule({ css, fallback, duration }, look) {
  const time = `${Math.round(duration * 1000)}ms`;
  const property = PROPERTIES[look];
  return [
    '.element {',
    `  transition: ${property} ${time} ${fallback};`,
    '}',
    '@supports (transition-timing-function: linear(0, 1)) {',
    '  .element {',
    `    transition: ${property} ${time} ${css};`,
    '  }',
    '}',
  ].join('\n');
}

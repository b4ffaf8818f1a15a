// A spring as a CSS rule: the easing, its duration, and a fallback for older browsers.

const PROPERTIES = { x: 'transform', scale: 'scale', opacity: 'opacity', rotate: 'rotate' };

/** Returns the rule for a response of `GET /v1/springs/linear` and a property: `x`, `scale`, `opacity` or `rotate`. */
export function cssRule({ css, fallback, duration }, look) {
  const time = `${Math.round(duration * 1000)}ms`;
  const property = PROPERTIES[look];
  return [
    '.element {',
    `  transition: ${property} ${time} ${fallback};`,
    '}',
    '/* Chrome 113, Firefox 112, Safari 17.2 */',
    '@supports (transition-timing-function: linear(0, 1)) {',
    '  .element {',
    `    transition: ${property} ${time} ${css};`,
    '  }',
    '}',
  ].join('\n');
}

// The style sheet of followed lists: the box after the content, of a height for whole pixels, and the shift beyond an end.

// The box after the content has a row of its own in a grid and in a flexible list, and no gap before it. The content is
// shifted without a transition; those that run go on, which another `transition-property` would cancel.
const SHEET = `[data-springbar]::after{content:'';display:block;flex:none;grid-column:1/-1;clear:both;width:100%;\
margin-top:var(--springbar-gap);height:var(--springbar-bottom)}\
[data-springbar=shifted]>*{translate:0 var(--springbar-shift);\
transition-duration:0s!important;transition-delay:0s!important}`;
/** Half of the unit in which a browser lays out, in pixels of the device; a length is rounded down to such a unit. */
const HALF_UNIT = 1 / 128;

let sheet;

/** Adds the style sheet to the document or the shadow tree of an element. */
export function adoptStyles(element) {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(SHEET);
  }
  const root = element.getRootNode();
  const scope = 'adoptedStyleSheets' in root ? root : document;
  if (!scope.adoptedStyleSheets.includes(sheet)) scope.adoptedStyleSheets = [...scope.adoptedStyleSheets, sheet];
}

/**
 * Returns the length that a range to scroll lacks to whole pixels. Chromium rounds the edges of content and frame
 * separately; a finger at the end would otherwise find one more pixel, and not scroll the page.
 */
export function restOfPixel(range) {
  // Pixels of a page are whole ones of the device, or the latter are used.
  const pixel = Number.isInteger(devicePixelRatio) ? 1 : 1 / devicePixelRatio;
  const error = HALF_UNIT / devicePixelRatio;
  return Math.ceil((range - error) / pixel) * pixel - range + error;
}

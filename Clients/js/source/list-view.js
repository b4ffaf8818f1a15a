// A scrolling element with UIKit's content offset, which starts at minus the top inset and may exceed both ends. The
// browser's own element scrolls, so keys, assistive technology and scroll bars work. The top inset is its padding, the
// bottom one a box after its content, because padding could enlarge a list with little content. Beyond an end the
// content is shifted.

/** The styles of the element that are restored. */
const STYLES = ['paddingTop', 'boxSizing', 'overflowAnchor'];
const SHEET = `
  [data-springbar]::after { content: ''; display: block; flex: none; height: var(--springbar-bottom) }
  [data-springbar=shifted] > * { translate: 0 var(--springbar-shift) }
`;
/** Half of the unit in which a browser lays out, in pixels of the device; a length is rounded down to such a unit. */
const HALF_UNIT = 1 / 128;
let sheet;

/** Adds the style sheet to the document or the shadow tree of an element. */
function style(element) {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(SHEET);
  }
  const root = element.getRootNode();
  const scope = 'adoptedStyleSheets' in root ? root : document;
  if (!scope.adoptedStyleSheets.includes(sheet)) scope.adoptedStyleSheets = [...scope.adoptedStyleSheets, sheet];
}

export class ListView {
  #y;
  #inset;
  #frame = { width: 0, height: 0 };
  #size = { width: 0, height: 0 };
  #writtenTop = 0;
  /** The distance by which the content is shifted. */
  #shifted = 0;
  /** The part of a pixel by which the box after the content is larger than the inset. */
  #rest = 0;
  #styles;

  /** The name of the list in a session. */
  id;
  element;
  /** Called with the offset when the browser has scrolled: by keys, a screen reader or a scroll bar. */
  onForeignScroll = () => {};
  /** Called when the size of the content or the frame has changed. */
  onResize = () => {};

  /** A list at its beginning stays there when it gets its inset of `top` points; `signal` releases the element. */
  constructor(id, element, top, signal) {
    this.id = id;
    this.element = element;
    this.#styles = STYLES.map((name) => element.style[name]);
    const padding = parseFloat(getComputedStyle(element).paddingTop) || 0;
    this.#y = element.scrollTop > 0 ? element.scrollTop - padding : -top;
    // A browser that holds the visible content in place would undo the changes of the padding.
    element.style.overflowAnchor = 'none';
    // The padding must not enlarge the list.
    element.style.boxSizing = 'border-box';
    style(element);
    element.style.paddingTop = `${top}px`;
    this.#extend(0);
    this.#shift(0);
    this.#inset = { top, bottom: 0 };
    this.measure();
    this.moveTo(this.#y);
    element.addEventListener('scroll', () => this.#readBack(), { passive: true, signal });
    this.#observe(signal);
  }

  /** The content offset in points; minus the top inset at the start of the content. */
  get y() {
    return this.#y;
  }

  get size() {
    return this.#size;
  }

  get frame() {
    return { x: 0, y: 0, ...this.#frame };
  }

  get minimumY() {
    return -this.#inset.top;
  }

  get maximumY() {
    return Math.max(this.minimumY, this.#size.height + this.#inset.bottom - this.#frame.height);
  }

  /** The geometry for a session. */
  get scrollable() {
    return {
      id: this.id,
      contentOffset: { x: 0, y: this.#y },
      contentSize: this.#size,
      frame: this.frame,
      contentInset: { top: this.#inset.top, left: 0, bottom: this.#inset.bottom, right: 0 },
    };
  }

  /** Reads the sizes of the element; returns which of them have changed. */
  measure() {
    const { clientWidth: width, clientHeight } = this.element;
    // A hidden list has no size, so its last one is kept.
    if (clientHeight === 0) return { size: false, frame: false };
    const frame = { width, height: clientHeight };
    const size = { width, height: this.#contentHeight() };
    const change = { size: !isSame(size, this.#size), frame: !isSame(frame, this.#frame) };
    if (change.size) this.#size = size;
    if (change.frame) this.#frame = frame;
    return change;
  }

  /** Sets the insets; the content keeps its position on the screen. */
  setInset({ top, bottom }) {
    if (top === this.#inset.top && bottom === this.#inset.bottom) return;
    this.#inset = { top, bottom };
    this.element.style.paddingTop = `${top}px`;
    this.#extend(bottom);
    this.moveTo(this.#y);
  }

  /** Scrolls to an offset, which may lie beyond the ends. */
  moveTo(y) {
    this.#y = y;
    const inside = this.clamped(y);
    this.#shift(inside - y);
    // The end of the element may be a part of a pixel further, which must not remain to be scrolled.
    const end = inside === this.maximumY ? 1 : 0;
    this.element.scrollTo({ top: inside - this.minimumY + end, behavior: 'instant' });
    this.#writtenTop = this.element.scrollTop;
  }

  /** The nearest offset at which the list can rest. */
  clamped(y) {
    return Math.min(this.maximumY, Math.max(this.minimumY, y));
  }

  /** A content that is shorter than the frame is measured with a longer end. */
  #contentHeight() {
    const { top, bottom } = this.#inset;
    this.#extend(bottom);
    const { clientHeight, scrollHeight } = this.element;
    if (scrollHeight > clientHeight) return scrollHeight - top - bottom;
    this.#extend(bottom + clientHeight);
    const height = this.element.scrollHeight - clientHeight - top - bottom;
    this.#extend(bottom);
    return height;
  }

  /**
   * Sets the height of the box after the content, so that whole pixels can be scrolled. Chromium rounds the edges of
   * content and frame separately; a finger at the end would then find one more pixel, and not scroll the page.
   */
  #extend(bottom) {
    const { element } = this;
    const last = element.lastElementChild;
    const { top, height } = element.getBoundingClientRect();
    // A list that is drawn smaller has no exact sizes.
    if (last && Math.abs(height - element.offsetHeight) < 1) {
      const margin = parseFloat(getComputedStyle(last).marginBottom) || 0;
      const end = last.getBoundingClientRect().bottom + margin + element.scrollTop - this.#shifted;
      const range = end - top + bottom - height;
      // Pixels of a page are whole ones of the device, or the latter are used.
      const pixel = Number.isInteger(devicePixelRatio) ? 1 : 1 / devicePixelRatio;
      const error = HALF_UNIT / devicePixelRatio;
      this.#rest = Math.ceil((range - error) / pixel) * pixel - range + error;
    }
    element.style.setProperty('--springbar-bottom', `${bottom + this.#rest}px`);
  }

  #shift(distance) {
    this.#shifted = distance;
    this.element.dataset.springbar = distance === 0 ? '' : 'shifted';
    this.element.style.setProperty('--springbar-shift', `${distance}px`);
  }

  #readBack() {
    const top = this.element.scrollTop;
    // The browser rounds offsets to device pixels, so a smaller difference is not a scroll by the browser.
    if (Math.abs(top - this.#writtenTop) < 1) return;
    this.#writtenTop = top;
    this.#y = top + this.minimumY;
    if (Math.abs(this.maximumY - this.#y) < 1) this.#y = this.maximumY;
    this.#shift(0);
    this.onForeignScroll(this.#y);
  }

  #observe(signal) {
    const { element } = this;
    const report = () => {
      const change = this.measure();
      if (change.size || change.frame) this.onResize(change);
    };
    const sizes = new ResizeObserver(report);
    sizes.observe(element, { box: 'border-box' });
    const isElement = (node) => node instanceof Element;
    for (const child of element.children) sizes.observe(child);
    const children = new MutationObserver((records) => {
      for (const { addedNodes, removedNodes } of records) {
        for (const node of [...removedNodes].filter(isElement)) sizes.unobserve(node);
        for (const node of [...addedNodes].filter(isElement)) sizes.observe(node);
      }
      report();
    });
    children.observe(element, { childList: true });
    signal.addEventListener('abort', () => {
      sizes.disconnect();
      children.disconnect();
      STYLES.forEach((name, index) => (element.style[name] = this.#styles[index]));
      for (const name of ['--springbar-bottom', '--springbar-shift']) element.style.removeProperty(name);
      delete element.dataset.springbar;
    });
  }
}

/** Heights are rounded to pixels when they are read. */
function isSame(a, b) {
  return a.width === b.width && Math.abs(a.height - b.height) < 1;
}

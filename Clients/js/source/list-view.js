// A scrolling element with UIKit's content offset, which starts at minus the top inset and may exceed both ends. The
// browser's own element scrolls, so keys, assistive technology and scroll bars work. The top inset is added to its
// padding, and the bottom one is a box after its content, because padding could enlarge a list with little content.
// Beyond an end the content is shifted. In the document, only the insets become larger: a shifted body would take
// elements with a fixed position along.

import { anchorIn } from './anchor.js';
import { adoptStyles, restOfPixel } from './list-style.js';

/** The styles of the element that are restored. */
const STYLES = ['paddingTop', 'boxSizing', 'overflowAnchor', 'scrollPaddingTop', 'scrollSnapType'];
const PADDINGS = ['paddingTop', 'scrollPaddingTop'];
const PROPERTIES = ['bottom', 'gap', 'shift', 'height', 'inset'].map((name) => `--springbar-${name}`);

export class ListView {
  #y;
  #inset;
  /** Whether the insets are written to the element. */
  #isWritten = false;
  /** The written top inset. */
  #top = 0;
  /** The paddings of the page: of the element, and for what is scrolled into view. */
  #own;
  /** The heights of the bar: the shown one, and the one that the top of the list has. */
  #bar;
  #normal;
  #frame = { width: 0, height: 0 };
  #size = { width: 0, height: 0 };
  #writtenTop = 0;
  /** The distance by which the content is shifted. */
  #shifted = 0;
  /** The part of a pixel by which the box after the content is larger than the inset. */
  #rest = 0;
  /** The part of the gap before that box which it cannot take back: a row of a grid has no negative height. */
  #excess = 0;
  /** The element that keeps its place when the content before it changes; null at the beginning of the list. */
  #anchor = null;
  #isGliding = false;
  /** Whether the element had a size when it was last measured; a hidden one has none. */
  #isShown;
  #styles;

  /** The name of the list in a session. */
  id;
  element;
  /** Whether the list is the document. */
  isRoot;
  /** The `scroll-snap-type` of the page, which the list turns off. */
  snapType;
  /** Whether the list begins at its lower end, as a chat with `column-reverse`: its offsets are negative. */
  isReversed;
  /** The distance by which the content before the anchor has grown since the beginning. */
  drift = 0;
  /** Called with the distance when the browser has scrolled: by keys, a screen reader or a scroll bar. */
  onForeignScroll = () => {};
  /** Called when the size of the content or the frame has changed, or the content before the anchor (`anchored`). */
  onResize = () => {};

  /** A list at its beginning stays there when it gets its inset of `top` points; `signal` releases the element. */
  constructor(id, element, top, signal) {
    // First, because it refuses an element of another document.
    adoptStyles(element);
    this.id = id;
    this.element = element;
    this.isRoot = element === document.scrollingElement;
    this.#styles = STYLES.map((name) => element.style[name]);
    const { scrollSnapType, display, flexDirection } = getComputedStyle(element);
    this.snapType = scrollSnapType;
    this.isReversed = /flex/.test(display) && flexDirection === 'column-reverse';
    this.#readPaddings();
    this.#y = element.scrollTop > 0 ? element.scrollTop : -top;
    // The list anchors its content itself: a browser would also undo the changes of the padding.
    element.style.overflowAnchor = 'none';
    // A browser would snap every step of a gesture.
    element.style.scrollSnapType = 'none';
    // The padding must not enlarge the list.
    element.style.boxSizing = 'border-box';
    this.#inset = { top, bottom: 0 };
    this.#normal = this.#bar = top;
    this.setBar(top);
    this.#shift(0);
    this.#write();
    this.measure();
    this.moveTo(this.#y);
    this.target.addEventListener('scroll', () => this.readBack(), { passive: true, signal });
    this.#isShown = element.clientHeight > 0;
    this.#showTarget();
    this.#observe(signal);
  }

  /** Scrolls the target of the page's address from under the bar, where the browser has put it before there was a bar. */
  #showTarget() {
    const target = this.element.querySelector(':target');
    const place = target && target.getBoundingClientRect().top - this.frameTop;
    if (!target || place < -1 || place > this.#bar - 1) return;
    target.scrollIntoView({ behavior: 'instant' });
    this.readBack();
  }

  /** The target of the element's events: those of a scrolling document are its own. */
  get target() {
    return this.isRoot ? document : this.element;
  }

  /** The y coordinate of the frame in the window. */
  get frameTop() {
    return this.isRoot ? 0 : this.element.getBoundingClientRect().top + this.element.clientTop;
  }

  /** The pixels of the window in one of the element: another number than 1 if the element is zoomed or transformed. */
  get scale() {
    const { offsetHeight } = this.element;
    const { height } = this.element.getBoundingClientRect();
    // A height may have a part of a pixel; the document scrolls in pixels of the window.
    return this.isRoot || Math.abs(height - offsetHeight) < 1 ? 1 : height / offsetHeight;
  }

  /** Whether the element can scroll: its height is limited, and its style allows it. */
  get canScroll() {
    const { element } = this;
    if (this.isRoot) return true;
    this.#extend(this.#inset.bottom + element.clientHeight);
    const isLimited = element.scrollHeight > element.clientHeight;
    this.#extend(this.#inset.bottom);
    return isLimited && /auto|scroll|hidden/.test(getComputedStyle(element).overflowY);
  }

  /**
   * Whether gestures are the browser's: on a reversed list, and on a document that the page has locked, as below a
   * dialog. The window has the overflow of the root or, if that is visible, of the body
   * (https://drafts.csswg.org/css-overflow-3/#overflow-propagation).
   */
  get hasNoGestures() {
    if (!this.isRoot) return this.isReversed;
    const [root, body] = [document.documentElement, document.body].map((element) => getComputedStyle(element));
    return /hidden|clip/.test((root.overflow === 'visible' ? body : root).overflowY);
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
    // An element that grows with its inset would get a larger one for its larger frame, without end.
    const isFrame = !isSame(frame, this.#frame) && (this.#frame.height === 0 || this.canScroll);
    const change = { size: !isSame(size, this.#size), frame: isFrame };
    if (change.size) this.#size = size;
    if (change.frame) this.#frame = frame;
    return change;
  }

  /** Sets the insets; the content keeps its position on the screen. */
  setInset({ top, bottom }) {
    if (top === this.#inset.top && bottom === this.#inset.bottom) return;
    this.#inset = { top, bottom };
    this.#isWritten = false;
    if (!this.#isGliding) this.moveTo(this.#y);
  }

  /**
   * Whether the browser scrolls the element. A write of the offset would end that, so insets are written afterwards, and
   * the browser anchors the content.
   */
  set isGliding(isGliding) {
    if (isGliding === this.#isGliding) return;
    this.#isGliding = isGliding;
    this.element.style.overflowAnchor = isGliding ? 'auto' : 'none';
    if (!isGliding && !this.#isWritten) this.moveTo(this.#y);
  }

  /**
   * Tells the page the height of the bar. What is scrolled into view stops below the bar that will be there: a scroll
   * towards the beginning enlarges it to the normal height.
   */
  setBar(height) {
    const { style } = this.element;
    this.#bar = height;
    style.setProperty('--springbar-height', `${height}px`);
    style.scrollPaddingTop = `${Math.max(height, this.#normal) + this.#own[1]}px`;
  }

  /** Scrolls to an offset, which may lie beyond the ends. */
  moveTo(y) {
    this.#y = y;
    if (!this.#isWritten) this.#write();
    const inside = this.clamped(y);
    this.#shift(inside - y);
    // The end of the element may be a part of a pixel further, which must not remain to be scrolled.
    const end = inside === this.maximumY ? 1 : 0;
    const beyond = this.isRoot ? Math.max(0, y - inside) : 0;
    // A list that begins at its lower end keeps its place: the bar does not know its offsets.
    if (!this.isReversed) this.element.scrollTo({ top: inside - this.minimumY + end + beyond, behavior: 'instant' });
    this.#writtenTop = this.element.scrollTop;
    // A hidden list does not scroll, so it is written again when it is shown.
    if (this.element.clientHeight === 0) this.#isWritten = false;
    this.#findAnchor();
  }

  /** The nearest offset at which the list can rest. */
  clamped(y) {
    return Math.min(this.maximumY, Math.max(this.minimumY, y));
  }

  #write() {
    const { top, bottom } = this.#inset;
    this.#isWritten = true;
    this.#top = top;
    this.element.style.setProperty('--springbar-inset', `${top}px`);
    this.#pad();
    this.#extend(bottom);
  }

  #pad() {
    const beyond = this.isRoot ? Math.max(0, this.#shifted) : 0;
    this.element.style.paddingTop = `${this.#top + this.#own[0] + beyond}px`;
  }

  /** Reads the paddings of the page, which the element has without those of the list. */
  #readPaddings() {
    const { style } = this.element;
    for (const name of PADDINGS) style[name] = this.#styles[STYLES.indexOf(name)];
    const computed = getComputedStyle(this.element);
    this.#own = PADDINGS.map((name) => parseFloat(computed[name]) || 0);
  }

  /** Another width may have other paddings. Without its insets, the list may be shorter than its offset. */
  #updatePaddings() {
    const { scrollTop } = this.element;
    this.#readPaddings();
    this.#pad();
    this.setBar(this.#bar);
    this.element.scrollTo({ top: scrollTop, behavior: 'instant' });
  }

  #findAnchor() {
    const edge = this.frameTop + this.#bar;
    this.#anchor = -this.#y < this.#bar - 1 ? anchorIn(this.element, edge) : null;
  }

  /** Moves the anchor back to its place; returns the distance. */
  #keepAnchor() {
    if (this.#isGliding || !this.#anchor?.element.isConnected) return 0;
    const distance = this.#anchor.element.getBoundingClientRect().top - this.#anchor.top;
    // An anchor that is not drawn any more has no place.
    if (Math.abs(distance) < 1 || this.#anchor.element.getClientRects().length === 0) return 0;
    this.drift += distance;
    this.moveTo(this.clamped(this.#y + distance));
    return distance;
  }

  /** A content that is shorter than the frame is measured with a longer end. */
  #contentHeight() {
    const { bottom } = this.#inset;
    const around = this.#top + bottom + (this.isRoot ? Math.abs(this.#shifted) : 0);
    this.#extend(bottom);
    const { clientHeight, scrollHeight } = this.element;
    if (scrollHeight > clientHeight) return scrollHeight - around - this.#excess;
    this.#extend(bottom + clientHeight);
    const height = this.element.scrollHeight - clientHeight - around;
    this.#extend(bottom);
    // The box after columns is beside them.
    return Math.max(0, height);
  }

  /** Sets the height of the box after the content, so that whole pixels can be scrolled. */
  #extend(bottom) {
    const { element } = this;
    const last = element.lastElementChild;
    const { top, height } = this.isRoot ? { top: 0, height: element.clientHeight } : element.getBoundingClientRect();
    // A list that is drawn smaller has no exact sizes.
    if (last && (this.isRoot || Math.abs(height - element.offsetHeight) < 1)) {
      const margin = parseFloat(getComputedStyle(last).marginBottom) || 0;
      const end = last.getBoundingClientRect().bottom + margin + element.scrollTop - this.#shifted;
      this.#rest = restOfPixel(end - top + bottom - height);
    }
    const { display, rowGap } = getComputedStyle(element);
    const gap = (/flex|grid/.test(display) && parseFloat(rowGap)) || 0;
    element.style.setProperty('--springbar-gap', `-${gap}px`);
    const beyond = this.isRoot ? Math.max(0, -this.#shifted) : 0;
    const box = bottom + this.#rest + beyond;
    element.style.setProperty('--springbar-bottom', `${box}px`);
    this.#excess = /grid/.test(display) && box < gap ? gap - bottom - beyond : 0;
  }

  #shift(distance) {
    const hasChanged = distance !== this.#shifted;
    this.#shifted = distance;
    if (this.isRoot) {
      this.element.dataset.springbar = '';
      if (!hasChanged) return;
      this.#pad();
      return this.#extend(this.#inset.bottom);
    }
    this.element.dataset.springbar = distance === 0 ? '' : 'shifted';
    this.element.style.setProperty('--springbar-shift', `${distance}px`);
  }

  /** Follows the element if the browser has scrolled it. */
  readBack() {
    const top = this.element.scrollTop;
    // The browser rounds offsets to device pixels, so a smaller difference is not a scroll by the browser.
    if (this.isReversed || Math.abs(top - this.#writtenTop) < 1) return;
    const distance = top - this.#writtenTop;
    this.#writtenTop = top;
    this.#y = top - this.#top;
    if (Math.abs(this.maximumY - this.#y) < 1) this.#y = this.maximumY;
    this.#shift(0);
    this.onForeignScroll(distance);
    this.refresh();
    this.#findAnchor();
  }

  /** Reports sizes that have changed without a notice, as of content that outgrows a child with a height of its own. */
  refresh() {
    const change = this.measure();
    if (change.size || change.frame) this.onResize({ ...change, anchored: 0 });
  }

  #observe(signal) {
    const { element } = this;
    const report = () => {
      const wasShown = this.#isShown;
      this.#isShown = element.clientHeight > 0;
      if (!this.#isShown) return;
      // The browser has moved the end of a list that became shorter, and a list that was moved to another place in the
      // page has lost its offset. Neither is content that grew above the anchor.
      if (this.#isWritten && (!wasShown || this.#shifted === 0)) this.readBack();
      else if (!wasShown) this.moveTo(this.#y);
      if (element.clientWidth !== this.#frame.width) this.#updatePaddings();
      const change = { ...this.measure(), anchored: this.#keepAnchor() };
      if (change.size || change.frame || change.anchored) this.onResize(change);
    };
    // The frame of the document is the window.
    if (this.isRoot) addEventListener('resize', report, { signal });
    const sizes = new ResizeObserver(report);
    sizes.observe(element, { box: 'border-box' });
    const isElement = (node) => node instanceof Element;
    for (const child of element.children) sizes.observe(child);
    const children = new MutationObserver((records) => {
      const own = records.filter(({ target }) => target === element);
      for (const { addedNodes, removedNodes } of own) {
        for (const node of [...removedNodes].filter(isElement)) sizes.unobserve(node);
        for (const node of [...addedNodes].filter(isElement)) sizes.observe(node);
      }
      if (own.length > 0 || Math.abs(this.#contentHeight() - this.#size.height) >= 1) report();
    });
    // Content further inside may outgrow a child without a change of the child's size.
    children.observe(element, { childList: true, characterData: true, subtree: true });
    signal.addEventListener('abort', () => {
      sizes.disconnect();
      children.disconnect();
      const y = element.scrollTop - this.#top;
      STYLES.forEach((name, index) => (element.style[name] = this.#styles[index]));
      for (const name of PROPERTIES) element.style.removeProperty(name);
      delete element.dataset.springbar;
      // The content keeps its place on the screen, as far as the list can scroll.
      if (!this.isReversed) element.scrollTo({ top: y, behavior: 'instant' });
    });
  }
}

/** Heights are rounded to pixels when they are read. */
function isSame(a, b) {
  return a.width === b.width && Math.abs(a.height - b.height) < 1;
}

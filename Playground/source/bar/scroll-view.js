// A list with UIKit's content offset, which starts at minus the top inset and may exceed both ends. The browser's own
// element scrolls, so keys, assistive technology and scroll bars work. Beyond the ends the content is shifted.

export class ScrollView {
  #scroller;
  #content;
  #y = 0;
  #inset = { top: 0, bottom: 0 };
  #frame = { width: 0, height: 0 };
  #size = { width: 0, height: 0 };
  #writtenTop = 0;

  /** The name of the list in a session. */
  id;
  /** Called with the offset when the browser has scrolled: by keys, a screen reader or a scroll bar. */
  onForeignScroll = () => {};
  /** Called when the size of the content or the frame has changed. */
  onResize = () => {};

  constructor(id, scroller, content) {
    this.id = id;
    this.#scroller = scroller;
    this.#content = content;
    this.measure();
    scroller.addEventListener('scroll', () => this.#readBack(), { passive: true });
    const observer = new ResizeObserver(() => {
      const change = this.measure();
      if (change.size || change.frame) this.onResize(change);
    });
    observer.observe(scroller);
    observer.observe(content);
  }

  get element() {
    return this.#scroller;
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

  /** Reads the sizes of the elements; returns which of them have changed. */
  measure() {
    const size = { width: this.#content.offsetWidth, height: this.#content.offsetHeight };
    const frame = { width: this.#scroller.clientWidth, height: this.#scroller.clientHeight };
    // A hidden list has no size, so its last one is kept.
    if (frame.height === 0) return { size: false, frame: false };
    const change = { size: !isSame(size, this.#size), frame: !isSame(frame, this.#frame) };
    this.#size = size;
    this.#frame = frame;
    return change;
  }

  /** Sets the insets; the content keeps its position on the screen. */
  setInset({ top, bottom }) {
    if (top === this.#inset.top && bottom === this.#inset.bottom) return;
    this.#inset = { top, bottom };
    this.#scroller.style.paddingTop = `${top}px`;
    this.#scroller.style.paddingBottom = `${bottom}px`;
    this.moveTo(this.#y);
  }

  /** Scrolls to an offset, which may lie beyond the ends. */
  moveTo(y) {
    this.#y = y;
    const inside = this.clamped(y);
    this.#scroller.scrollTop = inside - this.minimumY;
    this.#writtenTop = this.#scroller.scrollTop;
    const beyond = y - inside;
    this.#content.style.transform = beyond === 0 ? '' : `translateY(${-beyond}px)`;
  }

  /** The nearest offset at which the list can rest. */
  clamped(y) {
    return Math.min(this.maximumY, Math.max(this.minimumY, y));
  }

  #readBack() {
    const top = this.#scroller.scrollTop;
    // The browser rounds offsets to device pixels, so a smaller difference is not a scroll by the browser.
    if (Math.abs(top - this.#writtenTop) < 1) return;
    this.#writtenTop = top;
    this.#y = top + this.minimumY;
    this.#content.style.transform = '';
    this.onForeignScroll(this.#y);
  }
}

function isSame(a, b) {
  return a.width === b.width && a.height === b.height;
}

// Reads the subset of YAML that the contract uses: block and flow collections, scalars of all kinds, and comments.
// Anchors, aliases, tags, complex keys and several documents are not part of it.

const PLAIN_KEY = /^(?:[^\s"'#{}[\],&*!|>%@`-]|-(?=\S))[^\n]*?(?=:(?:\s|$))/;

/** Returns the value of a YAML document; throws for other syntax. */
export function parseYAML(text) {
  const reader = new Reader(text);
  reader.skip();
  return reader.node(-1);
}

class Reader {
  #text;
  #at = 0;

  constructor(text) {
    this.#text = text.endsWith('\n') ? text : `${text}\n`;
  }

  /** Skips spaces, line ends and comments; returns the next column, -1 at the end. */
  skip() {
    const blank = /(?:[ \n]|#[^\n]*)*/y;
    blank.lastIndex = this.#at;
    this.#at += blank.exec(this.#text)[0].length;
    return this.#at >= this.#text.length ? -1 : this.#column;
  }

  /** Reads the node at the current position, within a block of column `parent`. */
  node(parent) {
    if (/^-(\s|$)/.test(this.#rest)) return this.#sequence(this.#column);
    if (this.#key(false)) return this.#map(this.#column);
    return this.#scalar(parent);
  }

  get #column() {
    return this.#at - (this.#text.lastIndexOf('\n', this.#at - 1) + 1);
  }

  get #rest() {
    return this.#text.slice(this.#at, this.#text.indexOf('\n', this.#at));
  }

  #take(pattern) {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at += found[0].length;
    return found;
  }

  #scalar(parent) {
    const first = this.#text[this.#at];
    if (first === '{' || first === '[') return this.#flow();
    if (first === '"' || first === "'") return this.#quoted();
    if (first === '|' || first === '>') return this.#block(parent);
    const lines = [this.#take(/(?:(?! #)[^\n])*/y)[0].trimEnd()];
    // A plain scalar continues in lines with a larger indentation.
    for (;;) {
      const start = this.#at;
      const isEnd = this.skip() <= parent || /^-\s/.test(this.#rest) || this.#key(false) || this.#text.slice(start, this.#at).includes('#');
      if (isEnd) {
        this.#at = start;
        return resolved(lines.join(' '));
      }
      lines.push(this.#take(/(?:(?! #)[^\n])*/y)[0].trimEnd());
    }
  }

  /** Returns the key at the current position, null if there is none; `isTaken` moves behind its colon. */
  #key(isTaken) {
    const start = this.#at;
    let key = null;
    if ('"\''.includes(this.#text[start])) key = this.#quoted();
    else {
      const plain = PLAIN_KEY.exec(this.#rest);
      if (plain && !plain[0].includes(' #')) [key] = [plain[0].trimEnd(), (this.#at += plain[0].length)];
    }
    const colon = key === null ? null : this.#take(/:(?=\s)/y);
    if (!colon || !isTaken) this.#at = start;
    return colon ? { key: String(key) } : null;
  }

  #map(column) {
    const map = {};
    while (this.skip() === column) {
      const { key } = this.#key(true) ?? this.#fail();
      map[key] = this.#value(column);
      const start = this.#at;
      if (this.skip() !== column) {
        this.#at = start;
        break;
      }
    }
    return map;
  }

  /** Reads the value of a key: on its line, further in, or a sequence in the same column. */
  #value(column) {
    this.#take(/ */y);
    if (!/^(#|$)/.test(this.#rest)) return this.#scalar(column);
    const start = this.#at;
    const next = this.skip();
    if (next > column) return this.node(column);
    if (next === column && /^-(\s|$)/.test(this.#rest)) return this.node(column - 1);
    this.#at = start;
    return null;
  }

  #sequence(column) {
    const items = [];
    for (;;) {
      this.#take(/- */y);
      if (/^(#|$)/.test(this.#rest)) {
        const next = this.skip();
        items.push(next > column ? this.node(column) : null);
      } else items.push(this.node(column));
      const start = this.#at;
      if (this.skip() !== column || !/^-(\s|$)/.test(this.#rest)) {
        this.#at = start;
        return items;
      }
    }
  }

  #flow() {
    const isMap = this.#text[this.#at] === '{';
    const [end, result] = [isMap ? '}' : ']', isMap ? {} : []];
    this.#at += 1;
    for (;;) {
      this.skip();
      if (this.#text[this.#at] === end) break;
      const item = this.#flowItem();
      this.skip();
      if (isMap) {
        // A key without a colon has no value.
        const hasValue = this.#take(/:/y) !== null;
        this.skip();
        result[item] = hasValue ? this.#flowItem() : null;
        this.skip();
      } else result.push(item);
      this.#take(/,/y);
    }
    this.#at += 1;
    return result;
  }

  #flowItem() {
    if ('{['.includes(this.#text[this.#at])) return this.#flow();
    if ('"\''.includes(this.#text[this.#at])) return this.#quoted();
    const [text] = this.#take(/(?:[^,:{}[\]#\n]|:(?=[^\s,}\]])|(?<! )#|\n\s*(?=[^\s,}\]]))*/y);
    return resolved(text.trim().replace(/\s*\n\s*/g, ' '));
  }

  #quoted() {
    if (this.#text[this.#at] === "'") {
      const [, text] = this.#take(/'((?:[^']|'')*)'/y) ?? this.#fail();
      return folded(text).replaceAll("''", "'");
    }
    const [, text] = this.#take(/"((?:[^"\\]|\\[^])*)"/y) ?? this.#fail();
    const escapes = (whole, one) => (one.startsWith('\n') ? '' : one === ' ' ? '\\u0020' : whole);
    return JSON.parse(`"${folded(text.replace(/\\(\n\s*|[^])/g, escapes))}"`);
  }

  #block(parent) {
    const [, kind, chomp] = this.#take(/([|>])([+-]?)[^\n]*\n/y) ?? this.#fail();
    const lines = [];
    let indent = 0;
    while (this.#at < this.#text.length) {
      const line = this.#rest;
      const own = line.search(/\S/);
      if (own >= 0 && indent === 0) indent = own;
      if (own >= 0 && (own <= parent || own < indent)) break;
      lines.push(line.slice(indent));
      this.#at += line.length + 1;
    }
    const [text, rest] = /^([^]*?)(\n*)$/.exec(lines.join('\n')).slice(1);
    const content = kind === '|' ? text : text.replace(/([^\n])\n(?=[^\n ])/g, '$1 ').replace(/\n(\n+)/g, '$1');
    this.#at -= 1;
    if (chomp === '-') return content;
    return chomp === '+' ? `${content}${rest}\n` : `${content}\n`;
  }

  #fail() {
    const line = this.#text.slice(0, this.#at).split('\n').length;
    throw new SyntaxError(`line ${line} of the contract cannot be read`);
  }
}

/** Line breaks inside quotes become spaces. */
function folded(text) {
  return text.replace(/[ \t]*\n[ \t]*/g, ' ');
}

function resolved(text) {
  if (/^(|~|null)$/.test(text)) return null;
  if (text === 'true' || text === 'false') return text === 'true';
  return /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(text) ? Number(text) : text;
}

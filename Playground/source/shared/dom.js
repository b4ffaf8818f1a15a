// Creates elements one by one; text is never parsed as markup.

/** Returns an element with properties (`class`, `on…`, attributes, dataset) and children; null children are omitted. */
export function element(name, properties = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key === 'dataset') Object.assign(node.dataset, value);
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const SVG = 'http://www.w3.org/2000/svg';

/** Returns an SVG element. */
export function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** Returns the element within `root` with `data-role="role"`. */
export function part(root, role) {
  const found = root.querySelector(`[data-role="${role}"]`);
  if (!found) throw new Error(`the page has no part called ${role}`);
  return found;
}

/** Returns a number as text: at most `digits` decimals, and a typographic minus sign. */
export function figure(value, digits = 3) {
  if (value === null || value === undefined) return '–';
  const rounded = Number(value.toFixed(digits));
  return String(rounded === 0 ? 0 : rounded).replace('-', '−');
}

/** Shows a number in a `<data>` element, which has the exact number as its value. */
export function show(node, value, text = figure(value)) {
  node.value = String(value);
  if (node.textContent !== text) node.textContent = text;
}

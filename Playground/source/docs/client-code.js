// A request as a call of the clients: springbar.js, and SpringbarClient for Swift. Null if a client has no such call.

import { literal, quoted } from './fetch-code.js';

/** The methods of `springbar.springs`, which take the parameters of their paths. */
const SPRINGS = {
  getSpring: 'spring', getCurve: 'curve', getLinear: 'linear', getRetarget: 'retarget', compareSprings: 'compare',
  getPresets: 'presets', getConventions: 'conventions', getRubberband: 'rubberband', getDesignTokens: 'designTokens',
};
/** The parameters of photos' pages that both clients take. */
const PAGE = ['cursor', 'limit', 'query', 'orientation', 'color'];

export function javaScriptClient(request) {
  const content = parsed(request.body);
  if (content === null) return null;
  const lines = javaScriptLines(request, content);
  return lines && [
    `import { Springbar } from ${quoted(`${location.origin}/client/springbar.js`)};`,
    '',
    `const springbar = new Springbar(${connection(request)});`,
    ...lines,
  ].join('\n');
}

function javaScriptLines({ id, method, path, query, headers, values }, content) {
  const parameters = Object.fromEntries(query);
  const logged = (call) => [`console.log(await ${call});`];
  if (SPRINGS[id]) return logged(`springbar.springs.${SPRINGS[id]}(${object(parameters)})`);
  if (path.startsWith('/v1/gestures/')) return logged(`springbar.gesture(${quoted(path.split('/').at(-1))}, ${object(content)})`);
  if (id === 'getStatus') return logged('springbar.status()');
  if (['getPhotos', 'searchPhotos'].includes(id) && Object.keys(parameters).every((name) => PAGE.includes(name))) {
    return [
      `for await (const { items } of springbar.photos.pager(${object(parameters)})) {`,
      '  console.log(items);',
      '  break;',
      '}',
    ];
  }
  if (id === 'getPhoto') return logged(`springbar.photos.photo(${quoted(values.id ?? '')})`);
  if (id === 'reportDownload') return logged(`springbar.photos.trackDownload(${quoted(values.id ?? '')})`);
  if (id === 'createBar') {
    return [`const bar = springbar.bar(${object(content)});`, 'await bar.settled();', 'console.log(bar.id, bar.state);'];
  }
  // The client reads only JSON, and streams only for bars that it follows.
  if (!(headers.Accept ?? '').startsWith('application/json')) return null;
  const fields = Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(Accept|Content-Type|Authorization)$/.test(name)));
  const options = {
    ...(query.size > 0 ? { query: parameters } : {}),
    ...(content === undefined ? {} : { body: content }),
    ...(Object.keys(fields).length > 0 ? { headers: fields } : {}),
  };
  const more = Object.keys(options).length > 0 ? `, ${object(options)}` : '';
  return logged(`springbar.connection.request(${quoted(method)}, ${quoted(path)}${more})`);
}

export function swiftClient(request) {
  const lines = swiftLines(request);
  const token = request.headers.Authorization ? ', token: token' : '';
  return lines && [
    'import BarLayout',
    'import Foundation',
    'import SpringbarClient',
    '',
    `let springbar = Springbar(URL(string: ${literal(location.origin)})!${token})`,
    ...lines,
  ].filter((line) => request.id === 'createBar' || line !== 'import BarLayout').join('\n');
}

function swiftLines({ id, query, values, body, file }) {
  const parameters = Object.fromEntries(query);
  const photo = `let photo = try await springbar.photos.photo(${literal(values.id ?? '')})`;
  if (id === 'getSpring' || id === 'getLinear') return springLines(id, parameters);
  if (id === 'createBar') return barLines(parsed(body));
  if (id === 'getPhoto') return [photo, 'print(photo)'];
  if (id === 'getImage' && Object.keys(parameters).join() === 'w') {
    const call = `try await springbar.photos.image(photo, width: ${Number(parameters.w)}, scale: 1)`;
    return [photo, `let picture = ${call}`, `try picture.write(to: URL(fileURLWithPath: ${literal(file)}))`];
  }
  if (id === 'reportDownload') return [photo, 'try await springbar.photos.trackDownload(of: photo)'];
  const source = {
    getPhotos: '.feed', searchPhotos: searchSource(parameters), getTopicPhotos: `.topic(${literal(values.slug ?? '')})`,
    getCollectionPhotos: `.collection(${literal(values.id ?? '')})`,
  }[id];
  if (!source || !Object.keys(parameters).every((name) => PAGE.includes(name))) return null;
  const cursor = parameters.cursor ? `, cursor: ${literal(parameters.cursor)}` : '';
  const limit = parameters.limit ? `, limit: ${Number(parameters.limit)}` : '';
  return [`let page = try await springbar.photos.page(of: ${source}${cursor}${limit})`, 'print(page.items)'];
}

function searchSource({ query = '', orientation, color }) {
  const options = [['orientation', orientation], ['color', color]].filter(([, value]) => value);
  return `.search(${[literal(query), ...options.map(([name, value]) => `${name}: ${literal(value)}`)].join(', ')})`;
}

/** `convert` and `linear` take numbers, the convention, and the error of the curve. */
function springLines(id, { convention, maxError, ...numbers }) {
  if (Object.values(numbers).some((value) => !Number.isFinite(Number(value)))) return null;
  if (id === 'getSpring' && maxError) return null;
  const pairs = Object.entries(numbers).map(([name, value]) => `${JSON.stringify(name)}: ${Number(value)}`);
  const named = [convention && `, convention: ${literal(convention)}`, maxError && `, maxError: ${Number(maxError)}`];
  const call = `springbar.springs.${id === 'getSpring' ? 'convert' : 'linear'}([${pairs.join(', ') || ':'}]${named.filter(Boolean).join('')})`;
  return [`let answer = try await ${call}`, id === 'getSpring' ? 'print(answer.conventions)' : 'print(answer.css)'];
}

/** A bar with the heights and the view of the content. */
function barLines(content) {
  if (!content?.configuration || !content.scrollable) return null;
  const { configuration, scrollable } = content;
  const call = (name, values) => `try ${name}(${Object.entries(values).map(([key, value]) => `${key}: ${value}`).join(', ')})`;
  const { id = 'main', contentOffset, contentSize, frame, contentInset } = scrollable;
  const geometry = [
    `    contentOffset: ${call('Point', contentOffset)},`,
    `    contentSize: ${call('Size', contentSize)},`,
    `    frame: ${call('Rect', frame)}${contentInset ? ',' : ''}`,
    ...(contentInset ? [`    contentInset: ${call('EdgeInsets', contentInset)}`] : []),
  ];
  return [
    'let geometry = ScrollGeometry(', ...geometry, ')',
    ...(content.options || content.tracks ? ['// `options` and `tracks` have types of their own: BarOptions and Tracks.'] : []),
    'let definition = BarDefinition(',
    `    configuration: ${call('BarConfiguration', configuration)},`,
    `    scrollable: try Scrollable(id: ${literal(id)}, geometry: geometry)`,
    ')',
    'let bar = springbar.bar(definition)',
    'try await bar.settled()',
    'print(bar.id ?? "", bar.current.state)',
  ];
}

/** The address of the service, with a name for the token of the reader. */
function connection({ headers }) {
  return headers.Authorization ? `{ base: ${quoted(location.origin)}, token }` : quoted(location.origin);
}

/** Returns the value of a JSON text, undefined for no text, and null for other text. */
function parsed(body) {
  try {
    return body === undefined ? undefined : JSON.parse(body);
  } catch {
    return null;
  }
}

/** JSON is also JavaScript; short values stay on one line. */
function object(value) {
  const lines = JSON.stringify(value, null, 2);
  const line = lines.replace(/\n */g, ' ');
  return line.length < 60 ? line : lines;
}

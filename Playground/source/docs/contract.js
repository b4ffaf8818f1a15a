// The contract for the pages: its operations in order and by tag, with references resolved.

const METHODS = ['get', 'post', 'put', 'delete'];

export class Contract {
  #document;
  /** `{ id, method, path, tag, summary, description, operation }` each, in the order of the document. */
  operations;

  /** Loads the contract of the service that the page came from. */
  static async load() {
    const response = await fetch('/openapi.json');
    if (!response.ok) throw new Error(`The contract answered ${response.status}.`);
    return new Contract(await response.json());
  }

  constructor(document) {
    this.#document = document;
    this.operations = Object.entries(document.paths).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) => this.#operation(method, path, item)),
    );
  }

  get info() {
    return this.#document.info;
  }

  /** Requests that examples send first, by name. */
  get steps() {
    return this.#document['x-steps'];
  }

  /** The tags in the order in which operations use them. */
  get tags() {
    return [...new Set(this.operations.map(({ tag }) => tag))];
  }

  /** Returns the operation of a fragment: its id, or a method and a path such as `GET/v1/bars/1f…`. */
  find(name) {
    const [, method, path] = /^([A-Z]+)(\/.*)$/.exec(name) ?? [];
    if (!method) return this.operations.find(({ id }) => id === name);
    const exact = this.operations.find((one) => one.method === method && one.path === path);
    return exact ?? this.operations.find((one) => one.method === method && one.pattern.test(path));
  }

  /** Returns the target of a reference, and any other node unchanged. */
  resolve(value) {
    if (typeof value?.$ref !== 'string') return value;
    const keys = value.$ref.slice(2).split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    return this.resolve(keys.reduce((node, key) => node?.[key], this.#document));
  }

  /** Returns a copy of a node in which all references are replaced. */
  resolvedDeeply(value) {
    const node = this.resolve(value);
    if (Array.isArray(node)) return node.map((one) => this.resolvedDeeply(one));
    if (node === null || typeof node !== 'object') return node;
    return Object.fromEntries(Object.entries(node).map(([key, one]) => [key, this.resolvedDeeply(one)]));
  }

  /** Returns the names of all members of the schemas of an operation's content and successful responses. */
  members({ body, responses }) {
    const names = new Set();
    const seen = new Set();
    const visit = (schema) => {
      const node = this.resolve(schema);
      if (node === null || typeof node !== 'object' || seen.has(node)) return;
      seen.add(node);
      for (const [name, member] of Object.entries(node.properties ?? {})) {
        names.add(name);
        visit(member);
      }
      for (const one of [node.items, node.additionalProperties]) visit(one);
      for (const one of [node.oneOf, node.anyOf, node.allOf].flat()) visit(one);
    };
    const successes = responses.filter(({ status }) => status.startsWith('2'));
    for (const { content } of [body ?? {}, ...successes]) {
      for (const { schema } of Object.values(content ?? {})) visit(schema);
    }
    return [...names];
  }

  #operation(method, path, item) {
    const operation = item[method];
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((one) => this.resolve(one));
    return {
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
      tag: operation.tags?.[0] ?? 'Other',
      summary: operation.summary ?? operation.operationId,
      description: operation.description ?? '',
      parameters,
      body: this.resolve(operation.requestBody),
      responses: Object.entries(operation.responses).map(
        ([status, response]) => ({ status, ...this.resolve(response) }),
      ),
    };
  }
}

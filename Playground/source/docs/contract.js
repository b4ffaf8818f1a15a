// The contract for the pages: its operations in order and by tag, with references resolved.

import { parseYAML } from './yaml.js';

const METHODS = ['get', 'post', 'put', 'delete'];

export class Contract {
  #document;
  /** `{ id, method, path, tag, summary, description, operation }` each, in the order of the document. */
  operations;

  /** Loads the contract of the service that the page came from. */
  static async load() {
    const response = await fetch('/openapi.yaml');
    if (!response.ok) throw new Error(`The contract answered ${response.status}.`);
    return new Contract(parseYAML(await response.text()));
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

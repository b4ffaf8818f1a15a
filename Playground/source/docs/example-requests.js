// The requests of the examples of an operation, for its form.

const SENT_BY_THE_FORM = ['Accept', 'Content-Type'];

/**
 * Returns `{ label, target, headers, content, steps }` for each request that the form can send, successes first.
 * `{name}` in a target is a value that one of the steps keeps.
 */
export function exampleRequests(contract, operation) {
  const found = operation.responses.flatMap(({ status, content = {} }) =>
    Object.values(content).flatMap(({ examples = {} }) => Object.values(examples)).map((reference) => {
      const { summary, 'x-request': request } = contract.resolve(reference);
      return request && exampleRequest(contract, operation, `${status} ${summary ?? ''}`, request);
    }),
  );
  const usable = found.filter((one) => one && fits(operation, one));
  return usable.some(({ label }) => label.startsWith('2')) ? usable : [ownRequest(contract, operation), ...usable];
}

function exampleRequest(contract, operation, label, request) {
  const { method, target, headers = {}, body, content, before = [], flood } = contract.resolvedDeeply(request);
  if (flood) return null;
  const text = content ?? (body === undefined ? bodyExample(contract, operation) : JSON.stringify(body, null, 2));
  return { label, method, target: target.replace('{any}', String(Math.random())), headers, content: text, steps: before };
}

/** Whether the form of the operation has a field for each part of a request. */
function fits({ method, pattern, parameters }, request) {
  const [path, query] = request.target.split('?');
  const has = (place) => (name) => parameters.some((one) => one.in === place && one.name === name);
  return (request.method ?? method) === method
    && pattern.test(path)
    && [...new URLSearchParams(query).keys()].every(has('query'))
    && Object.keys(request.headers).filter((name) => !SENT_BY_THE_FORM.includes(name)).every(has('header'));
}

/** Returns the request of an operation whose successful responses have no request of its own. */
function ownRequest(contract, operation) {
  const isPhoto = operation.path.includes('/photos/{id}');
  const isBar = operation.path.startsWith('/v1/bars/{id}');
  const steps = isPhoto ? [contract.steps.firstPhoto] : isBar ? [contract.steps.createBar] : [];
  return {
    label: 'The usual request',
    target: isPhoto ? operation.path.replace('{id}', '{photo}') : operation.path,
    headers: {},
    content: bodyExample(contract, operation),
    steps: contract.resolvedDeeply(steps),
  };
}

function bodyExample(contract, { body }) {
  const [example] = Object.values(body?.content?.['application/json']?.examples ?? {});
  return example && JSON.stringify(contract.resolve(example).value, null, 2);
}

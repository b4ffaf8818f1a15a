// The bar's settings as a form. They are fixed for the life of a session, so a change starts a new one.

const HEIGHTS = ['compactStateHeight', 'normalStateHeight', 'expandedStateHeight'];

export class Settings {
  #form;
  #onChange;

  constructor(form, onChange) {
    this.#form = form;
    this.#onChange = onChange;
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('input', (event) => this.#follow(event.target));
    form.addEventListener('change', () => this.#onChange(this.value));
    for (const name of HEIGHTS) this.#tell(name);
  }

  /** The body of `POST /v1/bars` without the list and the tracks. */
  get value() {
    const form = new FormData(this.#form);
    const configuration = Object.fromEntries(HEIGHTS.map((name) => [name, Number(form.get(name))]));
    const options = { snap: form.get('snap') };
    if (options.snap === 'projected') {
      options.decelerationRate = form.get('decelerationRate');
      options.snapSequential = form.has('snapSequential');
    }
    for (const name of ['snapOnCancel', 'clampTargets']) if (form.has(name)) options[name] = true;
    if (form.has('reopen')) options.reopen = 'top';
    if (form.has('tolerance')) options.tolerance = 8;
    if (form.has('resistance')) options.resistance = { dimension: 200, constant: 0.55 };
    const fixes = form.getAll('fixes');
    if (fixes.length > 0) options.fixes = fixes;
    return { configuration, feedback: form.get('feedback'), options };
  }

  /** Heights must ascend: a height that passes its neighbour moves the neighbour, too. */
  #follow(input) {
    const moved = HEIGHTS.indexOf(input.name);
    if (moved < 0) return;
    HEIGHTS.forEach((name, index) => {
      const other = this.#form.elements[name];
      if (index < moved) other.value = String(Math.min(Number(other.value), Number(input.value)));
      if (index > moved) other.value = String(Math.max(Number(other.value), Number(input.value)));
      this.#tell(name);
    });
  }

  #tell(name) {
    this.#form.querySelector(`output[for="${name}"]`).textContent = this.#form.elements[name].value;
  }
}

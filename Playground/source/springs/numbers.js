// Parsing and formatting of numbers in fields.

/**
 * Parses a number with a decimal point or a decimal comma; returns `{ value }`, or `{ error }` with the reason.
 * `name` is the name of the field, `limits` are `{ minimum, maximum, exclusiveMinimum, exclusiveMaximum }`.
 */
export function readNumber(text, name, limits) {
  const trimmed = text.trim().replace('−', '-');
  if (trimmed === '') return { error: `${name} is missing.` };
  const plain = /^[+-]?\d*,\d+$/.test(trimmed) ? trimmed.replace(',', '.') : trimmed;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return { error: `${name} must be a number, such as 0.6.` };
  const value = Number(plain);
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = limits;
  if (value < minimum || value <= exclusiveMinimum) {
    return {
      error: `${name} must be ${exclusiveMinimum === undefined ? `at least ${minimum}` : `more than ${exclusiveMinimum}`}.`,
    };
  }
  if (value > maximum || value >= exclusiveMaximum) {
    return {
      error: `${name} must be ${exclusiveMaximum === undefined ? `at most ${maximum}` : `less than ${exclusiveMaximum}`}.`,
    };
  }
  return { value };
}

/** Returns a number for a small field, with at most six digits. */
export function shortened(value) {
  return value === undefined ? '' : String(Number(Number(value).toPrecision(6)));
}

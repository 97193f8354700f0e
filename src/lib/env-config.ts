/** What the parser needs to know of one environment variable. */
export interface VariableSpec {
  readonly name: string;
  readonly type: 'int' | 'number' | 'string' | 'bool' | 'list';
  readonly default: string | number | boolean | null;
  readonly min?: number;
}

export type EnvValue = string | number | boolean | null;

export interface EnvProblem {
  readonly name: string;
  /**
   * A clause that follows the name of the variable: "must be ...". Never repeats the value: it may
   * be a secret.
   */
  readonly message: string;
}

export interface ParsedEnvironment {
  /** Every variable of the list, with its default where the environment is silent. */
  readonly values: Readonly<Record<string, EnvValue>>;
  /** Variables that the environment sets. */
  readonly set: readonly string[];
  readonly problems: readonly EnvProblem[];
}

const TRUE = ['1', 'true', 'yes', 'on'];
const FALSE = ['0', 'false', 'no', 'off'];

type Parsed = { readonly ok: true; readonly value: EnvValue } | { readonly ok: false; readonly message: string };

function parseNumber(text: string, spec: VariableSpec): Parsed {
  const kind = spec.type === 'int' ? 'a whole number' : 'a finite number';
  const wanted = spec.min === undefined ? kind : `${kind} of at least ${spec.min}`;
  const value = spec.type === 'int' && !/^[+-]?\d+$/.test(text) ? Number.NaN : Number(text);
  const isValid =
    Number.isFinite(value) &&
    (spec.type !== 'int' || Number.isSafeInteger(value)) &&
    value >= (spec.min ?? Number.NEGATIVE_INFINITY);
  return isValid ? { ok: true, value } : { ok: false, message: `must be ${wanted}` };
}

function parseValue(text: string, spec: VariableSpec): Parsed {
  switch (spec.type) {
    case 'string':
    case 'list':
      return { ok: true, value: text };
    case 'int':
    case 'number':
      return parseNumber(text.trim(), spec);
    case 'bool': {
      const word = text.trim().toLowerCase();
      if (TRUE.includes(word)) return { ok: true, value: true };
      if (FALSE.includes(word)) return { ok: true, value: false };
      return { ok: false, message: `must be one of ${[...TRUE, ...FALSE].join(', ')}` };
    }
  }
}

/**
 * Parses a raw environment against a list of variables; an empty value counts as unset. All
 * problems at once.
 */
export function parseEnvironment(
  raw: Readonly<Record<string, string | undefined>>,
  variables: readonly VariableSpec[],
): ParsedEnvironment {
  const values: Record<string, EnvValue> = {};
  const set: string[] = [];
  const problems: EnvProblem[] = [];
  for (const spec of variables) {
    const text = raw[spec.name];
    values[spec.name] = spec.default;
    if (text === undefined || text === '') continue;
    const parsed = parseValue(text, spec);
    if (parsed.ok) {
      values[spec.name] = parsed.value;
      set.push(spec.name);
    } else {
      problems.push({ name: spec.name, message: parsed.message });
    }
  }
  return { values, set, problems };
}

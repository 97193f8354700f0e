import { FACT_NAMES, type Facts } from '../facts.js';

const PATH = String.raw`(\w+)`;
// The engine ends a text at either quote, a text of a list at `,` and `]` as well, wherever they
// stand, and forgets an empty one.
const QUOTED = `(?:'[^'"]*'|"[^'"]*")`;
const LISTED = `(?:'[^'",\\]]+'|"[^'",\\]]+")`;
const NUMBER = String.raw`\d+(?:\.\d+)?`;

/**
 * What a name can be compared with; the engine finds no number in a text, and no text in a number.
 */
type Operand = 'text' | 'number';

/** Forms that the engine of the toolkit evaluates; it takes any other text for false. */
const TERMS: readonly (readonly [RegExp, Operand])[] = [
  [new RegExp(String.raw`^${PATH}\s+(?:not\s+)?in\s+\[\s*(?:${LISTED}\s*(?:,\s*${LISTED}\s*)*)?\]$`), 'text'],
  [new RegExp(String.raw`^${PATH}\s*[!=]=\s*${QUOTED}$`), 'text'],
  [new RegExp(String.raw`^${PATH}\s*(?:[!=]=|>=|<=|>|<)\s*${NUMBER}$`), 'number'],
];

const FORMS: Readonly<Record<Operand, string>> = {
  text: "a text: `role == 'worker'`, `agent in ['a', 'b']`; a text holds no quotes, and in a list neither `,` nor `]`",
  number: 'a number: `trust >= 50`',
};

/** What each name is; null = a list, which the engine compares with nothing. */
const OPERANDS: Readonly<Record<keyof Facts, Operand | null>> = {
  agent: 'text',
  action: 'text',
  kind: 'text',
  resource: 'text',
  role: 'text',
  skill: 'text',
  effects: 'text',
  permission: 'text',
  trust: 'number',
  base_scope: null,
  scopes_required: null,
};

const operandOf = (name: string): Operand | null | undefined =>
  new Map<string, Operand | null>(Object.entries(OPERANDS)).get(name);

/**
 * Why a condition cannot be used; null = it can. The engine evaluates what it does not understand
 * to false, and a misspelt name to nothing, so a rule that denies would silently never match: such
 * a condition is refused when it is read.
 */
export function conditionProblem(condition: string): string | null {
  for (const term of termsOf(condition)) {
    const wrong = termProblem(term);
    if (wrong !== null) return `the condition \`${term}\` ${wrong}`;
  }
  return null;
}

function termProblem(term: string): string | null {
  const found = TERMS.map(([form, operand]) => ({ name: form.exec(term)?.[1], operand })).find(
    ({ name }) => name !== undefined,
  );
  if (found?.name === undefined) return 'is none that is known';
  const wanted = operandOf(found.name);
  if (wanted === undefined) return `names \`${found.name}\`; known are ${FACT_NAMES.join(', ')}`;
  if (wanted === null) return `compares \`${found.name}\`, which is a list; Cedar and Rego can`;
  return wanted === found.operand ? null : `never holds: \`${found.name}\` is compared with ${FORMS[wanted]}`;
}

/** Between ` and ` and ` or ` outside of quotes. */
function termsOf(condition: string): readonly string[] {
  const parts = condition.split(/('[^']*'|"[^"]*")/);
  const terms: string[] = [''];
  parts.forEach((part, index) => {
    const [head = '', ...rest] = index % 2 === 1 ? [part] : part.split(/ (?:and|or) /);
    terms[terms.length - 1] += head;
    terms.push(...rest);
  });
  return terms.map((term) => term.trim());
}

import { FACT_NAMES } from '../facts.js';

const PATH = String.raw`(\w+)`;
const QUOTED = `(?:'[^']*'|"[^"]*")`;
const NUMBER = String.raw`\d+(?:\.\d+)?`;

/** Forms that the engine of the toolkit evaluates; it takes any other text for false. */
const TERMS: readonly RegExp[] = [
  new RegExp(String.raw`^${PATH}\s+(?:not\s+)?in\s+\[\s*(?:${QUOTED}\s*(?:,\s*${QUOTED}\s*)*)?\]$`),
  new RegExp(String.raw`^${PATH}\s*[!=]=\s*(?:${QUOTED}|${NUMBER})$`),
  new RegExp(String.raw`^${PATH}\s*==\s*(?:true|false)$`),
  new RegExp(String.raw`^${PATH}\s*(?:>=|<=|>|<)\s*${NUMBER}$`),
];

/**
 * Why a condition cannot be used; null = it can. The engine evaluates what it does not understand to false, and a misspelt name to
 * nothing, so a rule that denies would silently never match: such a condition is refused when it is read.
 */
export function conditionProblem(condition: string): string | null {
  for (const term of termsOf(condition)) {
    const match = TERMS.map((form) => form.exec(term)).find((found) => found !== null);
    if (match === undefined) return `the condition \`${term}\` is none that is known`;
    const name = match[1] ?? '';
    if (!FACT_NAMES.some((known) => known === name)) return `the condition \`${term}\` names \`${name}\`; known are ${FACT_NAMES.join(', ')}`;
  }
  return null;
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

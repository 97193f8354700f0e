import type { Json } from '../../domain/json.js';
import { isObject } from '../../lib/json.js';
import { visible } from '../../lib/shell-word.js';
import { oneLine } from '../../view/lines/words.js';

/** Characters of one value; how many a longer one has stands beside it. */
const MAX_VALUE_CHARS = 1_000;
const MAX_NAME_CHARS = 100;
const MAX_LINES = 60;
/** Of a diff, which `kit diff` shows whole. */
const MAX_DIFF_LINES = 40;

interface Named {
  readonly name: string;
  readonly value: Json;
}

/**
 * What a person is asked about, a line for each fact and then for each argument of a call.
 * Arguments are text of a model: none is so long that another one is not seen beside it, what is
 * cut or left out is said, and no character is invisible.
 */
export function detailLines(details: Json): readonly string[] {
  if (typeof details !== 'object' || details === null) return details === null ? [] : [valueText(details)];
  const all = Object.entries(details).map(([name, value]) => ({ name, value }));
  const facts = all.filter((fact) => !isDiff(fact));
  const lines = [
    ...facts.filter((fact) => !holdsFacts(fact)).map(({ name, value }) => `${nameText(name)}: ${valueText(value)}`),
    ...facts.filter(holdsFacts).flatMap(({ name, value }) => {
      const inner = Object.entries(value).map(
        ([member, of]) => `${nameText(name)} ${nameText(JSON.stringify(member))}: ${valueText(of)}`,
      );
      return inner.length === 0 ? [`${nameText(name)}: {}`] : inner;
    }),
  ];
  const left = lines.length - MAX_LINES;
  const shown = left <= 0 ? lines : [...lines.slice(0, MAX_LINES), `... and ${left} more; --json shows all of it`];
  const size = all.find(({ name }) => name === 'diff_bytes')?.value;
  return [...shown, ...all.filter(isDiff).flatMap(({ value }) => diffLines(value, Number(size ?? 0)))];
}

/** What was changed so far, which nobody reads as one line of JSON. */
const isDiff = (fact: Named): fact is { readonly name: 'diff'; readonly value: string } =>
  fact.name === 'diff' && typeof fact.value === 'string' && fact.value !== '';

/** `size`: bytes of the whole, of which `diff` may be the beginning. */
function diffLines(diff: string, size: number): readonly string[] {
  const lines = diff.replace(/\n$/, '').split('\n');
  const left = lines.length - MAX_DIFF_LINES;
  const isCut = Buffer.byteLength(diff) < size;
  return [
    'diff:',
    ...lines.slice(0, MAX_DIFF_LINES).map((line) => `  ${oneLine(visible(line), MAX_VALUE_CHARS)}`),
    ...(left <= 0 && !isCut
      ? []
      : [
          `  ... and ${isCut ? `more, ${size} bytes in all` : `${left} more lines`}; \`kit diff\` of the run shows them`,
        ]),
  ];
}

const holdsFacts = (
  fact: Named,
): fact is { readonly name: string; readonly value: { readonly [name: string]: Json } } => isObject(fact.value);

function valueText(value: Json): string {
  const text = visible(JSON.stringify(value));
  return text.length <= MAX_VALUE_CHARS
    ? oneLine(text, MAX_VALUE_CHARS)
    : `${oneLine(text, MAX_VALUE_CHARS)} (${text.length} characters in all; --json shows them)`;
}

const nameText = (name: string): string => oneLine(visible(name), MAX_NAME_CHARS);

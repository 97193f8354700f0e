import { parse } from 'yaml';
import { type DiffFile, diffFiles } from '../../lib/diff-files.js';
import { extractJson } from '../../lib/extract-json.js';
import { isObject } from '../../lib/json.js';

/** One reason for a change, and the lines that carry it. */
interface Citation {
  readonly claim: string;
  readonly path: string;
  readonly lines: readonly number[];
}

/**
 * Holds a change rationale (`summary`, and `citations` of `claim`, `path`, `lines`) to the diff it
 * explains: every citation names added or changed lines of the new file, and every file that is
 * touched is cited. A file without such lines (deleted, renamed, binary) is cited with `lines: []`.
 * One sentence for each fault; [] = it holds.
 *
 * `rationale` is the agent's result: a value, or text that holds JSON or YAML, in a code fence or
 * not.
 */
export function citationFaults(rationale: unknown, diff: string | null): readonly string[] {
  if (diff === null)
    return ['There is no diff that the result could explain: only an agent that changes files has one.'];
  const read = readRationale(rationale);
  if ('faults' in read) return read.faults;
  const files = diffFiles(diff);
  const cited = new Set<DiffFile>();
  const faults = read.citations.flatMap((citation, index): readonly string[] => {
    const file = files.find(({ path, oldPath }) => path === citation.path || oldPath === citation.path);
    const name = `Citation ${index + 1} (${citation.path})`;
    if (file === undefined) return [`${name} names a file that the diff does not touch.`];
    cited.add(file);
    if (file.newLines.length === 0)
      return citation.lines.length === 0 ? [] : [`${name} names lines, but no line of the file is added or changed.`];
    const stray = citation.lines.filter((line) => !file.newLines.includes(line));
    if (citation.lines.length === 0) return [`${name} names no line.`];
    return stray.length === citation.lines.length ? [`${name} names no line that the diff adds or changes.`] : [];
  });
  return [
    ...faults,
    ...files.filter((file) => !cited.has(file)).map((file) => `No citation explains the change of ${file.path}.`),
  ];
}

type Read = { readonly citations: readonly Citation[] } | { readonly faults: readonly string[] };

const SHAPE =
  'The result must be a JSON or YAML mapping with `summary` and a list `citations` of `{claim, path, lines}`.';

function readRationale(rationale: unknown): Read {
  const value = typeof rationale === 'string' ? dataOf(rationale) : rationale;
  if (
    !isObject(value) ||
    typeof value.summary !== 'string' ||
    value.summary.trim() === '' ||
    !Array.isArray(value.citations)
  ) {
    return { faults: [SHAPE] };
  }
  const citations = value.citations.map(readCitation);
  const faults = citations.flatMap((citation, index) =>
    citation === null ? [`Citation ${index + 1} must have a claim, a path, and lines as a list of line numbers.`] : [],
  );
  return faults.length > 0 ? { faults } : { citations: citations.filter((citation) => citation !== null) };
}

function readCitation(value: unknown): Citation | null {
  if (!isObject(value)) return null;
  const { claim, path, lines } = value;
  if (
    typeof claim !== 'string' ||
    claim.trim() === '' ||
    typeof path !== 'string' ||
    path === '' ||
    !Array.isArray(lines)
  )
    return null;
  const numbers = lines.filter((line): line is number => Number.isInteger(line) && line > 0);
  return numbers.length === lines.length ? { claim, path, lines: numbers } : null;
}

/** JSON in the text, else the YAML of its first code fence, else the text as YAML. */
function dataOf(text: string): unknown {
  const json = extractJson(text);
  // A YAML rationale holds lists like [2, 3], which would pass for the JSON of the text.
  if (json.found && isObject(json.value)) return json.value;
  const fence = firstFence(text);
  try {
    // No alias is expanded more than a few times: the text is a model's.
    return parse(fence ?? text, { maxAliasCount: 10, logLevel: 'silent' });
  } catch {
    return undefined;
  }
}

/**
 * What the first fence holds. By its ends: one pattern for both would look for the end anew from
 * each beginning.
 */
function firstFence(text: string): string | null {
  const open = /```(?:ya?ml)?\n/.exec(text);
  if (open === null) return null;
  const start = open.index + open[0].length;
  const end = text.indexOf('\n```', start);
  return end < 0 ? null : text.slice(start, end);
}

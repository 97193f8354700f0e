import type { Json } from '../../domain/json.js';
import { extractJson } from '../../lib/extract-json.js';

/**
 * What a decision skill said, read so that no doubt counts as a yes
 * (docs/design/execution.md#verdicts).
 */
export type Verdict = {
  readonly verdict: 'pass' | 'fail' | 'needs-revision';
  /** 0..1; 0 when it was not said, or was not such a number. */
  readonly confidence: number;
  readonly reasoning: string;
  readonly flaggedItems: readonly string[];
  /** The answer held no verdict, or none of the three words: it counts as `fail`. */
  readonly isInvalid: boolean;
  /** Nobody judged: it could not be asked, or its answer was none. Absent: somebody did. */
  readonly isMissing?: true;
  /** What to answer in place of the agent (`pre_input`); absent when nothing was suggested. */
  readonly suggestedResponse?: Json;
};

const WORDS = ['pass', 'fail', 'needs-revision'] as const;

/** Begins the line that tells where a tool's result came from; it is not part of the answer. */
const PROVENANCE = '[source:';

/** A decision that could not be made, or not be read. */
export const failedVerdict = (reasoning: string): Verdict => ({
  verdict: 'fail',
  confidence: 0,
  reasoning,
  flaggedItems: [],
  isInvalid: false,
  isMissing: true,
});

/**
 * Reads the answer of a decision skill: a JSON object, in a code fence or between other words, with
 * `verdict`, `confidence`, `reasoning` and `flagged_items`. The verdict is compared without case,
 * `_` like `-`. No object: `fail` with confidence 0; no known verdict: `fail`, invalid.
 */
export function readVerdict(answer: unknown): Verdict {
  const value = typeof answer === 'string' ? objectIn(answer) : answer;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return failedVerdict('The answer holds no JSON object.');
  const { verdict, confidence, reasoning, flagged_items, suggested_response }: Readonly<Record<string, unknown>> = {
    ...value,
  };
  const said = typeof verdict === 'string' ? verdict.trim().toLowerCase().replaceAll('_', '-') : '';
  const known = WORDS.find((word) => word === said);
  return {
    verdict: known ?? 'fail',
    confidence: isConfidence(confidence) ? confidence : 0,
    reasoning: typeof reasoning === 'string' ? reasoning : '',
    flaggedItems: Array.isArray(flagged_items)
      ? flagged_items.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
      : [],
    isInvalid: known === undefined,
    // What comes out of a parsed answer is JSON.
    ...(suggested_response == null || suggested_response === ''
      ? {}
      : { suggestedResponse: suggested_response as Json }),
  };
}

/** True where nobody judged, or said none of the three words: no finding about the work. */
export const isNoVerdict = ({ isInvalid, isMissing }: Verdict): boolean => isInvalid || isMissing === true;

const isConfidence = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1;

/** Whether an answer says how sure it is; one that does not has the confidence 0. */
export function statesConfidence(answer: string): boolean {
  const value = objectIn(answer);
  return typeof value === 'object' && value !== null && 'confidence' in value && isConfidence(value.confidence);
}

/** Answers of tools are somebody else's text: no pattern looks for an end in linear time. */
function withoutProvenance(answer: string): string {
  const text = answer.trimEnd();
  const at = text.endsWith(']') ? text.indexOf(PROVENANCE, text.lastIndexOf('\n') + 1) : -1;
  return at < 0 ? answer : text.slice(0, at);
}

function objectIn(text: string): unknown {
  const found = extractJson(withoutProvenance(text));
  return found.found ? found.value : null;
}

/** The only way through: the word `pass`, with at least this confidence (0..1). */
export const isPass = (verdict: Verdict, threshold: number): boolean =>
  !verdict.isInvalid && verdict.verdict === 'pass' && verdict.confidence >= threshold;

/** Why a verdict does not let a draft through, for whoever revises it. */
export function critiqueOf(verdict: Verdict, threshold: number): string {
  const { confidence, reasoning, flaggedItems } = verdict;
  const head =
    verdict.verdict === 'pass' && !verdict.isInvalid
      ? `The judge passed it with a confidence of ${confidence}, and ${threshold} is asked for.`
      : '';
  const items = flaggedItems.map((item) => `- ${item}`).join('\n');
  const parts = [head, reasoning, items].filter((part) => part !== '');
  return parts.length === 0
    ? `The judge said ${verdict.isInvalid ? 'no known verdict' : verdict.verdict}, and not why.`
    : parts.join('\n');
}

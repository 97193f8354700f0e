import { canonicalJson } from '../../lib/canonical-json.js';
import { isObject } from '../../lib/json.js';
import { utf8Text } from '../../lib/utf8.js';
import { PROOF_FORMAT, PROOF_KIND, type Proof } from './proof.js';

/**
 * One thing that is wrong with a proof. `what` is a closed word for programs, `message` a sentence
 * for people.
 */
export interface ProofProblem {
  readonly what:
    | 'not-canonical'
    | 'format'
    | 'shape'
    | 'digest'
    | 'artifact'
    | 'chain'
    | 'policy'
    | 'registry'
    | 'decision'
    | 'gate'
    | 'signature'
    | 'key';
  readonly message: string;
  /** First wrong byte of the file, from 0; null where bytes are not the point. */
  readonly offset: number | null;
  /** `seq` of the first event that is wrong, missing or out of place; null for anything else. */
  readonly seq: number | null;
}

export const problem = (
  what: ProofProblem['what'],
  message: string,
  place: { offset?: number; seq?: number } = {},
): ProofProblem => ({
  what,
  message,
  offset: place.offset ?? null,
  seq: place.seq ?? null,
});

/**
 * What of a value does not fit the shape of a proof, in a sentence that names the place; null = it
 * fits.
 */
export type ShapeCheck = (value: unknown) => string | null;

export type ReadProof =
  | { readonly kind: 'proof'; readonly proof: Proof }
  /** No JSON at all: the caller was given another file. */
  | { readonly kind: 'unreadable'; readonly message: string }
  | { readonly kind: 'problem'; readonly problem: ProofProblem };

/**
 * Parses the file and insists on its one byte form: what was signed is these bytes, not what some
 * parser makes of them.
 */
export function readProof(bytes: Uint8Array, misfit: ShapeCheck): ReadProof {
  const text = utf8Text(bytes, { keepsMark: true });
  if (text === null) return { kind: 'unreadable', message: 'the file is not UTF-8 text' };
  const value = parse(text);
  if (value === undefined) return { kind: 'unreadable', message: 'the file is not JSON' };
  const canonical = canonicalText(value);
  if (canonical === null) return { kind: 'unreadable', message: 'the file is not a proof of a gate' };
  const at = firstDifference(Buffer.from(`${canonical}\n`), bytes);
  if (at !== null)
    return {
      kind: 'problem',
      problem: problem('not-canonical', `the file is not in its canonical form: byte ${at} is the first that differs`, {
        offset: at,
      }),
    };
  if (!isObject(value) || value.kind !== PROOF_KIND)
    return { kind: 'unreadable', message: 'the file is not a proof of a gate' };
  if (value.format !== PROOF_FORMAT)
    return {
      kind: 'problem',
      problem: problem('format', `the proof has format ${String(value.format)}, this kit knows ${PROOF_FORMAT}`),
    };
  const wrong = misfit(value);
  if (wrong !== null) return { kind: 'problem', problem: problem('shape', wrong) };
  // What fits the schema is a proof.
  return { kind: 'proof', proof: value as unknown as Proof };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Null: numbers or a nesting that kit writes in no file. */
function canonicalText(value: unknown): string | null {
  try {
    return canonicalJson(value);
  } catch {
    return null;
  }
}

/**
 * Offset of the first byte in which two files differ, the end of the shorter one included; null =
 * they are equal.
 */
function firstDifference(expected: Uint8Array, actual: Uint8Array): number | null {
  const length = Math.min(expected.length, actual.length);
  for (let at = 0; at < length; at++) if (expected[at] !== actual[at]) return at;
  return expected.length === actual.length ? null : length;
}

import { KitError } from '../../domain/errors.js';
import type { Json, JsonObject } from '../../domain/json.js';
import { MEMORY_TYPES, type MemoryCandidate, type MemoryType } from '../../domain/ports/memory.js';
import { isObject } from '../../lib/json.js';

/** Characters; a memory is a fact, not a document. */
export const MAX_KEY_CHARS = 200;
export const MAX_VALUE_CHARS = 4_000;
/** Of one run: what a model calls worth keeping beyond that is a list, not a memory. */
const MAX_OF_A_RUN = 10;

/** What a person asks to be remembered, checked. Throws KIT_MEMORY_INVALID naming the member. */
export function memoryCandidate(asked: {
  readonly subject: string;
  readonly attribute: string;
  readonly value: string;
  readonly type?: string;
  readonly confidence?: number;
  readonly source: string;
}): MemoryCandidate {
  const { confidence = 1, type = 'semantic' } = asked;
  const [subject, attribute, value] = [asked.subject.trim(), asked.attribute.trim(), asked.value.trim()];
  for (const [member, text, max] of [
    ['subject', subject, MAX_KEY_CHARS],
    ['attribute', attribute, MAX_KEY_CHARS],
    ['value', value, MAX_VALUE_CHARS],
  ] as const) {
    if (text === '') throw invalid(member, 'is empty');
    if (text.length > max) throw invalid(member, `is longer than ${max} characters`);
  }
  if (!isMemoryType(type)) throw invalid('type', `is none of ${MEMORY_TYPES.join(', ')}`);
  if (!(confidence >= 0 && confidence <= 1)) throw invalid('confidence', 'is not between 0 and 1');
  return { subject, attribute, value, type, confidence, source: asked.source, relation: null };
}

export const isMemoryType = (text: string): text is MemoryType => (MEMORY_TYPES as readonly string[]).includes(text);

const invalid = (member: string, problem: string): KitError =>
  new KitError('KIT_MEMORY_INVALID', `\`${member}\` ${problem}`, {
    data: { errors: [{ pointer: `/${member}`, message: problem, code: 'memory' }] },
  });

/**
 * What a model found worth keeping. What does not hold together is left out: an automatic memory is
 * an offer, not a demand.
 */
export function candidatesOf(answer: Json, source: string): readonly MemoryCandidate[] {
  const memories = isObject(answer) && Array.isArray(answer.memories) ? answer.memories : [];
  const found = memories.flatMap((one) => (isObject(one) ? (candidateOf(one, source) ?? []) : []));
  const byKey = new Map(
    found.map((candidate) => [JSON.stringify([candidate.subject, candidate.attribute]), candidate]),
  );
  return [...byKey.values()].slice(0, MAX_OF_A_RUN);
}

function candidateOf(one: JsonObject, source: string): MemoryCandidate | null {
  const { subject, attribute, value, type, confidence, relation } = one;
  if (typeof subject !== 'string' || typeof attribute !== 'string' || typeof value !== 'string') return null;
  try {
    const checked = memoryCandidate({
      subject,
      attribute,
      value,
      source,
      ...(typeof type === 'string' ? { type } : {}),
      confidence: typeof confidence === 'number' ? confidence : 0.5,
    });
    return { ...checked, relation: relation === 'replaces' || relation === 'refines' ? relation : null };
  } catch {
    return null;
  }
}

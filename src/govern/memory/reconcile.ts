import type { Memory, MemoryCandidate, MemoryDecision } from '../../domain/ports/memory.js';

/**
 * How much surer an entry is of a value that it was told once more, up to 1
 * (docs/memory.md#how-an-entry-changes).
 */
const REINFORCED_BY = 0.05;

/**
 * What is written of a candidate. Nothing known: `new`. The same value, but for case and spaces:
 * `reinforce`. Another one that whoever wrote it calls a replacement: `update`; an elaboration, or
 * one that holds the known text: `refine`. Anything else stands against what is known:
 * `contradict`, and the known value stays until a person decides.
 */
export function reconcileMemory(current: Memory | null, candidate: MemoryCandidate): MemoryDecision {
  const { value, confidence, relation } = candidate;
  if (current === null) return { op: 'new', value, confidence, reason: 'nothing was known' };
  const [known, given] = [plain(current.value), plain(value)];
  if (known === given) {
    const surer = Math.min(1, Math.max(current.confidence, confidence) + REINFORCED_BY);
    return { op: 'reinforce', value: current.value, confidence: surer, reason: 'the same was told again' };
  }
  if (relation === 'replaces') return { op: 'update', value, confidence, reason: 'it replaces what was known' };
  if (relation === 'refines' || given.includes(known))
    return {
      op: 'refine',
      value,
      confidence: Math.max(current.confidence, confidence),
      reason: 'it says more than what was known',
    };
  return {
    op: 'contradict',
    value: current.value,
    confidence: current.confidence,
    reason: 'it says something else than what is known',
  };
}

const plain = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();

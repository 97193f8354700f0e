import type { MemoryHit } from '../../domain/ports/memory.js';
import { MAX_QUESTION_WORDS, rankMemories } from '../../govern/memory/rank.js';
import { type RecalledMemory, recallBlock } from '../../govern/memory/words.js';
import { memoryWords } from '../../lib/memory-words.js';
import { taskText } from '../activation-call.js';
import type { DraftCall } from '../drafts.js';
import type { RunMemory, RunServices } from '../services.js';

/** Entries that an index is asked for; the ranking takes the best of them. */
const LOOKED_AT = 32;

/** Whether the run was submitted with memory on, and the store keeps one. */
export const remembers = ({ snapshot, memory }: RunServices): boolean => memory !== undefined && snapshot.memory?.enabled === true;

/**
 * What is remembered and fits the task of a draft, as a block to stand before it; `''` where there is nothing, or memory is off. What was found is a step of
 * the draft, so every later pass over the journal reads the same. A recall that finds nothing leaves no row: the first step of the draft stands for it, and
 * a run that remembers nothing has the journal it always had.
 */
export async function recall(services: RunServices, { activation, first }: Pick<DraftCall, 'activation' | 'first'>): Promise<string> {
  const { memory, steps } = services;
  if (memory === undefined || !remembers(services)) return '';
  const draft = `${activation.key}/d${first}`;
  const key = `${draft}/m`;
  const isOpen = steps.rowOf(key) === undefined;
  if (isOpen && (steps.rowOf(`${draft}/t0`) !== undefined || steps.rowOf(`${draft}/x`) !== undefined)) return '';
  const question = taskText(activation.task);
  const found = isOpen ? await lookUp(services, memory, { question, stepKey: key }) : null;
  if (found?.length === 0) return '';
  const { node } = activation;
  const outcome = await steps.run<{ readonly memories: readonly RecalledMemory[] }>(
    { key, kind: 'memory', identity: { what: 'recall' }, effects: 'read', onInDoubt: 'repeat', agentId: node.id, units: 0 },
    async () => {
      const memories = found ?? (await lookUp(services, memory, { question, stepKey: key }));
      const keys = memories.map(({ subject, attribute }) => `${subject}/${attribute}`);
      return {
        outcome: { status: 'ok', value: { memories } },
        events: [{ type: 'memory.recalled', agentId: node.id, skillId: null, payload: { activation: activation.key, keys } }],
      };
    },
  );
  return outcome.status === 'ok' ? recallBlock(outcome.value.memories) : '';
}

/** The best entries for a question that the submitter of this run may read; `stepKey` is the step that wants to know. */
export async function lookUp(
  services: RunServices,
  memory: RunMemory,
  { question, stepKey }: { readonly question: string; readonly stepKey: string },
): Promise<readonly RecalledMemory[]> {
  const settings = services.snapshot.memory;
  if (settings === undefined) return [];
  const { owner } = memory;
  const reader = { owner, scope: settings.searchScope };
  const hits = await memory.find(reader, { words: memoryWords(question, MAX_QUESTION_WORDS), limit: LOOKED_AT }, stepKey);
  const ask = {
    question,
    threshold: settings.similarityThreshold,
    limit: settings.maxResults,
    ownFirst: settings.searchScope === 'both' ? owner : null,
  };
  return rankMemories(hits, ask).map(recalled);
}

const recalled = ({ memory }: MemoryHit): RecalledMemory => {
  const { id, subject, attribute, value, origin, owner, source, validFrom } = memory;
  return { id, subject, attribute, value, origin, owner, source, since: validFrom };
};

import type { MemoryHit } from '../../domain/ports/memory.js';
import { EMBEDDING_MODEL } from '../../domain/snapshot.js';
import { MAX_QUESTION_WORDS, rankMemories } from '../../govern/memory/rank.js';
import { memoryWords } from '../../lib/memory-words.js';
import { type RecalledMemory, recallBlock } from '../../prompts/memory.js';
import { taskText } from '../activation-call.js';
import type { DraftCall } from '../drafts.js';
import type { RunMemory } from '../services/run-stores.js';
import type { RunServices } from '../services.js';

/** Entries that an index is asked for; the ranking takes the best of them. */
const LOOKED_AT = 32;

/** Whether the run was submitted with memory on, and the store keeps one. */
export const remembers = ({ snapshot, memory }: RunServices): boolean =>
  memory !== undefined && snapshot.memory?.enabled === true;

/**
 * What is remembered and fits the task of a draft, as a block to stand before it; `''` where there
 * is nothing, or memory is off. What was found is a step of the draft, so every later pass over the
 * journal reads the same. A recall that finds nothing leaves no row: the first step of the draft
 * stands for it, and a run that remembers nothing has the journal it always had. Where a provider's
 * embeddings say how near an entry is, they are part of that step, and so is what they cost;
 * nothing is asked where no entry shares a word with the task.
 */
export async function recall(
  services: RunServices,
  { activation, first }: Pick<DraftCall, 'activation' | 'first'>,
): Promise<string> {
  const { memory, steps } = services;
  if (memory === undefined || !remembers(services)) return '';
  const draft = `${activation.key}/d${first}`;
  const key = `${draft}/m`;
  const isOpen = steps.rowOf(key) === undefined;
  if (isOpen && (steps.rowOf(`${draft}/t0`) !== undefined || steps.rowOf(`${draft}/x`) !== undefined)) return '';
  const question = taskText(activation.task);
  const isEmbedding = services.snapshot.models[EMBEDDING_MODEL] !== undefined;
  const hits = isOpen ? await look(services, memory, { question, stepKey: key }) : null;
  const found = hits === null || isEmbedding ? null : best(services, { memory, question, hits });
  if (found?.length === 0 || hits?.length === 0) return '';
  const { node } = activation;
  const outcome = await steps.run<{ readonly memories: readonly RecalledMemory[] }>(
    {
      key,
      kind: 'memory',
      identity: { what: 'recall' },
      effects: 'read',
      onInDoubt: 'repeat',
      agentId: node.id,
      units: 0,
    },
    async (context) => {
      const asked = hits ?? (await look(services, memory, { question, stepKey: key }));
      const by = isEmbedding
        ? await (await import('./nearness.js')).nearnessOf(services, {
            key,
            agentId: node.id,
            context,
            question,
            hits: asked,
          })
        : null;
      const memories = found ?? best(services, { memory, question, hits: asked, near: by?.near ?? null });
      const keys = memories.map(({ subject, attribute }) => `${subject}/${attribute}`);
      const payload = { activation: activation.key, keys, ...(by === null ? {} : { embedding: by.embedding }) };
      return {
        outcome: { status: 'ok', value: { memories } },
        ...(by === null ? {} : { usage: by.usage ?? null }),
        events: [
          ...(by === null ? [] : [by.called]),
          { type: 'memory.recalled', agentId: node.id, skillId: null, payload },
        ],
      };
    },
  );
  return outcome.status === 'ok' ? recallBlock(outcome.value.memories) : '';
}

interface Ask {
  readonly question: string;
  /** The step that wants to know. */
  readonly stepKey: string;
}

/** The best entries for a question that the submitter of this run may read, by their wording. */
export async function lookUp(services: RunServices, memory: RunMemory, ask: Ask): Promise<readonly RecalledMemory[]> {
  return best(services, { memory, question: ask.question, hits: await look(services, memory, ask) });
}

async function look(
  services: RunServices,
  memory: RunMemory,
  { question, stepKey }: Ask,
): Promise<readonly MemoryHit[]> {
  const settings = services.snapshot.memory;
  if (settings === undefined) return [];
  const reader = { owner: memory.owner, scope: settings.searchScope };
  return memory.find(reader, { words: memoryWords(question, MAX_QUESTION_WORDS), limit: LOOKED_AT }, stepKey);
}

interface Found {
  readonly memory: RunMemory;
  readonly question: string;
  readonly hits: readonly MemoryHit[];
  /** Null: the wording counts. */
  readonly near?: ReadonlyMap<string, number> | null;
}

function best(services: RunServices, { memory, question, hits, near = null }: Found): readonly RecalledMemory[] {
  const settings = services.snapshot.memory;
  if (settings === undefined) return [];
  const ask = {
    question,
    threshold: settings.similarityThreshold,
    limit: settings.maxResults,
    ownFirst: settings.searchScope === 'both' ? memory.owner : null,
    ...(near === null ? {} : { near }),
  };
  return rankMemories(hits, ask).map(recalled);
}

const recalled = ({ memory }: MemoryHit): RecalledMemory => {
  const { id, subject, attribute, value, origin, owner, source, validFrom } = memory;
  return { id, subject, attribute, value, origin, owner, source, since: validFrom };
};

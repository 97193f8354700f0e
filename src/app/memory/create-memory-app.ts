import { KitError } from '../../domain/errors.js';
import type { MemoryCandidate, MemoryReader, MemoryStore } from '../../domain/ports/memory.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Clock, Ids } from '../../domain/ports/system.js';
import type { Workspace } from '../../domain/workspace.js';
import { isMemoryType, memoryCandidate } from '../../govern/memory/candidates.js';
import { MAX_QUESTION_WORDS, rankMemories } from '../../govern/memory/rank.js';
import { reconcileMemory } from '../../govern/memory/reconcile.js';
import { memoryWords } from '../../lib/memory-words.js';
import { entryEvent } from '../entry-events.js';
import type { MemoryApp } from './memory-app.js';

/** Real parts behind the use cases. */
export interface MemoryDeps {
  readonly ids: Ids;
  readonly clock: Clock;
  readonly loadWorkspace: (directory: string) => Promise<Pick<Workspace, 'memory' | 'isMemoryWritten'>>;
  /** Makes the store where there is none. */
  readonly openStores: (directory: string) => Promise<Pick<Stores, 'memory' | 'events'>>;
  /** Null where nothing was ever run or remembered: looking makes no store. */
  readonly openMemory: (directory: string) => Promise<MemoryStore | null>;
  /** Masks every secret that is known in a workspace: none is remembered. */
  readonly maskOf: (directory: string) => Promise<(text: string) => string>;
}

/** Entries that the index is asked for where only those of one type are wanted. */
const MAX_LOOKED_AT = 1000;

/** What `kit memory` and HTTP show: one's own, and what people wrote. */
const readerOf = (owner: string): MemoryReader => ({ owner, scope: 'all' });

export function createMemoryApp(deps: MemoryDeps): MemoryApp {
  const openExisting = async (workspace: string) => {
    await assertOn(deps, workspace);
    return deps.openMemory(workspace);
  };
  const writing = async (workspace: string) => {
    await assertOn(deps, workspace);
    return deps.openStores(workspace);
  };
  return {
    config: async ({ workspace }) => {
      const { memory, isMemoryWritten } = await deps.loadWorkspace(workspace);
      return { ...memory, source: isMemoryWritten ? 'workspace' : 'default' };
    },
    list: async ({ workspace, reader, query, type, limit }) => {
      if (type !== null && !isMemoryType(type))
        throw new KitError('KIT_MEMORY_INVALID', `\`type\` ${type} does not exist`, { data: { type } });
      const memory = await openExisting(workspace);
      if (memory === null) return [];
      if (query.trim() === '') return memory.list(readerOf(reader), { type, limit });
      // The index knows no types: entries of others may stand before those that are asked for.
      const most = type === null ? limit : MAX_LOOKED_AT;
      const hits = await memory.find(readerOf(reader), { words: memoryWords(query, MAX_QUESTION_WORDS), limit: most });
      const fitting = hits.filter((hit) => type === null || hit.memory.type === type);
      return rankMemories(fitting, { question: query, threshold: 0, limit, ownFirst: null }).map((hit) => hit.memory);
    },
    item: async ({ workspace, reader, ...key }) => (await openExisting(workspace))?.item(readerOf(reader), key) ?? [],
    add: async ({ workspace, by, memories }) => {
      const checked = memories.map((asked) => memoryCandidate({ ...asked, source: asked.source?.trim() || by }));
      await assertOn(deps, workspace);
      const mask = await deps.maskOf(workspace);
      const candidates = checked.map((one) => masked(one, mask));
      const { memory, events } = await writing(workspace);
      const person = { origin: 'person', owner: by, session: null, jobId: null } as const;
      const written = await memory.write({
        ...person,
        writeId: `door/${deps.ids.uuid()}`,
        candidates,
        decide: reconcileMemory,
      });
      for (const [index, { op, key }] of written.entries()) {
        const { source = '', confidence = 0 } = candidates[index] ?? {};
        await events.append(
          entryEvent(deps, {
            type: 'memory.written',
            topology: '',
            payload: { op, key, origin: 'person', source, confidence },
          }),
          {},
        );
      }
      return written;
    },
    quarantine: async ({ workspace, reader, status, limit }) =>
      (await openExisting(workspace))?.quarantine(readerOf(reader), { status, limit }) ?? [],
    resolve: async ({ workspace, ...decision }) => {
      const { memory, events } = await writing(workspace);
      const comment = decision.comment === null ? null : (await deps.maskOf(workspace))(decision.comment);
      const decided = await memory.resolve(readerOf(decision.by), { ...decision, comment });
      const { subject, attribute, source, confidence } = decided.candidate;
      const change = { op: 'update', key: `${subject}/${attribute}`, origin: 'person', source, confidence } as const;
      // What was rejected has changed nothing.
      if (decision.accept)
        await events.append(entryEvent(deps, { type: 'memory.written', topology: '', payload: change }), {});
      return decided;
    },
  };
}

const masked = (one: MemoryCandidate, mask: (text: string) => string): MemoryCandidate => ({
  ...one,
  subject: mask(one.subject),
  attribute: mask(one.attribute),
  value: mask(one.value),
  source: mask(one.source),
});

async function assertOn(deps: MemoryDeps, workspace: string): Promise<void> {
  if (!(await deps.loadWorkspace(workspace)).memory.enabled)
    throw new KitError('KIT_MEMORY_OFF', 'this workspace remembers nothing');
}

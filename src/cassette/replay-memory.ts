import type { MemoryHit, MemoryWritten } from '../domain/ports/memory.js';
import type { RunFacilities } from '../worker/facilities.js';
import type { CassetteHeader } from './format.js';
import type { RecordedMemory } from './record-memory.js';
import type { Take } from './replay-tools.js';
import { askedOfRecall, askedOfRemember } from './requests.js';

/** The first format that holds what was remembered. */
const WITH_MEMORY = 2;

/**
 * Memory as it was when the run was recorded: nothing of it is read or written now. A file of the
 * first format holds none, and the run that is in it knew none that mattered: had it been shown
 * something, its requests would hold that, and the first of them would not be found.
 */
export function replayMemory(
  take: Take,
  header: CassetteHeader,
): Required<Pick<RunFacilities, 'aroundMemory'>>['aroundMemory'] {
  const isHeld = header.format >= WITH_MEMORY;
  return (own) => ({
    // What is one's own comes first where the scope says so: one's own is the one's who recorded
    // it.
    owner: header.owner ?? own.owner,
    find: async (reader, ask, key) => {
      if (!isHeld) return [];
      const { gave } = await take<RecordedMemory>({ kind: 'recall', key, n: 0, asked: askedOfRecall([reader, ask]) });
      return gave as unknown as readonly MemoryHit[];
    },
    write: async (write, key) => {
      if (!isHeld) return [];
      const { gave } = await take<RecordedMemory>({ kind: 'remember', key, n: 0, asked: askedOfRemember([write]) });
      return gave as unknown as readonly MemoryWritten[];
    },
  });
}

import type { Json } from '../domain/json.js';
import type { RunFacilities } from '../worker/facilities.js';
import { askedOfRecall, askedOfRemember } from './requests.js';
import type { CassetteWriter } from './write-cassette.js';

/** What was found, or written: as the store answered. */
export type RecordedMemory = { readonly gave: Json };

/** Every look into memory, also one that found nothing, and what became of every write. */
export function recordMemory(writer: CassetteWriter): Required<Pick<RunFacilities, 'aroundMemory'>> {
  return {
    aroundMemory: (own) => ({
      owner: own.owner,
      find: async (reader, ask, key) => {
        const gave = (await own.find(reader, ask, key)) as unknown as Json;
        const kept = writer.keep<RecordedMemory>(
          { kind: 'recall', key, n: 0, asked: askedOfRecall([reader, ask]) },
          { gave },
        );
        return kept.gave as unknown as Awaited<ReturnType<typeof own.find>>;
      },
      write: async (write, key) => {
        const gave = (await own.write(write, key)) as unknown as Json;
        const kept = writer.keep<RecordedMemory>(
          { kind: 'remember', key, n: 0, asked: askedOfRemember([write]) },
          { gave },
        );
        return kept.gave as unknown as Awaited<ReturnType<typeof own.write>>;
      },
    }),
  };
}

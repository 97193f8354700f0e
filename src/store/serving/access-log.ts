import type { ServingStore } from '../../domain/ports/serving.js';
import { type AccessRecord, accessParams, decodeAccess } from '../access-row.js';
import { all, type Programs, run } from '../program.js';
import { ADD_ACCESS, READ_ACCESS } from '../sql/access.js';

/** Who asked a server what. */
export const createAccessLog = ({ read, write }: Programs): Pick<ServingStore, 'recordAccess' | 'access'> => ({
  recordAccess: async (entries) => {
    if (entries.length === 0) return;
    await write('serving.access', function* (at) {
      const now = at();
      for (const entry of entries) yield* run(ADD_ACCESS, accessParams(entry, now));
    });
  },
  access: async (limit) => (await read(() => all<AccessRecord>(READ_ACCESS, { limit }))).map(decodeAccess),
});

import type { ScratchStores } from '../../doctor/crash-place.js';
import { NO_FAULTS } from '../../domain/faults.js';
import { SCRATCH_PREFIX } from '../../store/postgres/schema.js';
import { createClock } from '../../system/clock.js';
import { createIds } from '../../system/ids.js';
import { processStartOf, readWorkerHost } from '../../system/worker-host.js';
import { createStoreOpener } from '../open-stores.js';

const LOG = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Stores of `kit doctor --crash`. */
export const scratchStores: ScratchStores = {
  prefix: SCRATCH_PREFIX,
  reading: async (of, read) => {
    const opener = createStoreOpener({
      env: { KIT_STORE_POOL_SIZE: '1', KIT_STORE_MAX_OVERFLOW: '2' },
      clock: createClock(),
      ids: createIds(readWorkerHost()),
      log: LOG,
      processStartOf,
      scratch: { schema: of.schema, faults: NO_FAULTS },
    });
    try {
      const stores = await opener.openExisting({
        ...of,
        audit: null,
        memory: null,
        artifacts: { kind: 'database' },
        openArtifactBytes: () => Promise.reject(new Error('kept in the database')),
      });
      return await read(stores);
    } finally {
      await opener.close();
    }
  },
  dropSchemas: async (storage, prefix) => {
    const { dropScratchSchemas } = await import('../../store/postgres/scratch.js');
    await dropScratchSchemas(storage, prefix);
  },
};

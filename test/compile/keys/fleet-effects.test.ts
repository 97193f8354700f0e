import { join } from 'node:path';
import { test } from 'vitest';
import { readStorage } from '../../../src/app/storage/read-storage.js';
import { storageEnvironment } from '../../../src/app/storage/storage-environment.js';
import { fleetPlace } from '../../../src/app/storage/store-rows.js';
import { createStoreOpener } from '../../../src/boot/open-stores.js';
import { isKitError } from '../../../src/domain/errors.js';
import { createClock } from '../../../src/system/clock.js';
import { nodeFiles } from '../../../src/system/files.js';
import { createIds } from '../../../src/system/ids.js';
import { processStartOf, readWorkerHost } from '../../../src/system/worker-host.js';
import { showsEffect } from '../../support/shows-effect.js';
import { FLEET_PROOFS } from './proofs/fleet-proofs.js';
import { VERDICTS } from './proofs/verdict-scene.js';

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Who is alive, or what the store says that was asked. */
async function membersOf(directory: string): Promise<unknown> {
  const { settings, resolve } = await readStorage(directory, { files: nodeFiles, environment: {} });
  const clock = createClock();
  const opener = createStoreOpener({ env: {}, clock, ids: createIds(readWorkerHost()), log, processStartOf });
  const openArtifactBytes = () => Promise.reject(new Error('artifacts lie in the database here'));
  const here = {
    stateDir: join(directory, '.kit'),
    storage: { backend: 'sqlite' as const },
    audit: null,
    memory: null,
    artifacts: { kind: 'database' as const },
    openArtifactBytes,
  };
  try {
    const place = fleetPlace(settings, storageEnvironment({}, resolve));
    return await (await opener.openFleet(here, place)).list(1000);
  } catch (error) {
    if (!isKitError(error)) throw error;
    return { code: error.code, message: error.message };
  } finally {
    await opener.close();
  }
}

test.each(FLEET_PROOFS)('$key changes where servers and workers are listed', ({ key, a, b, given }) =>
  showsEffect(key, a, b, { base: VERDICTS, observe: membersOf, ...(given === undefined ? {} : { given }) }),
);

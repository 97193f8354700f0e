import { test } from 'vitest';
import { createAddressJudge } from '../../../src/system/guarded-fetch/addresses.js';
import { openAuthScene } from '../../support/serving/auth-scene.js';
import { showsEffect } from '../../support/shows-effect.js';
import { OUTBOUND_PROOFS } from './proofs/outbound-proofs.js';
import { VERDICTS } from './proofs/verdict-scene.js';

/** What a server that others reach says of two private addresses. */
async function observe(directory: string): Promise<unknown> {
  const scene = await openAuthScene(directory, { PATH: process.env.PATH ?? '' });
  try {
    const judge = createAddressJudge({ isLocal: false, ...scene.workspace.server.outbound });
    return [judge('x.example', '10.2.0.1'), judge('peer.internal', '10.3.0.1')];
  } finally {
    await scene.close();
  }
}

test.each(OUTBOUND_PROOFS)('$key changes which private addresses are called', async ({ key, a, b }) => {
  await showsEffect(key, a, b, { base: VERDICTS, observe });
});

import { test } from 'vitest';
import { openSceneApp } from '../../support/scene/scene-app.js';
import { showsEffect } from '../../support/shows-effect.js';
import { CANARIES, CANARY_PROOFS } from './proofs/canary-proofs.js';

/** What `GET /canary` says before the first run. */
async function observe(directory: string): Promise<unknown> {
  const app = openSceneApp(directory, { env: { HOME: directory } });
  try {
    return (await app.canary.list({ workspace: directory })).routes;
  } finally {
    await app.close();
  }
}

test.concurrent.for(CANARY_PROOFS)('$key changes what is said of the route', async ({ key, a, b, at, given }) => {
  await showsEffect(key, a, b, {
    base: CANARIES,
    observe,
    ...(at === undefined ? {} : { at }),
    ...(given === undefined ? {} : { given }),
  });
});

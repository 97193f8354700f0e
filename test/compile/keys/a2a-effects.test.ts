import { test } from 'vitest';
import { contribution } from '../../../plugins/protocols/src/a2a/mount.js';
import { createServer } from '../../../plugins/serve/src/server/create-server.js';
import { appOver } from '../../support/http/open-app.js';
import { groupOf, TEST_AUTH } from '../../support/http/serve-group.js';
import { showsEffect } from '../../support/shows-effect.js';
import { A2A_PROOFS } from './proofs/a2a-proofs.js';
import { VERDICTS } from './proofs/verdict-scene.js';

/** The card of a server, and how long it lets a blocking message wait. */
async function observe(directory: string): Promise<unknown> {
  const app = appOver(directory, { HOME: directory, PATH: process.env.PATH ?? '' });
  const groups = [await groupOf(contribution, app)];
  const server = await createServer({ workspace: directory, auth: TEST_AUTH, groups });
  try {
    const { statusCode, body } = await server.inject('/.well-known/agent-card.json');
    const { a2a } = (await app.info.offered(directory)).server;
    return { statusCode, card: statusCode === 200 ? body : null, waitMs: a2a.waitMs };
  } finally {
    await server.close();
    await app.close();
  }
}

test.each(A2A_PROOFS)('$key changes what other agents meet', async ({ key, a, b, given }) => {
  await showsEffect(key, a, b, { base: VERDICTS, observe, ...(given === undefined ? {} : { given }) });
});

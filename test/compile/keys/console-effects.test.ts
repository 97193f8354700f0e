import { expect, test } from 'vitest';
import { openMcpServer } from '../../support/mcp/server.js';
import { showsEffect } from '../../support/shows-effect.js';
import { filesBelow } from './files-below.js';
import { CONSOLE_PROOFS } from './proofs/console-proofs.js';
import { OFFERED } from './proofs/mcp-proofs.js';

/** What somebody gets who opens the console. */
async function openedIn(directory: string): Promise<unknown> {
  const { url, stop } = await openMcpServer(await filesBelow(directory));
  const answer = await fetch(`${url}/console`);
  await answer.arrayBuffer();
  await stop();
  return answer.status;
}

test.each(CONSOLE_PROOFS)('$key changes who gets a page', { timeout: 120_000 }, async ({ key, a, b }) => {
  await expect(showsEffect(key, a, b, { base: OFFERED, observe: openedIn })).resolves.toBeUndefined();
});

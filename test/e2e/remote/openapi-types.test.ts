import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { projectRoot } from '../../support/kit-process.js';

it('the client of --server is made of the document that a server publishes', async () => {
  const script = join(projectRoot, 'scripts/openapi-types.mjs');

  const checked = promisify(execFile)(process.execPath, [script, '--check']);

  await expect(checked).resolves.toMatchObject({ stderr: '' });
});

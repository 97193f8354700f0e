import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { alsoResolved, maskOfWorkspace } from '../../src/boot/known-secrets.js';
import { Masker } from '../../src/lib/masker.js';
import { WORKSPACE } from '../support/compile.js';
import { SILENT } from '../support/store-world.js';

async function workspaceMask(env: NodeJS.ProcessEnv): Promise<(text: string) => string> {
  const directory = await mkdtemp(join(tmpdir(), 'kit-known-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await writeFile(join(directory, 'workspace.yaml'), WORKSPACE);
  return maskOfWorkspace(directory, { env, log: SILENT });
}

describe('what people write where no run is open', () => {
  it('loses the secrets of the environment, and those that this process has resolved for its runs', async () => {
    const masker = new Masker(['resolved-by-a-plugin']);
    const mask = await alsoResolved(
      await workspaceMask({ CHAT_TOKEN: 'from-the-environment' }),
      Promise.resolve({ credentials: { masker } }),
    );
    expect(mask('a from-the-environment b resolved-by-a-plugin c')).toBe('a [MASKED] b [MASKED] c');
    masker.add('resolved-later');
    expect(mask('resolved-later')).toBe('[MASKED]');
  });

  it('loses what is known without a session, and where it could not be opened', async () => {
    const known = await workspaceMask({ CHAT_TOKEN: 'from-the-environment' });
    for (const session of [undefined, Promise.reject(new Error('the workspace is broken'))])
      expect((await alsoResolved(known, session))('from-the-environment')).toBe('[MASKED]');
  });
});

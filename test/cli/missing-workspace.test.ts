import { expect, it } from 'vitest';
import { withWorkspaceChoice } from '../../src/cli/missing-workspace.js';
import { KitError } from '../../src/domain/errors.js';

const MISSING = new KitError('KIT_WORKSPACE_NOT_FOUND', '/x holds no workspace.yaml');
const NOWHERE = { kind: 'searched', found: { kind: 'none' }, cwd: '/x', directory: '/x' } as const;

const known = (kept: readonly string[], server: { readonly hidden?: boolean } = {}) => ({
  flags: { server },
  logins: async () => ({ kept: kept.map((origin) => ({ origin })) }),
});

it('names a server where there is no workspace near and the command can ask one', async () => {
  expect(await withWorkspaceChoice(MISSING, NOWHERE, known([]))).toMatchObject({
    code: 'KIT_WORKSPACE_NOT_FOUND',
    message: '/x holds no workspace.yaml',
    hint: expect.stringMatching(/kit init .*--server URL or KIT_SERVER; sign in: `kit auth login URL`/),
  });
  expect(await withWorkspaceChoice(MISSING, NOWHERE, known(['https://a.test'], { hidden: true }))).toBe(MISSING);
});

it('names the servers for which a key is kept, as they are pasted', async () => {
  const hint = async (kept: readonly string[]) =>
    ((await withWorkspaceChoice(MISSING, NOWHERE, known(kept))) as KitError).hint;
  expect(await hint(['https://kit.example.com'])).toMatch(/signed in: add --server https:\/\/kit\.example\.com\.$/);
  expect(await hint(['https://a.test', 'https://b.test', 'https://c.test', 'https://d.test'])).toMatch(
    /add --server https:\/\/a\.test or .*c\.test, or another one of `kit auth status`\.$/,
  );
  const broken = { ...known([]), logins: () => Promise.reject(new Error('unreadable')) };
  expect(await withWorkspaceChoice(MISSING, NOWHERE, broken)).toMatchObject({ code: 'KIT_WORKSPACE_NOT_FOUND' });
});

it('names none to whoever typed a directory', async () => {
  expect(await withWorkspaceChoice(MISSING, { kind: 'typed', directory: '/x' }, known(['https://a.test']))).toBe(
    MISSING,
  );
});

import { expect, it } from 'vitest';
import { withWorkspaceChoice } from '../../src/cli/missing-workspace.js';
import { KitError } from '../../src/domain/errors.js';

const MISSING = new KitError('KIT_WORKSPACE_NOT_FOUND', '/x holds no workspace.yaml');
const NOWHERE = { kind: 'searched', found: { kind: 'none' }, cwd: '/x', directory: '/x' } as const;

it('names a server where there is no workspace near and the command can ask one', () => {
  expect(withWorkspaceChoice(MISSING, NOWHERE, { flags: { server: {} } })).toMatchObject({
    code: 'KIT_WORKSPACE_NOT_FOUND',
    message: '/x holds no workspace.yaml',
    hint: expect.stringMatching(/kit init .*--server URL or KIT_SERVER; `kit auth status`/),
  });
  expect(withWorkspaceChoice(MISSING, NOWHERE, { flags: { server: { hidden: true } } })).toBe(MISSING);
});

it('names none to whoever typed a directory', () => {
  expect(withWorkspaceChoice(MISSING, { kind: 'typed' }, { flags: { server: {} } })).toBe(MISSING);
});

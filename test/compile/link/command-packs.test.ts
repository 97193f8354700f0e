import { expect, test } from 'vitest';
import { compileSources, errorsOf, WORKSPACE } from '../../support/compile.js';

test('a command whose id is a member of every object has no bounds but its own', async () => {
  const pack = `${WORKSPACE}command_packs:
  - id: git
    timeout_overrides: { push: 60 }
    permission_overrides: { push: strict }
    commands: [{ id: constructor, argv: [git, log], effects: read }, { id: push, argv: [git, push] }]
`;
  const result = await compileSources({ 'workspace.yaml': pack });

  expect(errorsOf(result)).toEqual([]);
  expect(result.workspace?.skills.get('git-constructor')).toMatchObject({
    implementation: { command: { timeoutMs: 30_000, permission: 'cautious' } },
  });
});

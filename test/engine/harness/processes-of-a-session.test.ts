import { afterEach, beforeEach, expect, it } from 'vitest';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { createWorktrees } from '../../../src/system/worktrees/worktrees.js';
import { countedGit } from '../../support/counted-git.js';
import { bash } from '../../support/fake-claude.js';
import { answer, goOn } from '../../support/gated.js';
import { harnessFacilities, openHarness } from '../../support/harness-world.js';
import { createRepository, type TestRepository } from '../../support/repository.js';
import { lawfulWorlds } from '../laws.js';

const open = lawfulWorlds();
let repository: TestRepository;
beforeEach(() => {
  repository = createRepository({ 'a.txt': 'a\n' });
});
afterEach(() => repository.dispose());

it('starts so many processes and no more: the program once a launch, git to make, compare and tell a worktree', async () => {
  const git = countedGit(repository);
  const facilities = harnessFacilities(repository);
  const started: string[] = [];
  const world = await openHarness(open, {
    repository,
    turns: [[bash('echo asked')], [{ say: 'done' }]],
    facilities: () => ({
      ...facilities,
      worktrees: createWorktrees({
        ...{ env: repository.env, owner: readWorkerHost(), tempRoot: repository.temp, gitPath: git.path },
      }),
      processes: {
        spawn: (spec, ...rest) => {
          started.push(spec.argv[0]);
          return facilities.processes.spawn(spec, ...rest);
        },
      },
    }),
  });

  // Until it parks: the worktree, what its program changed, and what people are shown of it.
  expect(await world.run()).toMatchObject({ kind: 'parked' });
  const made = ['rev-parse', 'worktree', 'ls-files'];
  const reported = ['ls-files', 'diff'];
  expect({ git: git.take(), programs: started.splice(0).length }).toEqual({
    git: [...made, ...reported, ...reported],
    programs: 1,
  });

  // Approved: whether it is as they saw it, and the work.
  await answer(world, { action: 'approve' });
  expect(await goOn(world)).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
  expect({ git: git.take(), programs: started.splice(0).length }).toEqual({
    git: [...reported, ...reported],
    programs: 1,
  });
});

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Executor } from '../../../src/domain/ports/executor.js';
import { sha256Hex } from '../../../src/lib/sha256.js';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { createWorktrees } from '../../../src/system/worktrees/worktrees.js';
import { decide, gatedBy, goOn, isOpenItem, ONE_ROLE, openRounds, policy, reviews, rule } from '../../support/gated.js';
import { createRepository, type TestRepository } from '../../support/repository.js';
import { agent, type World } from '../../support/run-world.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';

const open = lawfulWorlds();
let repository: TestRepository;
beforeEach(() => {
  repository = createRepository({ 'a.txt': 'a\n', 'docs/b.md': 'b\n' });
});
afterEach(() => repository.dispose());

/** Each session writes its number into a.txt, and the first one changes the docs as well. */
function sessions(statements: string[]): Executor {
  return {
    run: async (request, context) => {
      statements.push(request.statement);
      const script = `echo ${statements.length} > a.txt; echo same > docs/b.md`;
      const child = context.spawn({
        argv: ['/bin/sh', '-c', script],
        cwd: request.sandboxRoot,
        env: { ...context.env },
        stdin: '',
        maxLineBytes: 1000,
        stderrTailBytes: 1000,
        idleTimeoutMs: null,
        timeoutMs: null,
        maxOutputBytes: null,
      });
      for await (const _line of child.lines);
      await child.done;
      return {
        status: 'success',
        reason: null,
        message: '',
        output: `session ${statements.length}`,
        usage: null,
        exitCode: 0,
        signal: null,
        stderrTail: '',
      };
    },
  };
}

async function started(approve = ONE_ROLE): Promise<{ readonly world: World; readonly statements: readonly string[] }> {
  const statements: string[] = [];
  const executor = sessions(statements);
  const world = await open({
    root: agent('coder', {
      role: 'root',
      funnel: 'sign-off',
      executor: { kind: 'plugin', ref: 'scripted', config: {}, onInDoubt: 'repeat' },
    }),
    ...gatedBy(approve),
    script: () => 'unused',
    facilities: () => ({
      executor: async () => executor,
      worktrees: createWorktrees({ env: repository.env, owner: readWorkerHost(), tempRoot: repository.temp }),
      workspaceRoot: repository.root,
      childEnv: repository.env,
    }),
  });
  return { world, statements };
}

const diffOf = async (world: World): Promise<string> => (await world.stores.jobs.diffs(world.job.id))?.coder ?? '';

it('what is signed of a harness is its answer and its diff; the run ends with the diff of the draft that was let out', async () => {
  const { world, statements } = await started();
  await world.run();

  const [gate] = await openRounds(world);
  expect(gate).toMatchObject({ mediaType: 'text/x-diff' });
  const signed = new TextDecoder().decode((await world.stores.artifacts.read(gate?.sha256 ?? '')) ?? undefined);
  expect(signed).toMatch(/^session 1\n\ndiff --git a\/a\.txt b\/a\.txt\n/);
  expect(gate?.evidence.diffSha256).toBe(sha256Hex(signed.slice('session 1\n\n'.length)));

  await decide(world, { role: 'qa', outcome: 'changes_requested', comment: 'two, please' });
  await goOn(world);
  expect(statements).toHaveLength(2);
  expect(statements[1]).toContain('"comment":"two, please"');
  expect((await world.stores.runs.load(world.job.id)).map((row) => row.key)).toEqual([
    'root',
    'root/d0/x',
    'root/g0',
    'root/d1/x',
    'root/g1',
  ]);

  await decide(world, { role: 'qa' });
  await goOn(world);
  expect(await world.row()).toMatchObject({ status: 'completed', output: 'session 2' });
  expect(await diffOf(world)).toContain('+2');
  expect(await diffOf(world)).not.toContain('+1\n');
  expect(payloadsOf(await world.events(), 'executor.started')).toHaveLength(2);
});

it('a decision about files that the next diff changes alike carries over, and the others are asked again', async () => {
  const { world } = await started(
    policy([rule(['qa'], { covers: ['docs'] }), rule(['ops'], { covers: ['a.txt'] })], {
      onRevision: 'reconfirm_changed',
    }),
  );
  await world.run();
  await decide(world, { role: 'qa' });
  await decide(world, { role: 'ops', outcome: 'changes_requested', comment: 'again' });
  await goOn(world);

  expect((await reviews(world)).items.filter(isOpenItem).map((item) => item.role)).toEqual(['ops']);
  await decide(world, { role: 'ops' });
  await goOn(world);
  expect(await world.row()).toMatchObject({ status: 'completed', output: 'session 2' });
});

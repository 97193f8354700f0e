import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KitResult, projectRoot } from '../support/kit-process.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { makeRepositoryIn, type Repository } from './repository.js';
import { localProvider } from './workspaces.js';
import { eventsOf, lastOf, makeWorld, processesOf, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

/** Each test says in a file outside the repository that it really ran. */
const NODE_TESTS = (ran: string, expected: number): string => `import assert from 'node:assert';
import { appendFileSync } from 'node:fs';
import test from 'node:test';
const ran = () => appendFileSync(${JSON.stringify(ran)}, 'x');
test('adds', () => { ran(); assert.equal(1 + 1, ${expected}); });
test('holds', ran);
test.skip('later', ran);
`;

const VITEST_TESTS = `import { expect, it } from 'vitest';
it('adds', () => expect(1 + 1).toBe(2));
it('is wrong', () => expect(1).toBe(2));
`;

const FAILED = { passed: false, text: '1 of 3 failed, 1 skipped, exit code 1' };
const packageJson = (test: string): string => JSON.stringify({ type: 'module', scripts: { test } });

async function init(dir: string): Promise<void> {
  const made = await world.kit(['init', dir, '--template', 'quickstart', '--yes']);
  if (made.code !== 0) throw new Error(made.stderr);
}

const run = (dir: string, flags: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<KitResult> =>
  world.kit(['run', dir, 'quickstart', '--input', 'Run the tests', '--json', ...flags], { env });

const outputOf = (result: KitResult): Record<string, unknown> => JSON.parse(String(lastOf(result).output));

describe('the quickstart in a repository with node:test', () => {
  let repo: Repository;
  let ran: string;
  beforeAll(async () => {
    ran = join(world.base, 'ran');
    repo = makeRepositoryIn(world, 'node', {
      'package.json': packageJson('node --test'),
      'a.test.js': NODE_TESTS(ran, 2),
    });
    await init(repo.root);
  });

  it('reports what really ran, says that no language model was asked, and leaves the tree of the user as it was', async () => {
    writeFileSync(join(repo.root, 'stray.txt'), 'x');
    const before = repo.digest();

    const result = await world.kit(['run', repo.root, 'quickstart', '--input', 'Run the tests']);

    expect(result.code).toBe(0);
    expect(JSON.parse(result.stdout)).toMatchObject({
      framework: 'node:test',
      outcome: 'passed',
      total: 3,
      passed: 2,
      failed: 0,
      skipped: 1,
      failures: [],
    });
    expect(readFileSync(ran, 'utf8')).toBe('xx');
    expect(result.stderr).toContain('no language model');
    expect(result.stderr).toMatch(/; not in it: \S+/);
    expect(repo.digest()).toBe(before);
    expect(repo.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(world.leftovers()).toEqual([]);
  });

  it('carries an uncommitted change of a tracked file, and one broken check changes the result', async () => {
    writeFileSync(join(repo.root, 'a.test.js'), NODE_TESTS(ran, 3));
    const before = repo.digest();

    const result = await run(repo.root);

    expect(result.code).toBe(0);
    expect(eventsOf(result).find(({ type }) => type === 'executor.result')?.payload.outcome).toEqual(FAILED);
    expect(outputOf(result)).toMatchObject({
      outcome: 'failed',
      exit_code: 1,
      total: 3,
      passed: 1,
      failed: 1,
      failures: [{ name: 'adds', file: 'a.test.js', line: 5 }],
    });
    expect(repo.digest()).toBe(before);
    expect(readFileSync(ran, 'utf8')).toBe('xxxx');
  });

  it('claims no counts for a command that it does not know', async () => {
    const result = await run(repo.root, [], { TEST_COMMAND: 'echo first && echo second && exit 3' });

    expect(outputOf(result)).toMatchObject({
      framework: null,
      outcome: 'failed',
      exit_code: 3,
      output_tail: ['first', 'second'],
    });
    expect(Object.keys(outputOf(result))).not.toEqual(expect.arrayContaining(['total']));
    expect(Object.keys(outputOf(result))).not.toEqual(expect.arrayContaining(['passed']));
  });

  it('runs from inside the workspace with the topology alone', async () => {
    const result = await world.kit(['run', 'quickstart', '--input', 'x', '--json'], {
      cwd: repo.root,
      env: { TEST_COMMAND: 'true' },
    });

    expect(result.code).toBe(0);
  });
});

describe('the quickstart in a folder of its own', () => {
  it('runs the tests of the repository with the packages of its top level, and Vitest writes nothing into them', async () => {
    const repo = makeRepositoryIn(world, 'vitest', {
      '.gitignore': 'node_modules\n',
      'package.json': packageJson('vitest run'),
      'a.test.js': VITEST_TESTS,
    });
    mkdirSync(join(repo.root, 'node_modules'));
    for (const name of ['.bin', 'vitest', 'vite'])
      symlinkSync(join(projectRoot, 'node_modules', name), join(repo.root, 'node_modules', name));
    await init(join(repo.root, 'kit'));
    const before = repo.digest();

    const result = await run(join(repo.root, 'kit'));

    expect(outputOf(result)).toMatchObject({
      framework: 'vitest',
      outcome: 'failed',
      total: 2,
      passed: 1,
      failed: 1,
      failures: [{ name: 'is wrong', file: 'a.test.js', line: 3 }],
    });
    expect(repo.digest()).toBe(before);
    expect(world.leftovers()).toEqual([]);
  });
});

describe('the quickstart where it cannot work', () => {
  it.each([
    {
      where: 'outside a repository',
      make: (dir: string) => world.files(dir, { 'package.json': packageJson('node --test') }),
      says: /not.*git repository/i,
    },
    {
      where: 'in a repository without a commit',
      make: (dir: string) => {
        const root = world.files(dir, { 'package.json': packageJson('node --test') });
        const repo = makeRepositoryIn(world, dir, {});
        repo.git('update-ref', '-d', 'HEAD');
        return root;
      },
      says: /no commit/i,
    },
    {
      where: 'without a test command',
      make: (dir: string) => makeRepositoryIn(world, dir, { 'a.txt': 'a' }).root,
      says: /no test command/i,
    },
    {
      where: 'with a command that does not exist',
      make: (dir: string) => makeRepositoryIn(world, dir, { 'package.json': packageJson('no-such-program') }).root,
      says: /program not found/i,
    },
  ])('$where: failed with the reason, nothing left behind', async ({ where, make, says }) => {
    const dir = make(where.replaceAll(' ', '-'));
    await init(dir);

    const result = await run(dir);

    expect(result.code).toBeOneOf([1, 2]);
    const { error, message, reason } = lastOf(result);
    expect(String(error ?? message)).toMatch(says);
    if (result.code === 1) expect(reason).toEqual(expect.any(String));
    expect(world.leftovers()).toEqual([]);
  });

  it('with a command that never ends: --timeout ends it with every process that it started', async () => {
    const repo = makeRepositoryIn(world, 'endless', { 'package.json': packageJson('x') });
    await init(repo.root);
    const live = world.start(['run', repo.root, 'quickstart', '--input', 'x', '--json', '--timeout', '6s'], {
      env: { TEST_COMMAND: 'echo begun; (trap "" TERM; sleep 600) & sleep 600' },
      stdin: '',
    });
    await live.sees(/"begun"/);
    expect(processesOf(world.temp).join('\n')).toContain('sleep 600');

    const result = await live.ended;

    expect(result.code).toBe(1);
    expect(lastOf(result)).toMatchObject({ status: 'failed', reason: 'timeout' });
    expect(world.leftovers()).toEqual([]);
    expect(repo.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  });

  it('with a command that falls silent: the idle limit ends it', async () => {
    const repo = makeRepositoryIn(world, 'silent', { 'package.json': packageJson('x') });
    await init(repo.root);
    const archetype = join(repo.root, 'archetypes/test-run.yaml');
    writeFileSync(archetype, readFileSync(archetype, 'utf8').replace('max_idle_seconds: 300', 'max_idle_seconds: 1'));

    const result = await run(repo.root, [], { TEST_COMMAND: 'sleep 600' });

    expect(result.code).toBe(1);
    expect(lastOf(result)).toMatchObject({ status: 'failed', reason: expect.stringContaining('idle') });
    expect(world.leftovers()).toEqual([]);
  });
});

describe('the quickstart with a language model', () => {
  let server: ModelServer;
  let dir: string;
  beforeAll(async () => {
    server = await startModelServer();
    dir = makeRepositoryIn(world, 'worded', {
      'package.json': packageJson('node --test'),
      'a.test.js': NODE_TESTS('/dev/null', 3),
    }).root;
    await init(dir);
    mkdirSync(join(dir, 'providers'));
    writeFileSync(join(dir, 'providers/local.yaml'), localProvider);
  });
  afterAll(() => server.close());
  const env = (): NodeJS.ProcessEnv => ({
    KIT_PROVIDER: 'local',
    KIT_MODEL: 'm1',
    MODEL_URL: server.url,
    LOCAL_KEY: 'key-of-the-test',
  });

  /** What the model answers: the values that it was told, with another number of failures. */
  const answer =
    (failed: number) =>
    (request: {
      readonly body: { readonly messages: readonly { readonly role: string; readonly content: string }[] };
    }) => {
      const reported = request.body.messages.find((message) => message.role === 'tool')?.content ?? '';
      const tests = JSON.parse(reported.slice(reported.indexOf('{'), reported.lastIndexOf('}') + 1));
      const { command, framework, outcome, exit_code, duration_ms, total, passed, skipped } = tests.output ?? tests;
      const said = {
        command,
        framework,
        outcome,
        exit_code,
        duration_ms,
        total,
        passed,
        skipped,
        failed,
        explanation: 'One check fails.',
      };
      return { do: 'answer' as const, text: JSON.stringify(said) };
    };
  const delegate = {
    do: 'answer' as const,
    calls: [{ name: 'delegate_to_tests', arguments: { task: 'Run the tests' } }],
  };
  const draft = { do: 'answer' as const, text: 'One check fails.' };

  it('refuses a wrong count, takes the right one, and the words are those of the model', async () => {
    server.script(delegate, draft, answer(0), answer(1));

    const result = await run(dir, [], env());

    expect(result.code).toBe(0);
    expect(outputOf(result)).toMatchObject({ failed: 1, passed: 1, total: 3, explanation: 'One check fails.' });
    const judged = eventsOf(result).filter(({ type }) => type === 'output.validated');
    expect(judged.map(({ payload }) => payload.valid)).toEqual([false, true]);
    expect(server.requests).toHaveLength(4);
    // Schema and tools are never asked for in one request.
    expect(server.requests.every(({ body }) => body.tools === undefined || body.response_format === undefined)).toBe(
      true,
    );
  });

  it('fails when the model insists on a wrong count', async () => {
    server.script(delegate, draft, answer(0), answer(0), answer(0), answer(0), answer(0));

    const result = await run(dir, [], env());

    expect(result.code).toBe(1);
    expect(lastOf(result)).toMatchObject({ status: 'failed', output: null });
    const [refused] = eventsOf(result).filter(({ type }) => type === 'output.validation_failed');
    expect(JSON.stringify(refused?.payload.errors)).toContain('/failed');
    expect(world.leftovers()).toEqual([]);
  });
});

import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as jsonPath from 'json-p3';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { contribution } from '../../plugins/harness/src/executor.js';
import { createRules } from '../../plugins/models/src/rules/provider.js';
import { parseSource } from '../../src/compile/parse/parse-source.js';
import { checkSchema } from '../../src/compile/schema/check-schema.js';
import type { Kind } from '../../src/domain/artifact.js';
import { createTestContext } from '../../src/domain/testing.js';
import { equalsErrors } from '../../src/engine/schema-equals.js';
import { loadJsonSchemas } from '../../src/lib/json-schema.js';
import type { ExecutorResult, Json, JsonObject, PluginContext } from '../../src/sdk/plugin.js';
import { createProcesses } from '../../src/system/processes/processes.js';
import { createWorktrees } from '../../src/system/worktrees/worktrees.js';
import { buildTestRunner } from '../plugins/harness/build-test-runner.js';
import { recorder } from '../plugins/harness/fake-spawn.js';
import { bundledSpec } from '../plugins/harness/replay.js';
import { cleanEnv } from '../plugins/harness/test-project.js';
import { TestLease } from '../support/processes.js';
import { createRepository, type TestRepository } from '../support/repository.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const template = join(root, 'templates/quickstart');
const files = readdirSync(template, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
const document = (path: string) => parse(readFileSync(join(template, path), 'utf8'));
const outputSchema: JsonObject = document('topologies/quickstart.yaml').agents.root.output_schema;
const config: JsonObject = { ...document('archetypes/test-run.yaml').executor.config, command: '' };

let base: string;
let adapter: JsonObject;
let repository: TestRepository | undefined;

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'kit-quickstart-')));
  adapter = JSON.parse(
    JSON.stringify(bundledSpec('test-runner')).replaceAll('{runtime.harness}', buildTestRunner(join(base, 'plugin'))),
  );
});
afterEach(() => {
  repository?.dispose();
  repository = undefined;
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const VITEST = (expected: number): string =>
  `import { expect, it } from 'vitest';\nit('adds', () => expect(1 + 1).toBe(${expected}));\nit('holds', () => {});\nit.skip('later', () => {});\n`;

/** A repository with an ignored node_modules of its own, whose packages are this checkout's. */
function makeRepository(testFile: string, script = 'vitest run'): TestRepository {
  const made = createRepository({
    '.gitignore': 'node_modules\n',
    'package.json': JSON.stringify({ type: 'module', scripts: { test: script } }),
    'a.test.js': testFile,
  });
  mkdirSync(join(made.root, 'node_modules'));
  for (const name of ['.bin', 'vitest', 'vite'])
    symlinkSync(join(root, 'node_modules', name), join(made.root, 'node_modules', name));
  repository = made;
  return made;
}

interface Main {
  readonly result: ExecutorResult;
  readonly diff: string;
  readonly notIncluded: readonly string[];
}

/**
 * The harness agent of the template with the real parts: worktree, supervised processes, adapter,
 * wrapper.
 */
async function runTests(repo: TestRepository, change: JsonObject = {}, workspace = repo.root): Promise<Main> {
  const worktrees = createWorktrees({
    env: repo.env,
    owner: { host: 'test', bootId: 'boot', pid: process.pid, processStart: null } as never,
    tempRoot: repo.temp,
  });
  const processes = createProcesses({ graceMs: 500, drainMs: 500 });
  const { context } = recorder(cleanEnv(repo.base) as Record<string, string>);
  const settings = { ...config, ...change };
  const worktree = await worktrees.create({
    repository: workspace,
    includeUncommitted: settings.include_uncommitted === true,
    link: settings.link as string[],
  });
  try {
    const plugin: PluginContext = {
      ...createTestContext(),
      ...context,
      fetch: globalThis.fetch,
      plugin: { name: 'p', version: '0.1.0' },
      secrets: { credential: async () => '', env: () => null },
    };
    const executor = await contribution.create({}, plugin);
    const result = await executor.run(
      {
        agentId: 'tests',
        statement: 'Run the tests',
        config: settings,
        adapter,
        sandboxRoot: worktree.path,
        baseCommit: worktree.baseCommit,
        resumeToken: null,
        stepId: 'step',
        budget: { maxCostUsd: null, maxTurns: null, maxWallClockMs: 60_000, maxIdleMs: 30_000 },
      },
      { ...context, spawn: (spec, stop) => processes.spawn(spec, new TestLease(), stop ?? context.signal) },
    );
    return { result, diff: await worktree.diff(), notIncluded: worktree.notIncluded };
  } finally {
    await worktree.remove();
  }
}

/** What the root of the template answers without a language model. */
async function report(output: Json): Promise<JsonObject> {
  const answer = await createRules(jsonPath).generate(
    {
      model: 'rules',
      messages: [
        { role: 'tool', parts: [{ type: 'tool_result', id: '1', name: 'delegate_to_tests', output, isError: false }] },
      ],
      tools: [],
      outputSchema,
      temperature: null,
      maxTokens: null,
      options: {},
    },
    { signal: new AbortController().signal, stepId: 'step' },
  );
  if (!answer.ok) throw new Error(answer.failure.message);
  const [part] = answer.response.parts;
  return part?.type === 'text' ? JSON.parse(part.text) : {};
}

describe('the files of the template', () => {
  it.each(files)('%s fits the schema of its kind', (path) => {
    const { parsed, diagnostics } = parseSource({ path, text: readFileSync(join(template, path), 'utf8') });

    expect(diagnostics).toEqual([]);
    if (parsed === null) throw new Error('not parsed');
    expect(checkSchema(document(path).kind as Kind, parsed.value, parsed)).toEqual([]);
  });

  it('hold an output schema that is one, and a configuration that the executor accepts', async () => {
    const schemas = await loadJsonSchemas();
    const configSchema = JSON.parse(readFileSync(join(root, 'plugins/harness/schemas/harness.json'), 'utf8'));

    expect(schemas.checkDocument(outputSchema)).toEqual([]);
    expect(schemas.validate(configSchema, config)).toEqual([]);
    expect(schemas.validate(configSchema, { ...config, link: 'node_modules' })).not.toEqual([]);
  });
});

describe('the quickstart on a repository', () => {
  it('reports what ran, what failed, where, and changes with one broken check that is not committed', async () => {
    const repo = makeRepository(VITEST(2));
    const sound = await runTests(repo);
    repo.write('a.test.js', VITEST(3));
    repo.write('untracked.txt', 'x');
    const before = repo.digest();

    const broken = await runTests(repo);

    expect(await report(sound.result.output)).toMatchObject({
      command: 'npm test',
      framework: 'vitest',
      outcome: 'passed',
      total: 3,
      passed: 2,
      failed: 0,
      skipped: 1,
      failures: [],
    });
    const said = await report(broken.result.output);
    expect(said).toMatchObject({ outcome: 'failed', exit_code: 1, total: 3, passed: 1, failed: 1, skipped: 1 });
    expect(said.failures).toEqual([
      { name: 'adds', file: 'a.test.js', line: 2, message: expect.stringContaining('expected 2 to be 3') },
    ]);
    expect(said).not.toHaveProperty('explanation');
    expect(broken).toMatchObject({ diff: '', notIncluded: ['untracked.txt'] });
    expect(repo.digest()).toBe(before);
  });

  it('claims no counts for a command that it does not know', async () => {
    const repo = makeRepository(VITEST(2), 'echo fine');

    const said = await report((await runTests(repo)).result.output);

    expect(said).toMatchObject({ command: 'npm test', framework: null, outcome: 'passed', exit_code: 0 });
    expect(said.output_tail).toContain('fine');
    expect(Object.keys(said)).not.toEqual(expect.arrayContaining(['total']));
  });

  it('finds the test command from a workspace in a folder of its own', async () => {
    const repo = makeRepository("import test from 'node:test';\ntest('holds', () => {});\n", 'node --test');
    cpSync(template, join(repo.root, 'kit'), { recursive: true });

    const { result } = await runTests(repo, {}, join(repo.root, 'kit'));

    expect(result.output).toMatchObject({ framework: 'node:test', total: 1, passed: 1 });
  });

  it('refuses a model answer whose count is not the harness count', async () => {
    const repo = makeRepository(VITEST(3));
    const { result } = await runTests(repo);
    const said = await report(result.output);

    expect(equalsErrors(outputSchema, said, { tests: result.output })).toEqual([]);
    expect(
      equalsErrors(outputSchema, { ...said, failed: 0, explanation: 'All is well.' }, { tests: result.output }).map(
        (error) => error.pointer,
      ),
    ).toEqual(['/failed']);
  });
});

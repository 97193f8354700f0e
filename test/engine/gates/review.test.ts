import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contribution } from '../../../plugins/harness/src/executor.js';
import type { AgentNode } from '../../../src/domain/agent-node.js';
import type { JsonObject } from '../../../src/domain/json.js';
import type { LinkedFunnel, Severity } from '../../../src/domain/linked-funnel.js';
import { REVIEW_SCHEMA } from '../../../src/domain/review-findings.js';
import { createTestContext } from '../../../src/sdk/testing.js';
import { createClock } from '../../../src/system/clock.js';
import { createProcesses } from '../../../src/system/processes/processes.js';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { createWorktrees } from '../../../src/system/worktrees/worktrees.js';
import { decide, gatedBy, goOn, ONE_ROLE, openRounds } from '../../support/gated.js';
import { createRepository, type TestRepository } from '../../support/repository.js';
import { agent, type World } from '../../support/run-world.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';

const open = lawfulWorlds();
let repository: TestRepository;
beforeEach(() => {
  repository = createRepository({ 'src/a.txt': 'a\n', 'src/b.txt': 'b\n', 'secret/key.txt': 'hidden\n' });
});
afterEach(() => repository.dispose());

const SAY = `const fs = require("fs");
const done = (text) => fs.writeSync(1, JSON.stringify({ type: "done", text: typeof text === "string" ? text : JSON.stringify(text) }) + "\\n");
const files = () => fs.readdirSync(".", { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => require("path").join(entry.parentPath, entry.name)).filter((path) => !path.startsWith(".git")).sort();
const finding = (severity, claim) => ({ id: "f1", severity, location: "src/a.txt:1", claim, evidence: [], recommendation: "Fix it." });`;

const adapter = (script: string) => ({
  spec: {
    launch: { command: ['{runtime.node}', '-e', `${SAY}\n${script}`, '{task.statement}'] },
    stream: { format: 'jsonl' },
    event_map: [{ when: { type: 'done' }, emit: [{ event: 'result', with: { status: 'success', output: '$.text' } }] }],
  } as JsonObject,
  digest: 'd',
  source: 'bundled' as const,
});

const harness = (id: string, ref: string, over: Partial<AgentNode> = {}): AgentNode =>
  agent(id, {
    executor: { kind: 'harness', ref, config: { budget: {} }, onInDoubt: 'repeat' },
    systemPrompt: null,
    ...over,
  });

/** Changes a file; says what it was told when it was told of findings. */
const AUTHOR = `fs.writeFileSync("src/a.txt", process.argv[1].includes("found in it") ? "fixed\\n" : "changed\\n");
done(process.argv[1].includes("found in it") ? "told: " + process.argv[1] : "first")`;

async function reviewed(
  critic: string,
  over: { readonly readScope?: readonly string[]; readonly routeBackAt?: Severity; readonly maxRetries?: number } = {},
) {
  const review: LinkedFunnel['review'] = {
    reviewer: harness('critic@sign-off', 'critic', { outputSchema: REVIEW_SCHEMA }),
    readScope: over.readScope ?? ['src'],
    routeBackAt: over.routeBackAt ?? 'high',
  };
  const gated = gatedBy(ONE_ROLE, { review, maxRetries: over.maxRetries ?? 0 });
  const world = await open({
    root: harness('author', 'author', { role: 'root', funnel: 'sign-off' }),
    script: () => 'unused',
    roles: gated.roles,
    snapshot: { ...gated.snapshot, adapters: { author: adapter(AUTHOR), critic: adapter(critic) } },
    facilities: () => ({
      executor: async () => contribution.create({}, createTestContext({ clock: createClock() })),
      processes: createProcesses({ graceMs: 400, drainMs: 300 }),
      worktrees: createWorktrees({ env: repository.env, owner: readWorkerHost(), tempRoot: repository.temp }),
      workspaceRoot: repository.root,
      childEnv: repository.env,
    }),
  });
  await world.run();
  return world;
}

const evidenceOf = async (world: World) => (await openRounds(world))[0]?.evidence;

describe('a reviewer in a checkout', () => {
  it('sees the files of its scope as they were, the result and the diff, and nothing else', async () => {
    const world = await reviewed(
      `done({ findings: [finding("low", JSON.stringify({ files: files(), a: fs.readFileSync("src/a.txt", "utf8"), result: fs.readFileSync("kit-review/result.txt", "utf8"), diff: fs.readFileSync("kit-review/change.diff", "utf8"), task: process.argv[1] }))] })`,
    );

    const [found] = (await evidenceOf(world))?.findings ?? [];
    const seen = JSON.parse((found as { claim: string }).claim) as {
      files: string[];
      a: string;
      result: string;
      diff: string;
      task: string;
    };
    expect(seen.files).toEqual(['kit-review/change.diff', 'kit-review/result.txt', 'src/a.txt', 'src/b.txt']);
    expect(seen).toMatchObject({ a: 'a\n', result: 'first' });
    expect(seen.diff).toContain('+changed');
    // Neither the task of the author nor anything else of its conversation.
    expect(seen.task).not.toContain('the task');
  });

  it('sends a draft back for what is grave, and the fixed one goes on to the people', async () => {
    const world = await reviewed(
      `done({ findings: [finding(fs.readFileSync("kit-review/change.diff", "utf8").includes("+fixed") ? "medium" : "high", "It is wrong.")] })`,
      { maxRetries: 2 },
    );

    const evidence = await evidenceOf(world);
    expect(evidence).toMatchObject({
      retries: 1,
      escalated: false,
      failedLayers: [],
      findings: [{ severity: 'medium' }],
    });
    const [gate] = await openRounds(world);
    const artifact = new TextDecoder().decode((await world.stores.artifacts.read(gate?.sha256 ?? '')) ?? undefined);
    expect(artifact).toContain('high f1 at src/a.txt:1: It is wrong. Fix it.');
    expect(artifact).toContain('+fixed');
    expect(
      payloadsOf(await world.events(), 'funnel.layer_evaluated').map(({ layer, passed }) => [layer, passed]),
    ).toEqual([
      ['review', false],
      ['review', true],
    ]);
  });

  it.each([
    ['a file of its scope', 'fs.appendFileSync("src/b.txt", "x");'],
    ['a new file', 'fs.writeFileSync("new.txt", "x");'],
    ['the diff that it was given', 'fs.writeFileSync("kit-review/change.diff", "");'],
    ['a file that it removed', 'fs.rmSync("src/a.txt");'],
    ['a file that git is told to ignore', 'fs.writeFileSync(".gitignore", "*\\n"); fs.writeFileSync("new.txt", "x");'],
    [
      'a file in a repository of its own',
      'require("child_process").execSync("git init -q own && cd own && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x");',
    ],
  ])('has failed when it changed %s, whatever it found', async (_name, change) => {
    const world = await reviewed(`${change} done({ findings: [] })`);

    expect(await evidenceOf(world)).toMatchObject({ escalated: true, failedLayers: ['review'] });
    expect((await evidenceOf(world))?.critique).toContain('changed files, and may only read');
  });

  it.each([
    ['words', '"It is fine."'],
    ['a finding without its severity', '{ findings: [{ id: "f1" }] }'],
    ['a severity that is none', '{ findings: [finding("severe", "x")] }'],
  ])('has failed when it answers %s', async (_name, answer) => {
    const world = await reviewed(`done(${answer})`);

    expect(await evidenceOf(world)).toMatchObject({ escalated: true, failedLayers: ['review'], findings: [] });
  });

  it('has failed when its process fails', async () => {
    const world = await reviewed('process.exit(3)');

    expect((await evidenceOf(world))?.critique).toMatch(/^The review failed: /);
  });

  it('is refused a scope that leaves the repository', async () => {
    const world = await reviewed('done({ findings: [] })', { readScope: ['../elsewhere'] });

    expect((await evidenceOf(world))?.critique).toContain('is not a path inside the repository');
  });

  it('adds nothing to the diffs of the run, and leaves no worktree', async () => {
    const world = await reviewed('fs.writeFileSync("new.txt", "x"); done({ findings: [] })');

    await decide(world, { role: 'qa' });
    await goOn(world);

    expect(await world.row()).toMatchObject({ status: 'completed' });
    expect(Object.keys((await world.stores.jobs.diffs(world.job.id)) ?? {})).toEqual(['author']);
    expect(repository.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  });
});

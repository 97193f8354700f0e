import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EvalAsk } from '../../../src/app/evals/eval-app.js';
import type { Stores } from '../../../src/domain/ports/stores.js';
import { evalJunit } from '../../../src/text/junit.js';
import { funnel, ONE_RULE, roles, topology } from '../../compile/rules/artifact-text.js';
import { startEagerModel } from '../../support/scene/eager-model.js';
import { openSceneApp, type SceneApp } from '../../support/scene/scene-app.js';

const WORKSPACE = 'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\nmemory: { enabled: false }\n';
const set = (cases: string, id = 'smoke', target = 't'): string =>
  `apiVersion: kit/v1\nkind: EvalSet\nmetadata: { id: ${id} }\ntarget: ${target}\ncases:\n${cases}`;

let directory: string;
const apps: SceneApp[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kit-eval-'));
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
  await rm(directory, { recursive: true, force: true });
});

async function openApp(files: Readonly<Record<string, string>>, wrap?: (stores: Stores) => Stores): Promise<SceneApp> {
  for (const [path, text] of Object.entries({
    'workspace.yaml': WORKSPACE,
    'topologies/t.yaml': topology('t', 'model: { provider: mock }'),
    ...files,
  })) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: directory,
    XDG_CONFIG_HOME: join(directory, '.config'),
    LOCAL_KEY: 'key-of-the-test',
  };
  const app = openSceneApp(directory, { env, ...(wrap === undefined ? {} : { wrap }) });
  apps.push(app);
  return app;
}

const ask = (over: Partial<EvalAsk> = {}): EvalAsk => ({
  workspace: directory,
  set: 'smoke',
  concurrency: 1,
  submittedBy: { identity: 'tester', assurance: 'asserted' },
  trust: [],
  cassettes: null,
  compare: false,
  ...over,
});

describe('an eval set', () => {
  it('runs each case as a labelled run and reports in the order of the file, whatever runs at the same time', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const app = await openApp({
      'evals/smoke.yaml': set(
        ids.map((id) => `  - { id: ${id}, input: 'Say ${id}.', expect: { contains: ['say ${id}'] } }\n`).join(''),
      ),
    });

    const [outcome] = await app.evals.run(ask({ concurrency: 3 }));

    expect(outcome?.cases.map(({ id, passed }) => [id, passed])).toEqual(ids.map((id) => [id, true]));
    const job = await (await app.stores()).jobs.get(outcome?.cases[2]?.runId ?? '');
    expect(job).toMatchObject({ status: 'completed', labels: { eval_set: 'smoke', eval_case: 'c' }, source: 'cli' });
    const report = JSON.parse(await readFile(outcome?.report ?? '', 'utf8'));
    expect(report).toMatchObject({ eval_set_id: 'smoke', target: 't', total: 5, passed: 5, failed: 0, pass_rate: 1 });
    expect(outcome?.report).toMatch(/\.kit\/eval-results\/smoke-\d{8}T\d{6}Z\.json$/);
  });

  it('asks a judge in a run of its own, which leaves the same event as any decision', async () => {
    const app = await openApp({
      'evals/smoke.yaml': set('  - { id: a, input: Say hello., expect: { rubric: Be plain. } }\n'),
    });

    const [outcome] = await app.evals.run(ask());

    const { judgeRunId, checks } = outcome?.cases[0] ?? expect.fail('no case');
    const stores = await app.stores();
    const events = await stores.events.readRun(judgeRunId ?? '', 0, 100);
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['run.started', 'decision.evaluated', 'run.ended']),
    );
    expect(events.map(({ type }) => type)).not.toContain('agent.started');
    expect(checks).toMatchObject([{ name: 'rubric', passed: false, detail: expect.stringContaining('asked for 0.5') }]);
    expect(await stores.jobs.get(judgeRunId ?? '')).toMatchObject({ labels: { eval_part: 'judge' } });
  });

  it('neither reads nor feeds memory', async () => {
    const app = await openApp({
      'workspace.yaml': WORKSPACE.replace('enabled: false', 'enabled: true'),
      'evals/smoke.yaml': set('  - { id: a, input: Say a. }\n'),
    });

    const [outcome] = await app.evals.run(ask());

    const stores = await app.stores();
    const { snapshot = '' } = (await stores.jobs.get(outcome?.cases[0]?.runId ?? '')) ?? {};
    const frozen = JSON.parse(new TextDecoder().decode((await stores.blobs.get(snapshot ?? '')) ?? new Uint8Array()));
    expect([Object.hasOwn(frozen, 'topology'), Object.hasOwn(frozen, 'memory')]).toEqual([true, false]);
  });

  it('fails a case that parks on a gate, and says which gate', async () => {
    const app = await openApp({
      'topologies/t.yaml': topology('t', 'funnel: gate, model: { provider: mock }'),
      'funnels/gate.yaml': funnel(
        'gate',
        ONE_RULE('{ scope: release:sign, roles: [lead], quorum: all }', 'exclude_author: false'),
      ),
      'roles/people.yaml': roles('[{ id: lead, members: [alice], scopes: ["release:sign"] }]'),
      'evals/smoke.yaml': set('  - { id: a, input: Say hello. }\n'),
    });

    const [outcome] = await app.evals.run(ask());

    const found = outcome?.cases[0];
    expect(found).toMatchObject({
      passed: false,
      error: expect.stringContaining(`the run parked: it waits for ${found?.runId}:root`),
    });
    expect(evalJunit(outcome === undefined ? [] : [outcome])).toContain('failures="0" errors="1"');
  });

  it('says what regressed, what was fixed and what is new since the newest report of the same set', async () => {
    const cases = (a: string, b: string, more = ''): string =>
      `  - { id: a, input: Say hello., expect: { contains: [${a}] } }\n  - { id: b, input: Say hello., expect: { contains: [${b}] } }\n${more}`;
    const first = await openApp({
      'evals/smoke.yaml': set(cases('hello', 'nothing')),
      'evals/other.yaml': set('  - { id: a, input: x }\n', 'smoke-2'),
    });
    const [before] = await first.evals.run(ask({ compare: true }));
    await first.evals.run(ask({ set: 'other' }));
    const second = await openApp({ 'evals/smoke.yaml': set(cases('nothing', 'hello', '  - { id: c, input: x }\n')) });

    const [after] = await second.evals.run(ask({ compare: true }));

    expect(before?.comparison).toBeNull();
    expect(after?.comparison).toEqual({
      report: before?.report,
      passRate: 0.5,
      regressed: ['a'],
      fixed: ['b'],
      added: ['c'],
      removed: [],
      trend: 'worse',
    });
  });

  it('compares with the newest of several reports of one second', async () => {
    const app = await openApp({ 'evals/smoke.yaml': set('  - { id: a, input: x }\n') });
    const results = join(directory, '.kit', 'eval-results');
    await mkdir(results, { recursive: true });
    for (const name of [
      'smoke-20260101T000000Z.json',
      'smoke-20260101T000000Z.2.json',
      'smoke-20260101T000000Z.10.json',
    ])
      await writeFile(
        join(results, name),
        JSON.stringify({ eval_set_id: 'smoke', pass_rate: 1, cases: [{ id: 'a', passed: true }] }),
      );

    const [outcome] = await app.evals.run(ask({ compare: true }));

    expect(outcome?.comparison?.report).toBe(join(results, 'smoke-20260101T000000Z.10.json'));
  });

  it('names no case as removed that was only not run', async () => {
    const app = await openApp({ 'evals/smoke.yaml': set('  - { id: a, input: x }\n  - { id: b, input: x }\n') });
    await app.evals.run(ask());
    const stop = new AbortController();

    const [outcome] = await app.evals.run(ask({ compare: true, signal: stop.signal, onCase: () => stop.abort() }));

    expect(outcome).toMatchObject({ notRun: ['b'], comparison: { removed: [], trend: 'same' } });
  });

  it('counts a skill as used that was called, and not one whose call was denied', async () => {
    const model = await startEagerModel();
    try {
      const files = (deny: string) => ({
        'workspace.yaml': `${WORKSPACE}governance: { provider: mock, config: { deny: [${deny}] } }\n`,
        'providers/local.yaml': `apiVersion: kit/v1\nkind: ModelProvider\nmetadata: { id: local, name: Local, description: A model server of this machine. }\nspec: { extends: openai-compatible, base_url: '${model.open().url}', auth: { api_key_env: LOCAL_KEY }, models: { accept_any: true } }\nprovenance: { authored_by: human, version: 1.0.0 }\n`,
        'topologies/t.yaml': topology('t', 'model: { provider: local, name: m1 }, skills: [topology-called]'),
        'topologies/called.yaml': topology('called', 'model: { provider: local, name: m1 }'),
        'evals/smoke.yaml': set('  - { id: a, input: x, expect: { used_skills: [topology-called] } }\n'),
      });
      const [allowed] = await (await openApp(files('"nothing"'))).evals.run(ask());
      const [denied] = await (await openApp(files('"skill:call:*"'))).evals.run(ask());

      expect(allowed?.cases).toMatchObject([{ passed: true }]);
      expect(denied?.cases).toMatchObject([
        { passed: false, error: null, checks: [{ name: 'used_skills', detail: expect.stringContaining('never') }] },
      ]);
    } finally {
      await model.close();
    }
  });

  it('has no verdict on a case whose judge was cut off', async () => {
    const stop = new AbortController();
    const files = { 'evals/smoke.yaml': set('  - { id: a, input: x, expect: { rubric: Be plain. } }\n') };
    const app = await openApp(files, (stores) => {
      const insert: Stores['jobs']['insert'] = async (job, ...more) => {
        const inserted = await stores.jobs.insert(job, ...more);
        if (job.labels.eval_part === 'judge') stop.abort();
        return inserted;
      };
      const jobs = new Proxy(stores.jobs, {
        get: (real, name) => {
          if (name === 'insert') return insert;
          const member: unknown = Reflect.get(real, name);
          return typeof member === 'function' ? member.bind(real) : member;
        },
      });
      return { ...stores, jobs };
    });

    const [outcome] = await app.evals.run(ask({ signal: stop.signal }));

    expect(outcome).toMatchObject({ cases: [], notRun: ['a'] });
  });

  it('replays a recorded set, judge included, and fails a case that was not recorded', async () => {
    const cassettes = join(directory, 'cassettes');
    await mkdir(cassettes);
    const first = await openApp({
      'evals/smoke.yaml': set('  - { id: a/1, input: Say hello., expect: { contains: [hello], rubric: Be plain. } }\n'),
    });
    const [recorded] = await first.evals.run(ask({ cassettes: { kind: 'record', directory: cassettes } }));
    const second = await openApp({
      'evals/smoke.yaml': set(
        '  - { id: a/1, input: Say hello., expect: { contains: [hello], rubric: Be plain. } }\n  - { id: new, input: x }\n',
      ),
    });

    const [replayed] = await second.evals.run(ask({ cassettes: { kind: 'replay', directory: cassettes } }));

    expect(replayed?.cases[0]?.checks).toEqual(recorded?.cases[0]?.checks);
    expect(replayed?.cases[1]).toMatchObject({ passed: false, error: expect.stringContaining('KIT_CASSETTE') });
  });

  it('is not begun where its recording cannot be kept or is not there, and leaves no report', async () => {
    const cassettes = join(directory, 'cassettes');
    await mkdir(cassettes);
    const app = await openApp({ 'evals/smoke.yaml': set('  - { id: a, input: Say hello. }\n') });
    const replay = app.evals.run(ask({ cassettes: { kind: 'replay', directory: join(directory, 'none') } }));

    await expect(replay).rejects.toMatchObject({
      code: 'KIT_USAGE',
      message: expect.stringContaining('holds no recording of the eval set smoke'),
    });
    await app.evals.run(ask({ cassettes: { kind: 'record', directory: cassettes } }));
    const again = app.evals.run(ask({ cassettes: { kind: 'record', directory: cassettes } }));

    await expect(again).rejects.toMatchObject({
      code: 'KIT_USAGE',
      message: expect.stringContaining('holds a recording of the eval set smoke already'),
    });
    expect(await readdir(join(directory, '.kit', 'eval-results'))).toHaveLength(1);
  });

  it('gives up on a pattern that backtracks without end', async () => {
    const input = `${'a'.repeat(40)}!`;
    const app = await openApp({
      'evals/smoke.yaml': set(`  - { id: a, input: '${input}', expect: { regex: '(a+)+$' } }\n`),
    });

    const [outcome] = await app.evals.run(ask());

    expect(outcome?.cases[0]?.checks).toMatchObject([
      { passed: false, detail: expect.stringContaining('was not known after 1000 ms') },
    ]);
  });

  it.each([
    {
      name: 'two cases with one id',
      text: set('  - { id: a, input: x }\n  - { id: a, input: y }\n'),
      code: 'eval-set.duplicate-case',
    },
    {
      name: 'an unknown judge',
      text: set('  - { id: a, input: x, expect: { judge: nobody } }\n'),
      code: 'eval-set.unknown-judge',
    },
    {
      name: 'an unknown target',
      text: set('  - { id: a, input: x }\n', 'smoke', 'nowhere'),
      code: 'eval-set.unknown-target',
    },
    {
      name: 'a pattern that is none',
      text: set("  - { id: a, input: x, expect: { regex: '(' } }\n"),
      code: 'eval-set.bad-regex',
    },
  ])('with $name is a named diagnostic, and nothing runs', async ({ text, code }) => {
    const app = await openApp({ 'evals/smoke.yaml': text });

    await expect(app.evals.run(ask())).rejects.toMatchObject({ code: 'KIT_EVAL_INVALID', exitCode: 2 });

    expect(JSON.stringify((await app.validate()).diagnostics)).toContain(code);
  });

  it('that is not there is refused with those that are', async () => {
    const app = await openApp({ 'evals/smoke.yaml': set('  - { id: a, input: x }\n') });

    await expect(app.evals.run(ask({ set: 'smok' }))).rejects.toMatchObject({
      code: 'KIT_EVAL_UNKNOWN',
      hint: expect.stringContaining('smoke'),
    });
  });
});

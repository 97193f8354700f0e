import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { projectRoot } from '../support/kit-process.js';
import { makeWorld, type World } from './world.js';

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: {
    readonly steps: readonly { readonly name: string; readonly run: string; readonly env: Record<string, string> }[];
  };
}
const ACTION = parse(readFileSync(join(projectRoot, 'action.yml'), 'utf8')) as Action;

const HELLO = {
  'workspace.yaml':
    'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: hello, name: Hello }\nmemory: { enabled: false }\n',
  'topologies/hello.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: hello, version: 1.0.0, description: Answers with its task. }
agents: { root: { id: host, role: root, model: { provider: mock, name: mock }, prompt: { system: Answer. } } }
`,
  'evals/greets.yaml': `apiVersion: kit/v1
kind: EvalSet
metadata: { id: greets }
target: hello
cases: [{ id: one, input: Ada, expect: { contains: [Ada] } }]
`,
};

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  // What `npx --yes @kit-run/kit@X` would fetch is this checkout.
  const npx = join(world.base, 'bin', 'npx');
  mkdirSync(join(world.base, 'bin'));
  writeFileSync(
    npx,
    `#!/bin/sh\n[ "$1" = --yes ] && [ "$2" = @kit-run/kit@1.2.3 ] || exit 99\nshift 2\nexec '${process.execPath}' '${join(projectRoot, 'bin', 'kit.js')}' "$@"\n`,
  );
  chmodSync(npx, 0o755);
});
afterAll(() => world.dispose());

/** A step as a runner starts it: inputs by the environment, in a shell that ends at a failure. */
function step(name: string, inputs: Readonly<Record<string, string>>) {
  const found = ACTION.runs.steps.find((one) => one.name === name);
  if (found === undefined) throw new Error(`action.yml has no step ${name}`);
  const given = (text: string): string =>
    text.replace(
      /\$\{\{ inputs\.(\w+) \}\}/,
      (_all, input: string) => inputs[input] ?? ACTION.inputs[input]?.default ?? '',
    );
  const env = Object.fromEntries(Object.entries(found.env).map(([key, value]) => [key, given(value)]));
  const PATH = `${join(world.base, 'bin')}:${world.env.PATH ?? ''}`;
  const ran = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', found.run], {
    cwd: world.base,
    env: { ...world.env, GITHUB_WORKSPACE: world.base, ...env, PATH },
    encoding: 'utf8',
  });
  return { code: ran.status, output: ran.stdout + ran.stderr };
}

describe('the action', () => {
  it('writes no input into a script', () => {
    expect(ACTION.runs.steps.filter(({ run }) => run.includes('${{'))).toEqual([]);
    const used = ACTION.runs.steps.flatMap(({ env }) => Object.values(env));
    expect(Object.keys(ACTION.inputs).filter((input) => !used.includes(`\${{ inputs.${input} }}`))).toEqual([]);
  });

  it('passes a sound workspace, and points at the line of a mistake', () => {
    world.files('sound', HELLO);
    world.files('broken', { ...HELLO, 'workspace.yaml': HELLO['workspace.yaml'].replace('memory', 'memroy') });

    expect(step('Validate', { workspaces: 'sound', version: '1.2.3', require: 'true' }).code).toBe(0);

    const broken = step('Validate', { workspaces: 'sound broken', version: '1.2.3' });
    expect(broken.code).toBe(1);
    expect(broken.output).toMatch(/^::error file=broken\/workspace\.yaml,line=4,.*memroy/m);
  });

  it('takes what an input holds as one word, whatever it says', () => {
    const hostile = step('Validate', { workspaces: '$(touch${IFS}owned)', version: '1.2.3' });

    expect(hostile.code).not.toBe(0);
    expect(existsSync(join(world.base, 'owned'))).toBe(false);
    expect(step('Validate', { workspaces: 'sound', version: '1.2.3; touch owned' }).code).toBe(99);
    expect(existsSync(join(world.base, 'owned'))).toBe(false);
  });

  it('asks eval sets and writes their verdicts', () => {
    world.files('asked', HELLO);

    const asked = step('Evaluate', { eval: 'asked', version: '1.2.3', junit: 'verdicts.xml' });

    expect([asked.code, asked.output]).toEqual([0, expect.stringContaining('1 of 1 passed')]);
    expect(readFileSync(join(world.base, 'verdicts.xml'), 'utf8')).toContain('<testcase');
  });

  it('answers them from recordings that lie in the workspace', async () => {
    const dir = world.files('recorded', HELLO);
    expect((await world.here(['eval', '-w', dir, '--record', join(dir, 'tapes')])).code).toBe(0);

    const replayed = step('Evaluate', { eval: 'recorded', replay: 'tapes', version: '1.2.3', junit: 'again.xml' });

    expect([replayed.code, replayed.output]).toEqual([0, expect.stringContaining('1 of 1 passed')]);
  });
});

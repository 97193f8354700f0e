import { chmod } from 'node:fs/promises';
import { expect, onTestFinished } from 'vitest';
import { makeHome } from '../../support/kit-process.js';
import { goodPlugin, writePlugin } from '../../support/plugin-package.js';
import { makeRepositoryIn } from '../repository.js';
import { harnessWorkspace, localProvider, talk } from '../workspaces.js';
import { lastOf, type World } from '../world.js';
import { gated } from './gated-workspace.js';

const SIGNED = gated();
/** What a run of `talk` here refers to, each under its own name. */
const WORDS = `command_packs:
  - id: notes
    credentials_ref: notes
    commands:
      - id: note
        description: Notes a text.
        argv: [kit-test-program]
        effects: read
        output: { parse: text }
credentials: { notes: { source: env, config: { env: NOTES_TOKEN } } }
`;
const skill = `apiVersion: kit/v1
kind: Skill
metadata: { id: note, name: Note, description: Notes a text in a file. }
category: capability
implementation: { type: command, pack: notes, command: note }
provenance: { authored_by: human, version: 1.0.0 }
`;
const ADAPTED = harnessWorkspace('echo "{\\"type\\":\\"done\\",\\"text\\":\\"built\\"}"');
const runner = (id: string, executor: string): string =>
  (ADAPTED['archetypes/runner.yaml'] ?? '')
    .replace('id: runner', `id: ${id}`)
    .replace('role: root', 'role: worker')
    .replace('kind: harness, ref: own, config: {  }', executor);

/** Below the root of `talk`: what plugin and adapter are needed for, asked or not. */
const TEAM = ['runner', 'echoing'];

/** `storage`: lines of workspace.yaml; default: the runs lie in the directory. */
function needyFiles(storage = ''): Record<string, string> {
  const files = talk({
    provider: 'local',
    workspace: `${storage}${WORDS}`,
    root: '    funnel: sign-off\n    skills: [note]\n',
    files: {
      'providers/local.yaml': localProvider,
      'funnels/sign-off.yaml': SIGNED['funnels/sign-off.yaml'] ?? '',
      'roles/people.yaml': SIGNED['roles/people.yaml'] ?? '',
      'skills/note.yaml': skill,
      'adapters/own.yaml': ADAPTED['adapters/own.yaml'] ?? '',
      'archetypes/runner.yaml': runner('runner', 'kind: harness, ref: own, config: {  }'),
      'archetypes/echoing.yaml': runner('echoing', 'kind: echo'),
    },
  });
  const team = TEAM.map((id) => `      - { id: ${id}, role: worker, archetype: ${id} }\n`).join('');
  return { ...files, 'topologies/talk.yaml': `${files['topologies/talk.yaml']}${team}` };
}

/** The same workspace in a version that knows nothing of the plugin. */
function unpluggedFiles(storage?: string): Record<string, string> {
  const { 'archetypes/echoing.yaml': _echoing, ...files } = needyFiles(storage);
  const talked = files['topologies/talk.yaml']?.replace(/^.*archetype: echoing.*\n/mu, '') ?? '';
  return { ...files, 'topologies/talk.yaml': talked };
}

export const LACKS = ['key', 'credential', 'program', 'plugin', 'adapter'] as const;
export type Lack = (typeof LACKS)[number];

/** How a process says it that looks for runs to take. */
export const SAID: Readonly<Record<Lack, string>> = {
  key: 'the environment variable LOCAL_KEY is not set, and the provider local needs it',
  credential: 'nothing is behind the credential notes, and the skill note needs it',
  program: 'the program kit-test-program is not found, and the skill note needs it',
  plugin: 'the plugin @acme/kit-plugin-echo ^1.0.0 is not installed',
  adapter: 'the adapter own with the digest ',
};

/** How a shell in the workspace says it, which opens the workspace first. */
export const SAID_IN_SHELL: Readonly<Record<Lack, string>> = {
  ...SAID,
  plugin: 'no executor is called `echo`',
  adapter: 'nobody approved',
};

/** A workspace on machines that each have all that its run needs, but for one thing. */
export interface Needy {
  /** The directory of the workspace. */
  readonly at: string;
  /** Where a process is started that lacks it: one without the plugin needs another version. */
  readonly atWithout: (lack: Lack) => string;
  /** The environment of a machine that has all of it, but for what is named. */
  readonly without: (lack: Lack | null) => NodeJS.ProcessEnv;
}

export async function makeNeedy(
  world: World,
  of: {
    readonly name: string;
    readonly modelUrl: string;
    readonly storage?: string;
    readonly env?: NodeJS.ProcessEnv;
  },
): Promise<Needy> {
  const { name } = of;
  const at = makeRepositoryIn(world, name, needyFiles(of.storage)).root;
  const unplugged = makeRepositoryIn(world, `${name}-unplugged`, unpluggedFiles(of.storage)).root;
  const programs = world.files(`${name}-programs`, { 'kit-test-program': '#!/bin/sh\necho noted\n' });
  await chmod(`${programs}/kit-test-program`, 0o755);
  const homes = { whole: await makeHome(), plugin: await makeHome(), adapter: await makeHome() };
  onTestFinished(async () => {
    for (const home of Object.values(homes)) await home.remove();
  });
  const without = (lack: Lack | null): NodeJS.ProcessEnv => ({
    ...homes[lack === 'plugin' || lack === 'adapter' ? lack : 'whole'].env,
    KIT_STATE_DIR: `${world.base}/${name}-state`,
    ...of.env,
    MODEL_URL: of.modelUrl,
    LOCAL_KEY: lack === 'key' ? '' : 'local-test-key',
    NOTES_TOKEN: lack === 'credential' ? '' : 'notes-test-token',
    PATH: lack === 'program' ? process.env.PATH : `${programs}:${process.env.PATH}`,
  });
  const plugin = await writePlugin(world.files(`${name}-plugin`, {}), goodPlugin);
  for (const lack of [null, 'adapter'] as const) {
    const linked = await world.here(['plugins', 'link', plugin, '--yes'], { env: without(lack) });
    expect(linked.code, linked.stderr).toBe(0);
  }
  const refusal = lastOf(await world.here(['run', at, 'talk', '--input', 'x', '--json'], { env: without(null) }));
  const { adapters = [] } = (refusal.data ?? {}) as { readonly adapters?: readonly { readonly digest: string }[] };
  const digest = adapters[0]?.digest ?? expect.fail(JSON.stringify(refusal));
  const approval = ['--fingerprint', digest];
  for (const [lack, where] of [[null, at] as const, ['plugin', unplugged] as const]) {
    const approved = await world.here(['adapters', 'approve', 'own', where, ...approval], { env: without(lack) });
    expect(approved.code, approved.stderr).toBe(0);
  }
  return { at, atWithout: (lack) => (lack === 'plugin' ? unplugged : at), without };
}

/** A run of the workspace that waits for both roles; gives its id. */
export async function parkedRun(world: World, { at, without }: Needy): Promise<string> {
  const run = await world.here(['run', at, 'talk', '--input', 'hi', '--as', 'dana'], { env: without(null) });
  expect(run.code, run.stderr).toBe(3);
  return /run ([0-9a-f]{12})/.exec(run.stderr)?.[1] ?? expect.fail(run.stderr);
}

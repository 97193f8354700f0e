import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StartRun } from '../../../src/app/runs/runs-app.js';
import { LOCAL_AUTH } from '../../../src/domain/gates.js';
import type { Stores } from '../../../src/domain/ports/stores.js';
import type { Clock } from '../../../src/domain/ports/system.js';
import { gated } from '../../e2e/review/gated-workspace.js';
import { harnessWorkspace, noteSkill } from '../../e2e/workspaces.js';
import { openSceneApp, type SceneApp } from '../scene/scene-app.js';

/** Runs whose costs are guarded. */
export const LOADS = ['chain of ten', 'gated', 'tool loop', 'harness'] as const;
export type Load = (typeof LOADS)[number];

/** The use cases of a workspace that holds one load. */
export interface OpenLoad {
  /** One run from its submission to its end, and nothing beside it. */
  readonly run: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface LoadSpec {
  readonly topology: string;
  readonly files: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** A harness works in a copy of a repository. */
  readonly isRepository?: boolean;
  /** Who signs what the run waits for. */
  readonly signers?: readonly (readonly [identity: string, role: string])[];
}

const head = (kind: string, name: string): string => `apiVersion: kit/v1\nkind: ${kind}\nmetadata: ${name}\n`;
const workspace = (text = ''): string =>
  `${head('Workspace', '{ id: guarded, name: Guarded }')}memory: { enabled: false }\n${text}`;
const topology = (name: string, root: object): string =>
  `${head('Topology', `{ name: ${name}, version: 1.0.0 }`)}agents: ${JSON.stringify({ root })}\n`;

const model = { provider: 'mock', name: 'm1' };
/** A leader and nine workers, each of which waits for the one before. */
const chain = {
  id: 'lead',
  role: 'root',
  model,
  children: Array.from({ length: 9 }, (_, n) => ({
    id: `w${n + 1}`,
    role: 'worker',
    model,
    ...(n === 0 ? {} : { depends_on: [`w${n}`] }),
  })),
};

const TOOL_TURNS = 5;
const note = noteSkill('[echo, "{text}"]');
const noting = Array.from({ length: TOOL_TURNS }, (_, n) => ({
  tool_calls: [{ name: 'note', input: { text: `part ${n}` } }],
}));

const SPECS: Readonly<Record<Load, LoadSpec>> = {
  'chain of ten': {
    topology: 'chain',
    files: { 'workspace.yaml': workspace(), 'topologies/chain.yaml': topology('chain', chain) },
    env: { KIT_MOCK_DELEGATE: '1' },
  },
  gated: {
    topology: 'release',
    files: gated(),
    signers: [
      ['qa-1', 'qa'],
      ['ops-1', 'ops'],
    ],
  },
  'tool loop': {
    topology: 'noting',
    files: {
      'workspace.yaml': workspace(note.workspace),
      'topologies/noting.yaml': topology('noting', {
        id: 'clerk',
        role: 'root',
        model: { ...model, options: { script: [...noting, { text: 'all noted' }] } },
        skills: ['note'],
      }),
      ...note.files,
    },
  },
  harness: {
    topology: 'own',
    files: harnessWorkspace('echo "{\\"type\\":\\"done\\",\\"text\\":\\"written\\"}"'),
    isRepository: true,
  },
};

/** A leader that gives its one child another part in each of so many turns. */
const longTalk = (turns: number): LoadSpec => ({
  topology: 'long',
  files: {
    'workspace.yaml': workspace(`governance: { provider: mock, limits: { max_steps_per_run: ${10 * turns} } }\n`),
    'topologies/long.yaml': topology('long', {
      id: 'lead',
      role: 'root',
      model: { ...model, options: { script: [...delegating(turns), { text: 'all done' }] } },
      children: [{ id: 'w1', role: 'worker', model }],
    }),
  },
  env: { KIT_MAX_TOOL_TURNS: String(10 * turns), KIT_MAX_DELEGATIONS_PER_CHILD: String(10 * turns) },
});

const delegating = (turns: number) =>
  Array.from({ length: turns }, (_, n) => ({
    tool_calls: [{ name: 'delegate_to_w1', input: { task: `Part ${1_000 + n}.` } }],
  }));

/**
 * Opens a load over a directory of its own and stores that whoever asks closes.
 * @param clock default: the real one
 */
export const openLoad = (load: Load, directory: string, stores: Stores, clock?: Clock): Promise<OpenLoad> =>
  openSpec(SPECS[load], directory, stores, clock);

/** The same of a run that talks for so many turns. */
export const openLongTalk = (turns: number, directory: string, stores: Stores, clock: Clock): Promise<OpenLoad> =>
  openSpec(longTalk(turns), directory, stores, clock);

async function openSpec(spec: LoadSpec, directory: string, stores: Stores, clock?: Clock): Promise<OpenLoad> {
  for (const [path, text] of Object.entries(spec.files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  if (spec.isRepository === true) makeRepository(directory);
  const worktrees = `${directory}-worktrees`;
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: directory,
    XDG_CONFIG_HOME: join(directory, 'config'),
    // Never inside of a repository.
    KIT_WORKTREES_DIR: worktrees,
    ...spec.env,
  };
  const app = openSceneApp(directory, { env, opened: stores, ...(clock === undefined ? {} : { clock }) });
  const request: StartRun = {
    workspace: directory,
    topology: spec.topology,
    input: 'Pass it on.',
    attachments: [],
    correlationId: null,
    labels: {},
    supersedes: null,
    submittedBy: { identity: 'dana', assurance: 'asserted' },
    timeoutMs: null,
    trust: [],
  };
  // A person has approved whatever adapter the workspace holds.
  const { untrusted } = await app.runs.plan(request);
  const approved = { ...request, trust: untrusted.map(({ digest }) => digest) };
  const close = async (): Promise<void> => {
    await app.close();
    await rm(worktrees, { recursive: true, force: true });
  };
  return { run: () => runOnce(app, approved, spec.signers ?? []), close };
}

async function runOnce(app: SceneApp, request: StartRun, signers: NonNullable<LoadSpec['signers']>): Promise<void> {
  let job = await (await app.runs.start(request)).done;
  for (const [identity, role] of signers) {
    const { workspace } = request;
    const item = `mpa-${job.id}:writer-0-${role}`;
    await app.review.resolve({ workspace, item, identity, auth: LOCAL_AUTH, outcome: 'approve', comment: '' });
  }
  if (signers.length > 0) {
    const gone = await app.runs.goOn({ workspace: request.workspace, job: job.id, by: 'dana', mode: 'insist' });
    if (gone.kind !== 'taken') throw new Error(`the run was left: ${gone.why}`);
    job = await gone.handle.done;
  }
  if (job.status !== 'completed') throw new Error(`the run is ${job.status}: ${job.error}`);
}

function makeRepository(cwd: string): void {
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd, stdio: 'ignore' });
  git('init', '--quiet', '--initial-branch=main');
  git('-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'add', '--all');
  git('-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--message=first');
}

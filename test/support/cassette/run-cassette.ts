import { dirname, join } from 'node:path';
import type { CassetteUse, RunHandle, StartRun } from '../../../src/app/runs/runs-app.js';
import { isKitError } from '../../../src/domain/errors.js';
import type { StoredEvent } from '../../../src/domain/events.js';
import type { Job } from '../../../src/domain/job.js';
import { toWireEvent } from '../../../src/view/schemas/event.js';
import { normalize } from '../scene/normalize.js';
import { openSceneApp, type SceneApp } from '../scene/scene-app.js';

/** A run that ended, with everything the log holds of it. */
export interface EndedRun {
  readonly job: Job;
  readonly events: readonly StoredEvent[];
}

export interface CassetteWorkspace {
  readonly directory: string;
  readonly topology: string;
  readonly input: string;
  /** The whole environment that the run sees. */
  readonly env: Readonly<Record<string, string>>;
}

const startOf = (of: CassetteWorkspace, cassette: CassetteUse): StartRun => ({
  workspace: of.directory,
  topology: of.topology,
  input: of.input,
  attachments: [],
  correlationId: null,
  labels: {},
  supersedes: null,
  submittedBy: { identity: 'tester', assurance: 'asserted' },
  timeoutMs: null,
  trust: [],
  cassette,
});

/** Records one run of a workspace; every adapter of it is approved. */
export async function recordRun(of: CassetteWorkspace, file: string): Promise<EndedRun> {
  const app = openSceneApp(of.directory, { env: homeIn(of) });
  const request = startOf(of, { kind: 'record', file });
  try {
    return await ended(await approving(app, request));
  } finally {
    await app.close();
  }
}

/**
 * A place where a cassette is replayed again and again, in this process, by the use case behind
 * `kit run --replay`.
 */
export interface ReplayRoom {
  replay(file: string): Promise<EndedRun>;
  close(): Promise<void>;
}

export function openReplayRoom(of: CassetteWorkspace): ReplayRoom {
  const app = openSceneApp(of.directory, { env: homeIn(of) });
  return {
    replay: async (file) => ended(await app.runs.start(startOf(of, { kind: 'replay', file, isInputRecorded: false }))),
    close: app.close,
  };
}

const homeIn = ({ directory, env }: CassetteWorkspace): Readonly<Record<string, string>> => {
  const home = join(directory, '.kit');
  // No worktree is made inside the repository.
  const state = join(dirname(directory), 'state');
  return {
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: state,
    GIT_CONFIG_NOSYSTEM: '1',
    ...env,
  };
};

async function approving(app: SceneApp, request: StartRun): Promise<RunHandle> {
  try {
    return await app.runs.start(request);
  } catch (error) {
    if (!isKitError(error) || error.code !== 'KIT_ADAPTER_UNTRUSTED') throw error;
    const { untrusted } = await app.runs.plan(request);
    return app.runs.start({ ...request, trust: untrusted.map(({ digest }) => digest) });
  }
}

async function ended(handle: RunHandle): Promise<EndedRun> {
  const events: StoredEvent[] = [];
  for await (const event of handle.events(0, new AbortController().signal)) events.push(event);
  return { job: await handle.done, events };
}

/** The log as text, in its order, without ids, times and durations. */
export const logText = ({ events }: EndedRun, directory: string): string =>
  events.map((event) => JSON.stringify(normalize(toWireEvent(event), directory))).join('\n');

/** The same, each activation and step for itself: parallel branches interleave as they like. */
export const textByStep = ({ events }: EndedRun, directory: string): string =>
  logText(
    { job: null as never, events: events.toSorted((a, b) => String(a.stepKey).localeCompare(String(b.stepKey))) },
    directory,
  );

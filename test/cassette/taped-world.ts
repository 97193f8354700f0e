import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AnswerBook } from '../../src/cassette/answer-book.js';
import { type Cassette, parseCassette } from '../../src/cassette/read-cassette.js';
import { recordFacilities } from '../../src/cassette/record-facilities.js';
import { replayFacilities } from '../../src/cassette/replay-facilities.js';
import { ReplayScheduler } from '../../src/cassette/replay-scheduler.js';
import { CassetteWriter } from '../../src/cassette/write-cassette.js';
import type { Job } from '../../src/domain/job.js';
import { toWireEvent } from '../../src/view/schemas/event.js';
import type { RunFacilities } from '../../src/worker/facilities.js';
import { openWorld, type World, type WorldOptions } from '../support/run-world.js';
import { normalize } from '../support/scene/normalize.js';
import { HEADER } from './samples.js';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export interface TapedRun {
  readonly job: Job;
  /** Events step by step, without ids, times and durations. */
  readonly events: readonly unknown[];
}

export interface Recorded extends TapedRun {
  readonly text: string;
  readonly cassette: Cassette;
}

/**
 * A run of a scripted world whose answers are kept in a real file; `meanwhile` goes on beside it.
 */
export async function record(
  options: WorldOptions,
  meanwhile: (world: World) => Promise<void> = async () => undefined,
): Promise<Recorded> {
  const directory = mkdtempSync(join(tmpdir(), 'kit-taped-'));
  const file = join(directory, 'x.cassette');
  const writer = new CassetteWriter(file, HEADER, silent);
  try {
    const run = await execute(
      { ...options, facilities: (base) => recordFacilities({ ...base, ...options.facilities?.(base) }, writer) },
      meanwhile,
    );
    writer.finish({ status: run.job.status, reason: run.job.reason });
    const text = readFileSync(file, 'utf8');
    return { ...run, text, cassette: parseCassette(text, file) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const refuse = (what: string) => (): never => {
  throw new Error(`a replay must not ${what}`);
};

const UNREACHABLE: Partial<RunFacilities> = {
  provider: refuse('open a provider'),
  executor: refuse('open an executor'),
  processes: { spawn: refuse('start a process') },
  worktrees: { create: refuse('make a worktree'), reopen: refuse('open a worktree') },
  commandEnv: refuse('resolve a credential'),
  toolServer: refuse('open a tool server'),
};

/** The same world with nothing reachable. */
export function replay(options: WorldOptions, cassette: Cassette): Promise<TapedRun> {
  const scheduler = new ReplayScheduler(() => new Promise((resolve) => setImmediate(resolve)));
  const answers = { book: new AnswerBook(cassette), scheduler, header: cassette.header };
  return execute({
    ...options,
    wrap: (stores) => scheduler.watch(stores),
    facilities: (base) => replayFacilities({ ...base, ...UNREACHABLE }, answers),
  });
}

async function execute(
  options: WorldOptions,
  meanwhile: (world: World) => Promise<void> = async () => undefined,
): Promise<TapedRun> {
  const world = await openWorld(options);
  try {
    await Promise.all([world.run(), meanwhile(world)]);
    const events = (await world.events()).map(
      (event) => normalize(toWireEvent(event), world.dir) as Readonly<Record<string, unknown>>,
    );
    return {
      job: await world.row(),
      events: events.toSorted((a, b) => String(a.step_key).localeCompare(String(b.step_key))),
    };
  } finally {
    await world.close();
  }
}

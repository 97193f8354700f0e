import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect } from 'vitest';
import type { StoredEvent } from '../../src/domain/events.js';
import type { RunWrite, StepRow } from '../../src/domain/journal.js';
import type { JsonObject } from '../../src/domain/json.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import { JournalSession } from '../../src/engine/journal-session.js';
import type { RunOutcome } from '../../src/engine/judge-run.js';
import { interpretRun } from '../../src/engine/run.js';
import { Steps } from '../../src/engine/steps.js';
import { type JsonSchemas, loadJsonSchemas } from '../../src/lib/json-schema.js';
import { type CommitOne, eachBatch } from '../support/each-batch.js';
import { openWorld, type World, type WorldOptions } from '../support/run-world.js';

/**
 * Opens worlds whose runs are held to the laws of the journal when the test is over: what was
 * written, how it was handed to the store, and that replaying it does nothing and comes to the same
 * end.
 */
export function lawfulWorlds(): (options: WorldOptions) => Promise<World> {
  const opened: { readonly world: World; readonly batches: (readonly RunWrite[])[] }[] = [];
  afterEach(async () => {
    for (const { world, batches } of opened.splice(0)) {
      try {
        await checkLaws(world, batches);
      } finally {
        await world.close();
      }
    }
  });
  return async (options) => {
    const batches: (readonly RunWrite[])[] = [];
    const wrap = (stores: Stores): Stores =>
      recording(options.wrap === undefined ? stores : options.wrap(stores), batches);
    const world = await openWorld({ ...options, wrap });
    opened.push({ world, batches });
    return world;
  };
}

/** The same stores; what is handed to `runs.commit` is written down. */
function recording(stores: Stores, batches: (readonly RunWrite[])[]): Stores {
  return committing(stores, (fence, writes) => {
    batches.push(writes);
    return stores.runs.commit(fence, writes);
  });
}

/** The same stores with another `runs.commit`, which is called for each batch. */
export function committing(stores: Stores, commit: CommitOne): Stores {
  return overriding(stores, { runs: overriding(stores.runs, { commit: eachBatch(commit) }) });
}

/** The same object, but for some members. */
export function overriding<T extends object>(target: T, members: Partial<T>): T {
  return new Proxy(target, {
    get: (_, name) => {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name);
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

async function checkLaws(world: World, batches: readonly (readonly RunWrite[])[]): Promise<void> {
  const events = await world.events();
  const rows = await world.stores.runs.load(world.job.id);
  await checkEvents(events);
  for (const batch of batches) checkBatch(batch);
  await checkEnd(world, events, rows);
  await checkReplay(world, rows);
  expect(await world.events()).toEqual(events);
  expect(await world.stores.runs.load(world.job.id)).toEqual(rows);
}

const schemas = new Map<string, object>();
let validator: JsonSchemas | undefined;

/** Every event fits the schema of its type; ids are unique, numbers dense. */
export async function checkEvents(events: readonly StoredEvent[]): Promise<void> {
  validator ??= await loadJsonSchemas();
  for (const event of events) {
    const schema =
      schemas.get(event.type) ??
      (JSON.parse(readFileSync(`schemas/events/${event.type}.schema.json`, 'utf8')) as object);
    schemas.set(event.type, schema);
    expect({ type: event.type, issues: validator.validate(schema, event.payload) }).toEqual({
      type: event.type,
      issues: [],
    });
  }
  expect(new Set(events.map((event) => event.eventId)).size).toBe(events.length);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
}

/**
 * One end and the start after it, or one write alone (docs/design/journal.md#shared-commit,
 * docs/design/journal.md#small-commits).
 */
function checkBatch(batch: readonly RunWrite[]): void {
  const ops = batch.map((write) => write.op).join(' ');
  expect(['step.started', 'step.ended', 'step.ended step.started', 'step.noted', 'run.ended', 'run.parked']).toContain(
    ops,
  );
}

async function checkEnd(world: World, events: readonly StoredEvent[], rows: readonly StepRow[]): Promise<void> {
  const row = await world.row();
  checkEpisodes(events);
  if (row.status === 'pending' || row.status === 'running') return;
  if (row.status === 'deferred') {
    expect(events.findLast((event) => event.type.startsWith('run.'))).toMatchObject({
      type: 'run.parked',
      payload: { waiting_on: row.waitingOn, error: row.error },
    });
    expect(rows.filter((one) => one.kind === 'gate' && one.outcome === null)).not.toEqual([]);
    return;
  }
  expect(events.at(-1)).toMatchObject({
    type: row.status === 'stopped' ? 'run.parked' : 'run.ended',
    payload: { status: row.status, reason: row.reason, error: row.error },
  });
  expect(row.reason === null).toBe(row.status === 'completed');
  if (row.status === 'completed') expect(rows.filter((one) => one.outcome === null)).toEqual([]);
  // The failing step, the failing agent and the run tell one reason.
  const root = rows.find((one) => one.key === 'root')?.outcome;
  if (row.status === 'failed' && root?.status === 'failed') {
    expect(root.reason).toBe(row.reason);
    const leaves = rows
      .filter((one) => one.kind !== 'activation' && one.outcome?.status === 'failed')
      .map((one) => (one.outcome?.status === 'failed' ? one.outcome.reason : ''));
    const own = [
      'output_invalid',
      'empty_answer',
      'truncated',
      'invalid_calls',
      'denied',
      'internal_error',
      'decision_failed',
      'scope_missing',
      'plan_failed',
    ];
    if (!own.includes(root.reason)) expect(leaves).toContain(root.reason);
  }
}

/**
 * A run parks or is stopped, is resumed, and does so again or is over, once; one that is stopped
 * while it is parked has not run in between.
 */
function checkEpisodes(events: readonly StoredEvent[]): void {
  const marks: Readonly<Record<string, string>> = { 'run.parked': 'P', 'run.ended': 'E', 'run.resumed': 'R' };
  const markOf = (event: StoredEvent): string =>
    event.type === 'run.parked' && event.payload.status === 'stopped' ? 'S' : (marks[event.type] ?? '');
  expect(events.map(markOf).join('')).toMatch(/^((P|S|PS)R)*(P|S|PS|E)?$/);
}

/**
 * What the store says about the gates while the run still runs: its end withdraws those that are
 * open.
 */
async function reviewsBeforeTheEnd(world: World): ReturnType<Stores['reviews']['state']> {
  const state = await world.stores.reviews.state(world.job.id);
  return state === null ? null : { ...state, gates: state.gates.map((gate) => ({ ...gate, withdrawn: false })) };
}

async function checkReplay(world: World, rows: readonly StepRow[]): Promise<void> {
  const root = rows.find((row) => row.key === 'root')?.outcome ?? null;
  const shallow = await world.replay();
  if (root === null) {
    expect(shallow.kind).toBe('unfinished');
    return;
  }
  expect(shallow).toMatchObject(endOf(root, world));
  const deep = await replayFromLeaves(world, rows);
  expect(deep.outcome).toEqual(shallow);
  if (shallow.kind === 'completed') expect(deep.started).toEqual([]);
}

function endOf(outcome: NonNullable<StepRow['outcome']>, world: World): Partial<RunOutcome> {
  if (outcome.status === 'failed') return { kind: 'failed', reason: outcome.reason };
  expect(world.snapshot.topology.root.id).not.toBe('');
  return { kind: 'completed' };
}

const never = <T>(): Promise<T> => new Promise<T>(() => {});

/**
 * Takes the results of all scopes away, so that the interpreter must walk the whole journal: each
 * leaf has to be a hit, under the same key with the same identity, and the same end has to come
 * out. What the failure of a sibling cut off stays cut off.
 */
async function replayFromLeaves(
  world: World,
  rows: readonly StepRow[],
): Promise<{ readonly outcome: RunOutcome; readonly started: readonly string[] }> {
  const scope = new AbortController();
  const started: string[] = [];
  // One that was denied when it was entered again did not come to its end through what it holds.
  const isDenied = (row: StepRow): boolean => row.outcome?.status === 'failed' && row.outcome.reason === 'denied';
  const isHolder = (row: StepRow): boolean =>
    !isDenied(row) &&
    (row.kind === 'activation' || row.kind === 'skill') &&
    rows.some((other) => other.key.startsWith(`${row.key}/`));
  const session = new JournalSession({
    rows: rows.map((row) => (isHolder(row) ? { ...row, outcome: null, endedAt: null } : row)),
    commit: async (batches) => {
      for (const write of batches.flat()) if (write.op === 'step.started') started.push(write.row.key);
    },
    onBroken: () => {},
    defer: setImmediate,
  });
  const steps = new Steps({
    jobId: world.job.id,
    topologyId: world.job.topology,
    session,
    now: () => 0,
    signal: scope.signal,
    mask: (value) => value,
    breach: () => null,
    effects: 'allow',
  });
  const outcome = interpretRun(
    {
      ...world.facilities,
      jobId: world.job.id,
      correlationId: world.job.correlationId,
      traceParent: world.job.traceParent,
      roles: never,
      reviews: { state: () => reviewsBeforeTheEnd(world) },
      artifacts: { put: never, read: never },
      snapshot: world.snapshot,
      attachments: world.job.attachments,
      steps,
      clock: {
        now: () => 0,
        sleep: (_ms, signal) =>
          new Promise((_, reject) =>
            signal?.addEventListener('abort', () => reject(new Error('awake')), { once: true }),
          ),
      },
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      signal: scope.signal,
      abort: () => scope.abort(),
      stopRequested: async () => false,
      lease: { until: () => 0, onRenew: () => () => {} },
      blob: async () => new Uint8Array(),
      decide: async () => ({ verdict: 'allow' }),
      provider: async () => ({ price: () => null, generate: () => never() }),
      executor: async () => ({
        run: async () => {
          await abortOf(scope.signal);
          throw new Error('cut off');
        },
      }),
      processes: { spawn: (_spec, _lease, signal) => heldProcess(signal) },
      worktrees: {
        create: async () => ({
          path: '/',
          baseCommit: '',
          notIncluded: [],
          diff: async () => '',
          remove: async () => {},
        }),
        reopen: async () => null,
      },
    },
    world.job.input,
  );
  const late = pause(5000, undefined, { ref: false }).then((): never => {
    throw new Error(`a replay from the leaves does not end; it started ${started.join(', ')}`);
  });
  return { outcome: await Promise.race([outcome, late]), started };
}

function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function heldProcess(signal: AbortSignal): ReturnType<World['facilities']['processes']['spawn']> {
  const ended = abortOf(signal);
  const result = { exitCode: null, signal: 'SIGTERM', ended: 'aborted', stderrTail: '', durationMs: 0 } as const;
  return {
    lines: { [Symbol.asyncIterator]: () => ({ next: () => ended.then(() => ({ done: true, value: undefined })) }) },
    done: ended.then(() => result),
  };
}

/** Reasons of the failed rows of a run, by key. */
export async function failedSteps(world: World): Promise<Record<string, string>> {
  const rows = await world.stores.runs.load(world.job.id);
  return Object.fromEntries(
    rows.flatMap((row) => (row.outcome?.status === 'failed' ? [[row.key, row.outcome.reason] as const] : [])),
  );
}

export const payloadsOf = <T extends StoredEvent['type']>(
  events: readonly StoredEvent[],
  type: T,
): readonly JsonObject[] =>
  events.filter((event) => event.type === type).map((event) => event.payload as unknown as JsonObject);

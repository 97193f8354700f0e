import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENV_REGISTRY } from '../../src/domain/env.js';
import type { StoredEvent } from '../../src/domain/events.js';
import { type FaultPoints, NO_FAULTS } from '../../src/domain/faults.js';
import type { Job } from '../../src/domain/job.js';
import { ENGINE } from '../../src/domain/journal.js';
import type { Json, JsonObject } from '../../src/domain/json.js';
import type { Executor } from '../../src/domain/ports/executor.js';
import type { Decision } from '../../src/domain/ports/governance.js';
import type { MessagePart, ModelProvider, ModelRequest, ModelResult } from '../../src/domain/ports/model.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import { type RunSnapshot, SNAPSHOT_FORMAT } from '../../src/domain/snapshot.js';
import type { AgentNode, Limits, LinkedSkill } from '../../src/domain/workspace.js';
import { JournalSession } from '../../src/engine/journal-session.js';
import { interpretRun, type RunOutcome } from '../../src/engine/run.js';
import { Steps } from '../../src/engine/steps.js';
import { breachOf } from '../../src/govern/limits.js';
import { loadJsonSchemas } from '../../src/lib/json-schema.js';
import { openSqliteStores } from '../../src/store/sqlite/open-sqlite-stores.js';
import { createClock } from '../../src/system/clock.js';
import { createIds } from '../../src/system/ids.js';
import { createProcesses } from '../../src/system/processes/processes.js';
import { processStartOf, readWorkerHost } from '../../src/system/worker-host.js';
import { createWorktrees } from '../../src/system/worktrees/worktrees.js';
import type { RunFacilities } from '../../src/worker/facilities.js';
import { type RunJobOptions, type RunJobResult, runJob } from '../../src/worker/run-job.js';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const NO_MODEL = { provider: 'fake', name: 'fake-1', temperature: null, maxTokens: null, toolProvider: null, toolModel: null, options: {} };

/** A model agent with nothing set; give what the test is about. */
export function agent(id: string, over: Partial<AgentNode> = {}): AgentNode {
  return {
    id,
    role: over.children === undefined ? 'worker' : 'leader',
    archetype: null,
    executor: { kind: 'model' },
    model: NO_MODEL,
    systemPrompt: `You are ${id}.`,
    skills: [],
    requires: {},
    baseScope: [],
    elevatedScopes: [],
    outputSchema: null,
    funnel: null,
    dependsOn: [],
    children: [],
    pointer: '/agents/root',
    ...over,
  };
}

/** A command skill that runs argv in the workspace directory. */
export function commandSkill(id: string, argv: readonly string[], over: Partial<LinkedSkill> = {}): LinkedSkill {
  return {
    id,
    description: `Runs ${id} for a test.`,
    category: 'capability',
    inputs: null,
    outputs: null,
    requiredScopes: [],
    effects: 'write',
    onInDoubt: 'repeat',
    audit: { logInputs: 'full', logOutputs: 'full', redact: [] },
    implementation: {
      type: 'command',
      pack: 'test',
      command: { id, argv, cwd: '', env: {}, credentialsRef: null, timeoutMs: 20_000, maxOutputBytes: 1_000_000, parse: 'text', permission: 'open' },
    },
    ...over,
  };
}

/** Who is speaking, recognised by the system prompt `You are <id>.`, and how many assistant turns it already had. */
export interface Turn {
  readonly agent: string;
  readonly turn: number;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
}

export type Script = (turn: Turn) => readonly MessagePart[] | string | ModelResult | Promise<readonly MessagePart[] | string | ModelResult>;

export const call = (name: string, input: Json, id = `call-${name}`): MessagePart => ({ type: 'tool_call', id, name, input });

function providerOf(script: Script): ModelProvider {
  return {
    price: () => 0,
    generate: async (request, options) => {
      const system = request.messages.find((message) => message.role === 'system')?.parts[0];
      const agentId = /^You are ([a-z0-9-]+)\./.exec(system?.type === 'text' ? system.text : '')?.[1] ?? '';
      const turn = request.messages.filter((message) => message.role === 'assistant').length;
      const answer = await script({ agent: agentId, turn, request, signal: options.signal });
      if (typeof answer === 'object' && 'ok' in answer) return answer;
      const parts: readonly MessagePart[] = typeof answer === 'string' ? [{ type: 'text', text: answer }] : answer;
      const finish = parts.some((part) => part.type === 'tool_call') ? 'tool_calls' : 'stop';
      const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 0.001 };
      return { ok: true, response: { parts, finish, usage, model: request.model } };
    },
  };
}

export interface WorldOptions {
  readonly root: AgentNode;
  readonly script: Script;
  readonly skills?: readonly LinkedSkill[];
  readonly limits?: Partial<Limits>;
  readonly env?: Readonly<Record<string, string | number>>;
  readonly executor?: Executor;
  readonly decide?: () => Promise<Decision>;
  readonly timeoutMs?: number | null;
  readonly faults?: FaultPoints;
  readonly humanScopes?: readonly string[];
  readonly mask?: (value: Json) => Json;
}

export interface World {
  readonly dir: string;
  readonly stores: Stores;
  readonly job: Job;
  run(options?: RunJobOptions): Promise<RunJobResult>;
  /** Runs the recorded journal with effects forbidden: the same outcome, and not one new write. */
  replay(): Promise<RunOutcome>;
  events(): Promise<readonly StoredEvent[]>;
  row(): Promise<Job>;
  close(): Promise<void>;
}

/** A run with a real store, real processes and worktrees; only the model is a script. */
export async function openWorld(options: WorldOptions): Promise<World> {
  const dir = await mkdtemp(join(tmpdir(), 'kit-run-world-'));
  const clock = createClock();
  const host = readWorkerHost();
  const ids = createIds(host);
  const stores = await openSqliteStores({
    stateDir: join(dir, '.kit'),
    clock,
    ids,
    faults: options.faults ?? NO_FAULTS,
    log: silent,
    processStartOf,
  });
  const snapshot = snapshotOf(options);
  const digest = await stores.blobs.put(new TextEncoder().encode(JSON.stringify(snapshot)));
  const jobId = ids.jobId();
  const event = {
    type: 'run.started',
    eventId: ids.uuid(),
    timestamp: new Date(clock.now()).toISOString(),
    topologyId: 'test',
    agentId: null,
    skillId: null,
    stepKey: null,
    payload: { trigger_source: 'cli', topology: 'test', version: '1.0.0', input_sha256: '', submitted_by: 'tester', assurance: 'asserted' },
  } as const;
  const claim = { workerId: ids.workerId(), leaseMs: 60_000, jobClass: 'any', engine: ENGINE, limit: 1, host } as const;
  const job = await stores.jobs.insert(
    {
      id: jobId,
      topology: 'test',
      version: '1.0.0',
      input: 'the task',
      correlationId: null,
      labels: {},
      parentJobId: null,
      source: 'cli',
      submittedBy: { identity: 'tester', assurance: 'asserted' },
      jobClass: 'model',
      priority: 0,
      engine: ENGINE,
      needs: { plugins: {}, adapters: {} },
      snapshot: digest,
      recover: 'manual',
      timeoutMs: options.timeoutMs ?? null,
      attachments: [],
    },
    'pending',
    [event],
    claim,
  );
  const facilities = await facilitiesOf(options, dir);
  const events = () => stores.events.readRun(jobId, 0, 1000);
  return {
    dir,
    stores,
    job,
    events,
    run: (runOptions) => runJob({ stores, clock, log: silent, leaseMs: 60_000, defer: setImmediate, open: async () => facilities }, job, runOptions),
    replay: () => replayJournal({ stores, snapshot, facilities, job }),
    row: async () => {
      const row = await stores.jobs.get(jobId);
      if (row === null) throw new Error('the job row is gone');
      return row;
    },
    close: async () => {
      await stores.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Replay law (journal.md 2): every recorded run gives the same result without one write, one call or one event. */
async function replayJournal(of: { stores: Stores; snapshot: RunSnapshot; facilities: RunFacilities; job: Job }): Promise<RunOutcome> {
  const { stores, snapshot, facilities, job } = of;
  const scope = new AbortController();
  const refuse = (what: string) => (): never => {
    throw new Error(`a replay must not ${what}`);
  };
  const session = new JournalSession({
    rows: await stores.runs.load(job.id),
    commit: refuse('write'),
    onBroken: refuse('lose its journal'),
    defer: setImmediate,
  });
  const steps = new Steps({
    jobId: job.id,
    topologyId: job.topology,
    session,
    now: () => 0,
    signal: scope.signal,
    mask: (value) => value,
    breach: refuse('check limits'),
    effects: 'forbid',
  });
  // A run that was cut off has a frontier: there the replay waits, and is released when nothing moves any more.
  const release = setTimeout(() => scope.abort(), 300);
  return interpretRun(
    {
      ...facilities,
      jobId: job.id,
      snapshot,
      attachments: job.attachments,
      steps,
      clock: { now: () => 0, sleep: refuse('wait') },
      log: silent,
      signal: scope.signal,
      abort: () => scope.abort(),
      stopRequested: async () => false,
      lease: { until: () => 0, onRenew: () => () => {} },
      blob: refuse('read a blob'),
      provider: refuse('open a provider'),
      executor: refuse('open an executor'),
      decide: refuse('ask governance'),
      processes: { spawn: refuse('start a process') },
      worktrees: { create: refuse('make a worktree'), reopen: refuse('open a worktree') },
    },
    job.input,
  ).finally(() => clearTimeout(release));
}

function snapshotOf(options: WorldOptions): RunSnapshot {
  const env = Object.fromEntries(
    ENV_REGISTRY.flatMap((one) => (one.scope === 'run' && one.default !== null ? [[one.name, one.default as string | number]] : [])),
  );
  const models: Record<string, RunSnapshot['models'][string]> = {};
  const visit = (node: AgentNode): void => {
    models[node.id] = { provider: 'fake', model: 'fake-1', toolProvider: 'fake', toolModel: 'fake-1' };
    node.children.forEach(visit);
  };
  visit(options.root);
  return {
    format: SNAPSHOT_FORMAT,
    workspaceId: 'w',
    topology: { name: 'test', version: '1.0.0', root: options.root },
    skills: Object.fromEntries((options.skills ?? []).map((skill) => [skill.id, skill])),
    adapters: {},
    providers: { fake: { id: 'fake', contribution: 'test.fake', config: {} } },
    models,
    limits: { maxStepsPerAgent: null, maxStepsPerRun: 500, maxCostPerRunUsd: null, ...options.limits },
    env: { ...env, KIT_MODEL_RETRIES: 0, ...options.env },
    credentials: {},
    humanScopes: [...(options.humanScopes ?? [])],
    governance: { provider: 'mock', config: {} },
    baseCommit: null,
  };
}

async function facilitiesOf(options: WorldOptions, dir: string): Promise<RunFacilities> {
  const schemas = await loadJsonSchemas();
  const provider = providerOf(options.script);
  const env = { PATH: process.env.PATH ?? '', HOME: dir };
  return {
    provider: async () => provider,
    executor: async () => {
      if (options.executor === undefined) throw new Error('this world has no executor');
      return options.executor;
    },
    decide: options.decide ?? (async () => ({ verdict: 'allow' })),
    humanScopes: [],
    processes: createProcesses(),
    worktrees: createWorktrees({ env, owner: readWorkerHost() }),
    workspaceRoot: dir,
    childEnv: env,
    commandEnv: async () => ({}),
    validate: async (schema: JsonObject, value: Json) => schemas.validate(schema, value).map(({ pointer, message }) => ({ pointer, message })),
    redactCall: async (_skill, shown) => shown,
    mask: <T extends Json>(value: T): T => (options.mask === undefined ? value : (options.mask(value) as T)),
    breach: (request) => breachOf({ maxStepsPerAgent: null, maxStepsPerRun: 500, maxCostPerRunUsd: null, ...options.limits }, request),
    onText: () => {},
    dispose: async () => {},
  };
}

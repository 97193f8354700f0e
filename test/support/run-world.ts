import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentNode } from '../../src/domain/agent-node.js';
import { ENV_REGISTRY } from '../../src/domain/env.js';
import type { RunEvent, StoredEvent } from '../../src/domain/events.js';
import { type FaultPoints, NO_FAULTS } from '../../src/domain/faults.js';
import type { RoleDirectory } from '../../src/domain/gates.js';
import type { EventPayloads } from '../../src/domain/generated/events.js';
import type { AttachmentRef, Job } from '../../src/domain/job.js';
import { ENGINE } from '../../src/domain/journal.js';
import type { Json, JsonObject } from '../../src/domain/json.js';
import type { Limits } from '../../src/domain/limits.js';
import type { LinkedSkill } from '../../src/domain/linked-skill.js';
import type { Executor } from '../../src/domain/ports/executor.js';
import type { Decision } from '../../src/domain/ports/governance.js';
import type { MessagePart, ModelProvider, ModelRequest, ModelResult } from '../../src/domain/ports/model.js';
import type { Stores, WorkerHost } from '../../src/domain/ports/stores.js';
import type { Clock } from '../../src/domain/ports/system.js';
import { RULE_SET, type RunSnapshot, SNAPSHOT_FORMAT } from '../../src/domain/snapshot.js';
import type { RunOutcome } from '../../src/engine/judge-run.js';
import { breachOf } from '../../src/govern/limits.js';
import { loadJsonSchemas } from '../../src/lib/json-schema.js';
import { openSqliteStores } from '../../src/store/sqlite/open-sqlite-stores.js';
import { createClock } from '../../src/system/clock.js';
import { createIds } from '../../src/system/ids.js';
import { createProcesses } from '../../src/system/processes/processes.js';
import { processStartOf, readWorkerHost } from '../../src/system/worker-host.js';
import { createWorktrees } from '../../src/system/worktrees/worktrees.js';
import { foldFigures } from '../../src/view/run-figures.js';
import type { RunFacilities } from '../../src/worker/facilities.js';
import { runJob } from '../../src/worker/run-job.js';
import type { RunJobResult } from '../../src/worker/run-job-deps.js';
import type { RunJobOptions } from '../../src/worker/run-job-options.js';
import { replayRun } from './replay-run.js';

const NO_ROLES: RoleDirectory = { roles: [], identities: [], digest: '' };
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const NO_MODEL = {
  provider: 'fake',
  name: 'fake-1',
  temperature: null,
  maxTokens: null,
  toolProvider: null,
  toolModel: null,
  options: {},
};

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
      command: {
        id,
        argv,
        cwd: '',
        env: {},
        credentialsRef: null,
        timeoutMs: 20_000,
        maxOutputBytes: 1_000_000,
        parse: 'text',
        permission: 'open',
      },
    },
    ...over,
  };
}

/**
 * Who is speaking, recognised by the system prompt `You are <id>.`, and how many assistant turns it
 * already had.
 */
export interface Turn {
  readonly agent: string;
  readonly turn: number;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
}

export type Script = (
  turn: Turn,
) => readonly MessagePart[] | string | ModelResult | Promise<readonly MessagePart[] | string | ModelResult>;

export const call = (name: string, input: Json, id = `call-${name}`): MessagePart => ({
  type: 'tool_call',
  id,
  name,
  input,
});

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
  /** What the run is asked; default: `the task`. */
  readonly input?: string;
  readonly script: Script;
  readonly skills?: readonly LinkedSkill[];
  readonly limits?: Partial<Limits>;
  readonly env?: Readonly<Record<string, string | number>>;
  readonly executor?: Executor;
  readonly decide?: () => Promise<Decision>;
  readonly timeoutMs?: number | null;
  readonly faults?: FaultPoints;
  readonly humanScopes?: readonly string[];
  /** Who may sign; default: nobody, so no gate can be enforced. */
  readonly roles?: RoleDirectory;
  readonly mask?: (value: Json) => Json;
  readonly attachments?: readonly AttachmentRef[];
  readonly clock?: Clock;
  /** Of the store's machine; default: the same one. */
  readonly storeClock?: Clock;
  readonly leaseMs?: number;
  readonly recover?: Job['recover'];
  /** Who claims the run first; another machine, say. */
  readonly host?: WorkerHost;
  /** Stands between the run and its store: a recorder, a delay. */
  readonly wrap?: (stores: Stores) => Stores;
  /** Other parts of the outside than the scripted ones: a real provider, a failing one. */
  readonly facilities?: (base: RunFacilities) => Partial<RunFacilities>;
  readonly snapshot?: Partial<RunSnapshot>;
  /** Takes what the run logs for its operator. */
  readonly log?: { readonly warn: (text: string) => void };
}

export interface World {
  readonly dir: string;
  readonly stores: Stores;
  readonly job: Job;
  run(options?: RunJobOptions): Promise<RunJobResult>;
  readonly snapshot: RunSnapshot;
  readonly facilities: RunFacilities;
  /**
   * Executes a claim of the run: the first one, or one that `resume` or a sweep and a claim gave.
   */
  runClaim(job: Job, options?: RunJobOptions): Promise<RunJobResult>;
  /** Makes a stopped run runnable and claims it, as `kit run --resume` does. */
  resume(): Promise<Job>;
  /** Claims the run if it is waiting, as another worker of this machine. */
  claim(): Promise<Job>;
  requestStop(): Promise<void>;
  /** Runs the recorded journal with effects forbidden: the same outcome, and not one new write. */
  replay(): Promise<RunOutcome>;
  events(): Promise<readonly StoredEvent[]>;
  row(): Promise<Job>;
  close(): Promise<void>;
}

/** A run with a real store, real processes and worktrees; only the model is a script. */
export async function openWorld(options: WorldOptions): Promise<World> {
  const dir = await mkdtemp(join(tmpdir(), 'kit-run-world-'));
  const clock = options.clock ?? createClock();
  const here = readWorkerHost();
  const host = options.host ?? here;
  const ids = createIds(here);
  const leaseMs = options.leaseMs ?? 60_000;
  const stores = await openSqliteStores({
    stateDir: join(dir, '.kit'),
    clock: options.storeClock ?? clock,
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
    payload: {
      trigger_source: 'cli',
      topology: 'test',
      version: '1.0.0',
      input_sha256: '',
      submitted_by: 'tester',
      assurance: 'asserted',
    },
  } as const;
  const claim = {
    workerId: ids.workerId(),
    leaseMs,
    jobClass: 'any',
    engine: ENGINE,
    offers: { plugins: {}, adapters: {} },
    limit: 1,
    host,
  } as const;
  const job = await stores.jobs.insert(
    {
      id: jobId,
      topology: 'test',
      version: '1.0.0',
      input: options.input ?? 'the task',
      correlationId: null,
      labels: {},
      parentJobId: null,
      callerJobId: null,
      source: 'cli',
      submittedBy: { identity: 'tester', assurance: 'asserted' },
      jobClass: 'model',
      priority: 0,
      engine: ENGINE,
      needs: { plugins: {}, adapters: {} },
      snapshot: digest,
      recover: options.recover ?? 'manual',
      timeoutMs: options.timeoutMs ?? null,
      attachments: [...(options.attachments ?? [])],
      traceParent: null,
    },
    'pending',
    [event],
    claim,
  );
  const base = await facilitiesOf(options, dir);
  const facilities: RunFacilities = { ...base, ...options.facilities?.(base) };
  const events = () => stores.events.readRun(jobId, 0, 1000);
  const wrapped = options.wrap === undefined ? stores : options.wrap(stores);
  const runClaim: World['runClaim'] = (claimed, runOptions) =>
    runJob(
      {
        stores: wrapped,
        clock,
        log: { ...silent, ...options.log },
        leaseMs,
        defer: setImmediate,
        openFigures: foldFigures,
        open: async () => facilities,
      },
      claimed,
      runOptions,
    );
  const entryEvent = <T extends 'run.resumed' | 'run.stopped'>(type: T, payload: EventPayloads[T]) =>
    ({ ...event, type, payload, eventId: ids.uuid(), timestamp: new Date(clock.now()).toISOString() }) as RunEvent;
  const nextClaim = () => ({ ...claim, host: here, workerId: ids.workerId(), jobId });
  return {
    dir,
    stores,
    job,
    snapshot,
    facilities,
    events,
    runClaim,
    run: (runOptions) => runClaim(job, runOptions),
    resume: () =>
      stores.jobs.resume(
        jobId,
        entryEvent('run.resumed', { requested_by: 'tester', from_status: 'stopped' }),
        nextClaim(),
      ),
    claim: async () => {
      const [claimed] = await stores.jobs.claim(nextClaim());
      if (claimed === undefined) throw new Error('the run is not waiting to be claimed');
      return claimed;
    },
    requestStop: async () => {
      const payload = { requested_by: 'tester', at: new Date(clock.now()).toISOString() };
      await stores.jobs.requestStop(jobId, 'tester', entryEvent('run.stopped', payload));
    },
    replay: () => replayRun({ stores, snapshot, facilities, job }),
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

function snapshotOf(options: WorldOptions): RunSnapshot {
  const env = Object.fromEntries(
    ENV_REGISTRY.flatMap((one) =>
      one.scope === 'run' && one.default !== null ? [[one.name, one.default as string | number]] : [],
    ),
  );
  const models: Record<string, RunSnapshot['models'][string]> = {};
  const visit = (node: AgentNode): void => {
    models[node.id] = { provider: 'fake', model: 'fake-1', toolProvider: 'fake', toolModel: 'fake-1' };
    node.children.forEach(visit);
  };
  visit(options.root);
  return {
    format: SNAPSHOT_FORMAT,
    ruleSet: RULE_SET,
    workspaceId: 'w',
    topology: { name: 'test', version: '1.0.0', root: options.root },
    skills: Object.fromEntries((options.skills ?? []).map((skill) => [skill.id, skill])),
    adapters: {},
    providers: { fake: { id: 'fake', contribution: 'test.fake', config: {} } },
    models,
    limits: { maxStepsPerAgent: null, maxStepsPerRun: 500, maxCostPerRunUsd: null, ...options.limits },
    env: { ...env, KIT_MODEL_RETRIES: 0, KIT_OUTAGE_PATIENCE_S: 0, ...options.env },
    humanScopes: [...(options.humanScopes ?? [])],
    governance: { provider: 'mock', config: {} },
    baseCommit: null,
    ...options.snapshot,
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
    strategy: async (name) => {
      throw new Error(`there is no strategy ${name} here`);
    },
    compressor: async (name) => {
      throw new Error(`there is no compressor ${name} here`);
    },
    humanScopes: [],
    roles: async () => options.roles ?? NO_ROLES,
    processes: createProcesses(),
    worktrees: createWorktrees({ env, owner: readWorkerHost() }),
    workspaceRoot: dir,
    childEnv: env,
    commandEnv: async () => ({}),
    toolServer: async () => {
      throw new Error('this world has no tool servers');
    },
    tierNow: () => null,
    closeServers: async () => {},
    validate: async (schema: JsonObject, value: Json) =>
      schemas.validate(schema, value).map(({ pointer, message }) => ({ pointer, message })),
    redactCall: async (_skill, shown) => shown,
    mask: <T extends Json>(value: T): T => (options.mask === undefined ? value : (options.mask(value) as T)),
    breach: (request) =>
      breachOf({ maxStepsPerAgent: null, maxStepsPerRun: 500, maxCostPerRunUsd: null, ...options.limits }, request),
    onText: () => {},
    dispose: async () => {},
  };
}

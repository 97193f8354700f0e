import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../domain/json.js';
import type { ExecutorContext, ExecutorEvent, ExecutorRequest, ExecutorResult } from '../../domain/ports/executor.js';
import type { ProcessSpec } from '../../domain/ports/system.js';
import { frozen, must, type Settled, settled, textOf } from './case.js';
import { conformanceOf, createIn, type Subject } from './common.js';
import { watchEffects } from './effects.js';
import { resultProblem } from './executor-result.js';
import { type Program, playProcess } from './scripted-process.js';
import { type ContractFixtures, createWorld, UNREACHABLE, type World } from './world.js';

/** What the suite asks of an executor, and what its program says. */
export interface ExecutorFixtures extends ContractFixtures {
  /** Default 'Say hello.' */
  readonly statement?: string;
  /** For an executor that is driven by adapters: the `spec` of one; default null. */
  readonly adapter?: JsonObject | null;
  /**
   * What a program prints that the executor starts, and how it exits. Default: nothing, exit code
   * 0. No program is started.
   */
  readonly program?: { readonly stdout?: readonly string[]; readonly exitCode?: number; readonly stderr?: string };
}

type Sub = Subject<'executors', ExecutorFixtures>;

interface Session {
  readonly world: World;
  readonly outcome: Settled<ExecutorResult>;
  readonly events: readonly ExecutorEvent[];
  readonly spawned: readonly ProcessSpec[];
  /** Event that was recorded, or the run that ended, while an event was not yet durable. */
  readonly early: string | null;
}

interface Staging {
  readonly program?: Program;
  /** What recording an event does; default: durable a moment later. */
  readonly record?: () => Promise<void>;
  /**
   * Stops the run before it begins, or once it has got somewhere (it asked the network, spoke,
   * started a program).
   */
  readonly stop?: 'before' | 'during';
}

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

const requestOf = (fixtures: ExecutorFixtures, sandboxRoot: string): ExecutorRequest => ({
  agentId: 'contract',
  statement: fixtures.statement ?? 'Say hello.',
  config: fixtures.config ?? {},
  adapter: fixtures.adapter ?? null,
  sandboxRoot,
  baseCommit: null,
  resumeToken: null,
  stepId: 'contract-step',
  budget: { maxCostUsd: null, maxTurns: null, maxWallClockMs: null, maxIdleMs: 600_000 },
});

const fixtureProgram = ({ program = {} }: ExecutorFixtures): Program => ({
  kind: 'says',
  lines: program.stdout ?? [],
  exitCode: program.exitCode ?? 0,
  stderr: program.stderr ?? '',
});

interface Stage {
  readonly context: ExecutorContext;
  readonly events: ExecutorEvent[];
  readonly spawned: ProcessSpec[];
  readonly inFlight: () => number;
  readonly early: () => string | null;
}

/** The context of one run, with everything that happens in it recorded. */
function stageOf(world: World, fixtures: ExecutorFixtures, staging: Staging, stop: AbortController): Stage {
  const events: ExecutorEvent[] = [];
  const spawned: ProcessSpec[] = [];
  let inFlight = 0;
  let early: string | null = null;
  const progress = (): void => void (staging.stop === 'during' && setImmediate(() => stop.abort()));
  world.asked.then(progress, progress);
  const record = staging.record ?? later;
  const context: ExecutorContext = {
    signal: stop.signal,
    log: world.context.log,
    clock: world.clock,
    env: { PATH: '/usr/bin:/bin' },
    spawn: (spec, own) => {
      spawned.push(spec);
      progress();
      return playProcess(
        staging.program ?? fixtureProgram(fixtures),
        spec,
        own === undefined ? [stop.signal] : [stop.signal, own],
      );
    },
    emit: async (event) => {
      if (inFlight > 0) early ??= `the event ${event.type} was given before the one before it was durable`;
      events.push(event);
      progress();
      inFlight++;
      await record().finally(() => inFlight--);
    },
  };
  return { context, events, spawned, inFlight: () => inFlight, early: () => early };
}

async function session(subject: Sub, staging: Staging = {}): Promise<Session> {
  const { fixtures } = subject;
  const world = createWorld(fixtures, UNREACHABLE);
  const executor = await createIn(subject, world);
  const sandboxRoot = await mkdtemp(join(tmpdir(), 'kit-contract-'));
  const stop = new AbortController();
  if (staging.stop === 'before') stop.abort();
  const stage = stageOf(world, fixtures, staging, stop);
  // Something that does nothing visible is stopped as well.
  const timer = staging.stop === 'during' ? setTimeout(() => stop.abort(), world.deadlineMs / 4) : undefined;
  try {
    const run = () => executor.run(frozen(requestOf(fixtures, sandboxRoot)), stage.context);
    const outcome = await settled(run, world.deadlineMs, 'run');
    const late = stage.inFlight() > 0 ? 'the run ended while an event was not durable yet' : null;
    return { world, outcome, events: stage.events, spawned: stage.spawned, early: stage.early() ?? late };
  } finally {
    clearTimeout(timer);
    stop.abort();
    await rm(sandboxRoot, { recursive: true, force: true });
  }
}

function resultIn({ outcome }: Session): ExecutorResult {
  must(
    outcome.how === 'value',
    `run threw ${outcome.how === 'error' ? textOf(outcome.error) : ''}; failures are results`,
  );
  const problem = resultProblem(outcome.value);
  must(problem === null, `run answered with ${problem}`);
  return outcome.value;
}

async function handsOnLostEvents(subject: Sub): Promise<string | null> {
  const lost = new Error('the event could not be recorded');
  const { outcome, events } = await session(subject, { record: () => Promise.reject(lost) });
  if (events.length === 0) return 'it recorded no event';
  must(events.length === 1, 'it went on after an event could not be recorded');
  must(
    outcome.how === 'error' && outcome.error === lost,
    'it ended in another way than with the error of the event that could not be recorded',
  );
  return null;
}

async function startsThroughContext(subject: Sub): Promise<string | null> {
  const watch = watchEffects();
  try {
    await session(subject);
    must(
      !watch.seen().includes('a process'),
      'it started a process past context.spawn: nobody would end it with the run',
    );
  } finally {
    watch.stop();
  }
  return null;
}

async function failsWithout(subject: Sub, program: Program, what: string): Promise<string | null> {
  const run = await session(subject, { program });
  if (run.spawned.length === 0) return 'it started no program';
  must(resultIn(run).status !== 'success', `it called it a success although ${what}`);
  return null;
}

async function hidesSecrets(subject: Sub): Promise<string | null> {
  const { world, outcome, events, spawned } = await session(subject);
  const result = outcome.how === 'value' ? outcome.value : outcome.error;
  world.mustHideSecrets({
    'its result': result,
    'an event': events,
    'a command line': spawned.map(({ argv }) => argv),
  });
  return null;
}

async function endsWhenStopped(subject: Sub, stop: 'before' | 'during'): Promise<string | null> {
  const run = await session(subject, { stop, program: { kind: 'hangs' } });
  if (run.spawned.length === 0 || run.outcome.how === 'error') return null;
  must(run.outcome.value.status !== 'success', 'it called it a success although its program was ended');
  return null;
}

/** The contract of `executors`: what a run relies on. Cases run one after the other. */
export const executorConformance = conformanceOf<'executors', ExecutorFixtures>('executors', {
  'answers with a result of the known shape': async (subject) => {
    resultIn(await session(subject));
    return null;
  },
  'waits until each event is durable before it goes on': async (subject) => {
    const { early, events } = await session(subject);
    must(early === null, early ?? '');
    return events.length === 0 ? 'it recorded no event' : null;
  },
  'ends with the error when an event cannot be recorded': handsOnLostEvents,
  'ends soon when the run was stopped before it began': (subject) => endsWhenStopped(subject, 'before'),
  'ends soon when the run is stopped': (subject) => endsWhenStopped(subject, 'during'),
  'starts processes through its context alone': startsThroughContext,
  'answers with a failure when its program cannot be started': (subject) =>
    failsWithout(subject, { kind: 'missing' }, 'its program could not be started'),
  'answers with a failure when kit ended its program': (subject) =>
    failsWithout(subject, { kind: 'timed_out' }, 'kit ended its program'),
  'shows no secret in its result, its events, its log or a command line': hidesSecrets,
});

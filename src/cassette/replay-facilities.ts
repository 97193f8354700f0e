import type { Json } from '../domain/json.js';
import type { ExecutorEvent, ExecutorResult } from '../domain/ports/executor.js';
import type { MemoryHit, MemoryWritten } from '../domain/ports/memory.js';
import type { ModelProvider, ModelResult } from '../domain/ports/model.js';
import type { ProcessResult, SupervisedProcess } from '../domain/ports/system.js';
import type { Worktree } from '../domain/ports/worktrees.js';
import type { ProviderBinding } from '../domain/snapshot.js';
import { textOf, usesCache } from '../engine/model-ends.js';
import { StepFailure } from '../engine/step-failure.js';
import { onAbort } from '../lib/on-abort.js';
import type { RunFacilities } from '../worker/facilities.js';
import { type AnswerBook, REPLAY_MISS } from './answer-book.js';
import { replayEmbeddings } from './embeddings.js';
import type { AnswerKind, CassetteHeader } from './format.js';
import type { RecordedCommand } from './record-command.js';
import type { RecordedDiff, RecordedHarness, RecordedWorktree } from './record-harness.js';
import type { RecordedMemory } from './record-memory.js';
import type { RecordedModel } from './record-model.js';
import { decodeError } from './recorded-error.js';
import type { ReplayScheduler } from './replay-scheduler.js';
import { replayTools, type Take } from './replay-tools.js';
import {
  askedOfCommand,
  askedOfHarness,
  askedOfModel,
  askedOfRecall,
  askedOfRemember,
  askedOfWorktree,
} from './requests.js';
import { isCut, type RecordedRequest } from './write-cassette.js';

/** The first format that holds what was remembered. */
const WITH_MEMORY = 2;

/**
 * Memory as it was when the run was recorded: nothing of it is read or written now. A file of the
 * first format holds none, and the run that is in it knew none that mattered: had it been shown
 * something, its requests would hold that, and the first of them would not be found.
 */
function replayMemory(
  take: Take,
  header: CassetteHeader,
): Required<Pick<RunFacilities, 'aroundMemory'>>['aroundMemory'] {
  const isHeld = header.format >= WITH_MEMORY;
  return (own) => ({
    // What is one's own comes first where the scope says so: one's own is the one's who recorded
    // it.
    owner: header.owner ?? own.owner,
    find: async (reader, ask, key) => {
      if (!isHeld) return [];
      const { gave } = await take<RecordedMemory>({ kind: 'recall', key, n: 0, asked: askedOfRecall([reader, ask]) });
      return gave as unknown as readonly MemoryHit[];
    },
    write: async (write, key) => {
      if (!isHeld) return [];
      const { gave } = await take<RecordedMemory>({ kind: 'remember', key, n: 0, asked: askedOfRemember([write]) });
      return gave as unknown as readonly MemoryWritten[];
    },
  });
}

/** Where a replay takes its answers, and when. */
export interface Answers {
  readonly book: AnswerBook;
  readonly scheduler: ReplayScheduler;
  /** First line of the cassette. */
  readonly header: CassetteHeader;
}

/** A session commits each of its events before the next. */
const OF_SESSIONS: ReadonlySet<AnswerKind> = new Set(['worktree', 'harness', 'diff']);

/**
 * The outside of a run, answered from a cassette: no provider, process, worktree or credential is
 * touched, and nobody waits between two attempts of a call.
 */
export function replayFacilities(real: RunFacilities, { book, scheduler, header }: Answers): RunFacilities {
  const { mask, workspaceRoot } = real;
  const take: Take = async <T>(asked: RecordedRequest, signal?: AbortSignal): Promise<T> => {
    await scheduler.enter({ order: book.orderOf(asked), isAlone: OF_SESSIONS.has(asked.kind) });
    // The run ended while this waited: nobody takes the answer, and a request that was cut off was
    // not recorded either.
    signal?.throwIfAborted();
    const gave = book.take({ ...asked, asked: mask(asked.asked) });
    return isCut(gave) && signal !== undefined ? endOf(signal) : (gave as T);
  };
  const refuseAs = async (asked: RecordedRequest): Promise<void> => {
    if (book.holds(asked.kind, asked.key)) throw decodeError(await take<Json>(asked));
  };
  return {
    ...real,
    pause: async () => undefined,
    provider: async (binding, key) => {
      await refuseAs({ kind: 'provider', key, n: 0, asked: { provider: binding.id } });
      return replayProvider(take, { binding, key });
    },
    executor: async (kind, _config, key) => ({
      run: async (request, context) => {
        const recorded = await take<RecordedHarness>(
          { kind: 'harness', key, n: 0, asked: askedOfHarness(kind, request) },
          context.signal,
        );
        for (const event of recorded.events) await context.emit(event as unknown as ExecutorEvent);
        return recorded.result as unknown as ExecutorResult;
      },
    }),
    processes: {
      spawn: (spec, _lease, signal) => {
        const { stepKey: key } = spec;
        if (key === undefined)
          throw new StepFailure(REPLAY_MISS, 'a replay starts no process, and this one answers no step of its own');
        return replayProcess(
          take<RecordedCommand>({ kind: 'command', key, n: 0, asked: askedOfCommand(spec, workspaceRoot) }, signal),
        );
      },
    },
    commandEnv: async (command, key) => {
      await refuseAs({ kind: 'command-env', key, n: 0, asked: { command: command.id } });
      return {};
    },
    toolServer: replayTools(take),
    closeServers: async () => undefined,
    aroundMemory: replayMemory(take, header),
    remoteAgents: { card: callsNobody, send: callsNobody, get: callsNobody, cancel: callsNobody },
    worktrees: {
      create: async (request) => {
        const { stepKey: key = '' } = request;
        const recorded = await take<RecordedWorktree>({ kind: 'worktree', key, n: 0, asked: askedOfWorktree(request) });
        if ('error' in recorded) throw decodeError(recorded.error);
        return replayWorktree(take, { key, baseCommit: recorded.base_commit, notIncluded: recorded.not_included });
      },
      reopen: async () => null,
    },
  };
}

/** What was cut off comes to no answer: the same limit cuts it off again. */
const endOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    onAbort(signal, () => reject(signal.reason));
  });

/** Streamed pieces are not kept: a view gets the text of an answer at once. */
function replayProvider(
  take: Take,
  { binding, key }: { readonly binding: ProviderBinding; readonly key: string },
): ModelProvider {
  let attempts = 0;
  let price: number | null = null;
  let uncached: number | null | undefined;
  let window: number | null = null;
  return {
    contextWindow: () => window,
    price: (_model, usage) => (uncached === undefined || usesCache(usage) ? price : uncached),
    schemaBesideTools: true,
    documents: true,
    embed: replayEmbeddings(take, { binding, key, onPrice: (taken) => (price = taken) }),
    generate: async (request, options): Promise<ModelResult> => {
      const recorded = await take<RecordedModel>(
        { kind: 'model', key, n: attempts, asked: askedOfModel(binding.id, request) },
        options.signal,
      );
      attempts += 1;
      price = recorded.price;
      uncached = recorded.uncached;
      window = recorded.window ?? null;
      const result = recorded.result as unknown as ModelResult;
      const text = result.ok ? textOf(result.response.parts) : '';
      if (text !== '') options.onText?.(text);
      return result;
    },
  };
}

function replayProcess(answer: Promise<RecordedCommand>): SupervisedProcess {
  const lines = async function* (): AsyncGenerator<string> {
    const recorded = await answer;
    if ('lines' in recorded) yield* recorded.lines;
  };
  const done = answer.then((recorded) => {
    if ('error' in recorded) throw decodeError(recorded.error);
    return recorded.result as unknown as ProcessResult;
  });
  // The caller reads the lines first, and may never come to `done`.
  done.catch(() => undefined);
  return { lines: lines(), done };
}

/** Nothing lies on the disk: what a session left is its recorded diff. */
function replayWorktree(
  take: Take,
  of: Pick<Worktree, 'baseCommit' | 'notIncluded'> & { readonly key: string },
): Worktree {
  const { key, baseCommit, notIncluded } = of;
  return {
    path: `replay:${key}`,
    baseCommit,
    notIncluded,
    diff: async () => {
      const recorded = await take<RecordedDiff>({ kind: 'diff', key, n: 0, asked: {} });
      if ('error' in recorded) throw decodeError(recorded.error);
      return recorded.diff;
    },
    remove: async () => undefined,
  };
}

async function callsNobody(): Promise<never> {
  throw new StepFailure(REPLAY_MISS, 'a replay calls no agent that runs elsewhere');
}

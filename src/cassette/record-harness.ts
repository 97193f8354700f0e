import type { Json } from '../domain/json.js';
import type { Executor, ExecutorContext, ExecutorEvent, ExecutorResult } from '../domain/ports/executor.js';
import type { Worktree, Worktrees } from '../domain/ports/worktrees.js';
import { readExecutorResult, threwResult } from '../engine/executor-result.js';
import { isLeaseOver } from '../engine/lease-over.js';
import { Unfinished } from '../engine/unfinished.js';
import type { RunFacilities } from '../worker/facilities.js';
import { askedOfHarness, askedOfWorktree } from './requests.js';
import type { CassetteWriter } from './write-cassette.js';

/** What a session is in the file: its events in order, and how it ended. */
export type RecordedHarness = { readonly events: readonly Json[]; readonly result: Json };

/** A worktree: what the run tells of it, or why there was none. */
export type RecordedWorktree =
  | { readonly base_commit: string; readonly not_included: readonly string[] }
  | { readonly error: Json };

export type RecordedDiff = { readonly diff: string } | { readonly error: Json };

/**
 * Every session: the worktree that it was given, what it said and came to, and the diff that it
 * left.
 */
export function recordHarnesses(
  real: RunFacilities,
  writer: CassetteWriter,
): Pick<RunFacilities, 'executor' | 'worktrees'> {
  return {
    executor: async (kind, config, key): Promise<Executor> => ({
      run: async (request, context) => {
        const watched = watch(context, real.mask);
        const result = await runReal(() => real.executor(kind, config, key), { request, context: watched.context });
        if (context.signal.aborted || watched.isLeaseOver()) return result;
        const gave: RecordedHarness = {
          events: watched.events as unknown as readonly Json[],
          result: result as unknown as Json,
        };
        return writer.keep({ kind: 'harness', key, n: 0, asked: askedOfHarness(kind, request) }, gave)
          .result as unknown as ExecutorResult;
      },
    }),
    worktrees: recordWorktrees(real, writer),
  };
}

type Run = Parameters<Executor['run']>;

/** An executor that throws, or cannot be opened, has failed: as the engine says it. */
async function runReal(
  open: () => Promise<Executor>,
  of: { readonly request: Run[0]; readonly context: Run[1] },
): Promise<ExecutorResult> {
  try {
    const executor = await open();
    return readExecutorResult(await executor.run(of.request, of.context));
  } catch (error) {
    if (error instanceof Unfinished) throw error;
    return threwResult(error);
  }
}

/**
 * The context with its events copied, and an eye on processes that end because nobody renewed the
 * lease.
 */
function watch(context: ExecutorContext, mask: RunFacilities['mask']) {
  const events: ExecutorEvent[] = [];
  let isOver = false;
  const watched: ExecutorContext = {
    ...context,
    spawn: (spec, stop) => {
      const child = context.spawn(spec, stop);
      child.done.then(
        (result) => {
          isOver ||= isLeaseOver(context, result, stop);
        },
        () => undefined,
      );
      return child;
    },
    emit: async (event) => {
      const masked = mask(event);
      await context.emit(masked);
      events.push(masked);
    },
  };
  return { context: watched, events, isLeaseOver: () => isOver };
}

function recordWorktrees(real: RunFacilities, writer: CassetteWriter): Worktrees {
  const keys = new Map<string, string>();
  const watched = (worktree: Worktree): Worktree => {
    const key = keys.get(worktree.path);
    return key === undefined ? worktree : { ...worktree, diff: (of) => recordDiff(worktree, { writer, key, of }) };
  };
  return {
    create: async (request) => {
      const { stepKey: key } = request;
      if (key === undefined) return real.worktrees.create(request);
      const asked = { kind: 'worktree', key, n: 0, asked: askedOfWorktree(request) } as const;
      const worktree = await real.worktrees.create(request).catch(writer.keepThrown(asked));
      keys.set(worktree.path, key);
      writer.keep<RecordedWorktree>(asked, { base_commit: worktree.baseCommit, not_included: worktree.notIncluded });
      return watched(worktree);
    },
    reopen: async (path, baseCommit) => {
      const worktree = await real.worktrees.reopen(path, baseCommit);
      return worktree === null ? null : watched(worktree);
    },
  };
}

interface DiffTaping {
  readonly writer: CassetteWriter;
  readonly key: string;
  readonly of: Parameters<Worktree['diff']>[0];
}

async function recordDiff(worktree: Worktree, { writer, key, of }: DiffTaping): Promise<string> {
  const asked = { kind: 'diff', key, n: 0, asked: {} } as const;
  const diff = await worktree.diff(of).catch(writer.keepThrown(asked));
  const kept = writer.keep<RecordedDiff>(asked, { diff });
  return 'diff' in kept ? kept.diff : diff;
}

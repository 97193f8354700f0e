import type { Json } from '../../domain/json.js';
import type { ExecutorEvent, ExecutorResult } from '../../domain/ports/executor.js';
import type { ModelProvider, ModelResult } from '../../domain/ports/model.js';
import type { ProcessResult, Worktree } from '../../domain/ports/system.js';
import { textOf } from '../../engine/model-call.js';
import { StepFailure } from '../../engine/step-failure.js';
import type { RunFacilities } from '../../worker/facilities.js';
import { type AnswerBook, REPLAY_MISS } from './answer-book.js';
import type { RecordedCommand } from './record-command.js';
import type { RecordedDiff, RecordedHarness, RecordedWorktree } from './record-harness.js';
import type { RecordedModel } from './record-model.js';
import { decodeError } from './recorded-error.js';
import { askedOfCommand, askedOfHarness, askedOfModel, askedOfWorktree } from './requests.js';

/**
 * The outside of a run, answered from a cassette: no provider, process, worktree or credential is touched, and nobody waits between
 * two attempts. What `AnswerBook.take` gives was written by the recorder of the same kind: the casts below rely on that, and the
 * engine checks answers of models and executors as it checks live ones.
 */
export function replayFacilities(real: RunFacilities, book: AnswerBook): RunFacilities {
  const { mask, workspaceRoot } = real;
  return {
    ...real,
    pause: async () => undefined,
    provider: async (binding, key) => {
      refuseAs(book.refusal('provider', key));
      return replayProvider(book, (request, n) => ({ kind: 'model', key, n, asked: mask(askedOfModel(binding.id, request)) }));
    },
    executor: async (kind, _config, key) => ({
      run: async (request, context) => {
        const recorded = book.take({ kind: 'harness', key, n: 0, asked: mask(askedOfHarness(kind, request)) }) as unknown as RecordedHarness;
        for (const event of recorded.events) await context.emit(event as unknown as ExecutorEvent);
        return recorded.result as unknown as ExecutorResult;
      },
    }),
    processes: {
      spawn: (spec) => {
        const { stepKey: key } = spec;
        if (key === undefined) throw new StepFailure(REPLAY_MISS, 'a replay starts no process, and this one answers no step of its own');
        return replayProcess(
          book.take({ kind: 'command', key, n: 0, asked: mask(askedOfCommand(spec, workspaceRoot)) }) as unknown as RecordedCommand,
        );
      },
    },
    commandEnv: async (_command, key) => {
      refuseAs(book.refusal('command-env', key));
      return {};
    },
    worktrees: {
      create: async (request) => {
        const { stepKey: key = '' } = request;
        const recorded = book.take({ kind: 'worktree', key, n: 0, asked: mask(askedOfWorktree(request)) }) as unknown as RecordedWorktree;
        if ('error' in recorded) throw decodeError(recorded.error);
        return replayWorktree(book, { key, baseCommit: recorded.base_commit, notIncluded: recorded.not_included });
      },
      reopen: async () => null,
    },
  };
}

function refuseAs(recorded: Json | null): void {
  if (recorded !== null) throw decodeError(recorded);
}

type AskOf = (request: Parameters<ModelProvider['generate']>[0], n: number) => Parameters<AnswerBook['take']>[0];

/** Streamed pieces are not kept: a view gets the text of an answer at once. */
function replayProvider(book: AnswerBook, askOf: AskOf): ModelProvider {
  let attempts = 0;
  let price: number | null = null;
  return {
    price: () => price,
    generate: async (request, options): Promise<ModelResult> => {
      const recorded = book.take(askOf(request, attempts)) as unknown as RecordedModel;
      attempts += 1;
      price = recorded.price;
      const result = recorded.result as unknown as ModelResult;
      const text = result.ok ? textOf(result.response.parts) : '';
      if (text !== '') options.onText?.(text);
      return result;
    },
  };
}

function replayProcess(recorded: RecordedCommand) {
  const lines = async function* (): AsyncGenerator<string> {
    if ('lines' in recorded) yield* recorded.lines;
  };
  const done: Promise<ProcessResult> =
    'result' in recorded ? Promise.resolve(recorded.result as unknown as ProcessResult) : Promise.reject(decodeError(recorded.error));
  done.catch(() => undefined);
  return { lines: lines(), done };
}

/** Nothing lies on the disk: what a session left is its recorded diff. */
function replayWorktree(book: AnswerBook, of: Pick<Worktree, 'baseCommit' | 'notIncluded'> & { readonly key: string }): Worktree {
  const { key, baseCommit, notIncluded } = of;
  return {
    path: `replay:${key}`,
    baseCommit,
    notIncluded,
    diff: async () => {
      const recorded = book.take({ kind: 'diff', key, n: 0, asked: {} }) as unknown as RecordedDiff;
      if ('error' in recorded) throw decodeError(recorded.error);
      return recorded.diff;
    },
    remove: async () => undefined,
  };
}

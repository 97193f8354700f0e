import type { ProcessResult, ProcessSpec, SupervisedProcess } from '../../domain/ports/system.js';

/** A program that the suite plays. */
export type Program =
  | { readonly kind: 'says'; readonly lines: readonly string[]; readonly exitCode: number; readonly stderr: string }
  /** Never ends by itself. */
  | { readonly kind: 'hangs' }
  | { readonly kind: 'missing' }
  /** kit ended it for its wall clock before it said anything. */
  | { readonly kind: 'timed_out' };

const ended = (result: Partial<ProcessResult>): ProcessResult => ({
  exitCode: null,
  signal: null,
  ended: null,
  stderrTail: '',
  durationMs: 1,
  ...result,
});

async function* linesOf(lines: Promise<readonly string[]> | readonly string[]): AsyncGenerator<string> {
  yield* await lines;
}

function hanging(stops: readonly AbortSignal[]): SupervisedProcess {
  const stopped = new Promise<void>((resolve) => {
    const signal = AbortSignal.any([...stops]);
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  return {
    lines: linesOf(stopped.then(() => [])),
    done: stopped.then(() => ended({ signal: 'SIGTERM', ended: 'aborted' })),
  };
}

function missing(spec: ProcessSpec): SupervisedProcess {
  const done = Promise.reject<ProcessResult>(
    new Error(`cannot start ${spec.argv[0]}: no such program`, { cause: { code: 'ENOENT' } }),
  );
  done.catch(() => {});
  return { lines: linesOf([]), done };
}

/** What `ExecutorContext.spawn` gives for a program, as the supervisor of a run would. */
export function playProcess(program: Program, spec: ProcessSpec, stops: readonly AbortSignal[]): SupervisedProcess {
  switch (program.kind) {
    case 'hangs':
      return hanging(stops);
    case 'missing':
      return missing(spec);
    case 'timed_out':
      return { lines: linesOf([]), done: Promise.resolve(ended({ signal: 'SIGTERM', ended: 'timeout' })) };
    case 'says':
      return {
        lines: linesOf(program.lines),
        done: Promise.resolve(ended({ exitCode: program.exitCode, stderrTail: program.stderr })),
      };
  }
}

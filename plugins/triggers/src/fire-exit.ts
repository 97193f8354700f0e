import type { ExitCode, JobStatus } from '@kit-run/kit/command';

/**
 * What became of one target that was started, or refused, in the foreground. `taken`: the listener
 * of a server has the event.
 */
export type Outcome =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly exit: ExitCode }
  | {
      readonly kind: 'ran';
      readonly status: JobStatus;
      /** Somebody at this process asked for a stop. */
      readonly wasAsked: boolean;
      readonly wasAborted: boolean;
    };

/**
 * Nothing is shown after it, and nothing started: whoever pressed Ctrl-C means all of them. At a
 * server somebody else may have stopped one run, which says nothing of the others.
 */
export const endsAll = (outcome: Outcome, isHere: boolean): boolean =>
  outcome.kind === 'ran' && (isHere ? outcome.wasAborted || outcome.status === 'stopped' : outcome.wasAsked);

function exitOfOne(outcome: Outcome): ExitCode {
  if (outcome.kind === 'taken') return 0;
  if (outcome.kind === 'refused') return outcome.exit;
  if (outcome.wasAborted) return 130;
  switch (outcome.status) {
    case 'completed':
      return 0;
    case 'deferred':
      return 3;
    case 'stopped':
      return 4;
    case 'failed':
    case 'pending':
    case 'queued':
    case 'running':
      return 1;
  }
}

/**
 * Gravest first: a person cut it off, a run failed, one was refused, one was stopped, one waits for
 * people.
 */
const GRAVEST: readonly ExitCode[] = [130, 1, 2, 4, 3];

/** One exit code of several runs: that of the gravest outcome. */
export const exitOfAll = (outcomes: readonly Outcome[]): ExitCode => {
  const codes = new Set(outcomes.map(exitOfOne));
  return GRAVEST.find((code) => codes.has(code)) ?? 0;
};

import type { StoredEvent } from '../../domain/events.js';
import type { ReviewItem } from '../../domain/gates.js';
import type { Job } from '../../domain/job.js';
import type { GateDetails } from '../gate-details.js';

/** What a situation is read from: the row, the log and the reviews of a run, and nothing else. */
export interface SituationFacts {
  readonly job: Job;
  /** Gates that wait. */
  readonly gates: readonly GateDetails[];
  /** Items that wait and are not role tasks. */
  readonly items: readonly ReviewItem[];
  /** People to whom the first of `items` is left; [] = nobody in particular. */
  readonly approvers: readonly string[];
  /** Names of the person who looks, the one that they use first; [] = nobody is known to look. */
  readonly readers: readonly string[];
  /** Whether something of the run still waits for a decision. */
  readonly isWaiting: boolean;
  /** Decided gates wake the run by themselves. */
  readonly autoResume: boolean;
  /** The newest run that was submitted in its place; null = none is known. */
  readonly successor: Job | null;
  /** What of the log bears on it: see `bearsOn`. In order. */
  readonly events: readonly StoredEvent[];
}

/**
 * Who can change the situation. `names` are identities, roles or processes; [] = anybody of that
 * kind.
 */
export interface Actor {
  readonly kind: 'person' | 'submitter' | 'operator' | 'author' | 'process' | 'nobody';
  readonly names: readonly string[];
}

/** Where a run stands, as data: which cause, who can act, and what to type. */
export interface Situation {
  /** Stable: `<where it stands>.<cause>`. */
  readonly code: string;
  /** One sentence. */
  readonly cause: string;
  readonly actors: readonly Actor[];
  /** Words of the next command, without the workspace. */
  readonly command: readonly string[];
  /** The one thing that must come before the command helps; null = nothing. */
  readonly fact: string | null;
}

export const resumeOf = (job: Job): readonly string[] => ['kit', 'run', `--resume=${job.id}`];
export const logsOf = (job: Job): readonly string[] => ['kit', 'logs', '--run-id', job.id];
export const followOf = (job: Job): readonly string[] => [...logsOf(job), '--follow'];

/** Longer inputs are not words of a command line. */
const MAX_INPUT_CHARS = 2000;

/**
 * What moves a cursor or turns the reading direction has no place in a command to paste; nor has a
 * second line.
 */
const isPlain = (text: string): boolean => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text);

/**
 * The same work again, tied to this run. An input that is long, has several lines or reads like a
 * flag is asked for on stdin.
 */
export function againOf(job: Job): readonly string[] {
  const asked = askedBy(job);
  if (asked !== null) return asked;
  const attachments = job.attachments.flatMap(({ sourcePath }) =>
    sourcePath === null ? [] : ['--attach', sourcePath],
  );
  const input =
    job.input.length > MAX_INPUT_CHARS || job.input.startsWith('-') || !isPlain(job.input) ? '-' : job.input;
  return ['kit', 'run', job.topology, '--supersedes', job.id, ...attachments, '--input', input];
}

/**
 * Whoever submitted it waits for this run, and for no other: no turn of a conversation, and nothing
 * that a command of its own asked for.
 */
export const isOwnWork = (job: Job): boolean => askedBy(job) === null && job.source !== 'chat';

/**
 * Runs that kit itself asks for are not work of their topology: they are asked for again by the
 * command that made them.
 */
function askedBy({ labels, input }: Job): readonly string[] | null {
  if (labels.eval_part === 'judge' && labels.eval_set !== undefined) return ['kit', 'eval', labels.eval_set];
  const [, question] = /^Question: (.+)\nEvidence/.exec(input) ?? [];
  return labels.kit_ask !== undefined && question !== undefined && isPlain(question) && !question.startsWith('-')
    ? ['kit', 'ask', question]
    : null;
}

export const submitter = (job: Job): Actor => ({ kind: 'submitter', names: [job.submittedBy.identity] });
export const OPERATOR: Actor = { kind: 'operator', names: [] };
export const AUTHOR: Actor = { kind: 'author', names: [] };

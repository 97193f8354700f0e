import type { KitError } from '../../domain/errors.js';
import type { StepRow } from '../../domain/journal.js';
import type { AgentTask } from '../../domain/ports/agent-transport.js';
import type { RemoteMessage } from '../../domain/ports/remote-agents.js';

/** What a call of a remote agent leaves in its row, under `notes.remote`. */
export type RemoteNote = {
  /** Whom it calls: for whoever ends the run and not the call. The credential is a name. */
  readonly agent: { readonly cardUrl: string; readonly skillId: string | null; readonly credentialsRef: string | null };
  /** Null: no task is known. */
  readonly task: string | null;
  /** The message is on its way; it may have arrived. */
  readonly isSending: boolean;
  /** The agent says that the same message is the same task. */
  readonly deduplicates: boolean;
  /** It bounds its run by what it is told. */
  readonly honorsBudget?: boolean;
  /** A task that is over without a word of usage has used nothing. */
  readonly returnsUsage?: boolean;
  /** What the message hands on, the same on each attempt: without it no message was made yet. */
  readonly budget?: RemoteMessage['budget'];
  /** Looks since something happened. */
  readonly looks: number;
  /** Milliseconds that the other side has worked, all in all. */
  readonly workedMs: number;
  /** Epoch milliseconds of the last look. */
  readonly at: number;
  readonly url?: string;
  /** The agent tells of its tasks in streams. */
  readonly streaming?: boolean;
  readonly version?: string;
  readonly name?: string;
  readonly state?: AgentTask['state'];
  readonly gateUrl?: string | null;
  readonly contextId?: string | null;
  /** What was reported of the wait, so that it is reported once. Steps hold it by this name. */
  readonly told?: string;
  /** How often the task was another one when its run came back for it. */
  readonly moves?: number;
  /** Epoch milliseconds of the last time. */
  readonly movedAt?: number;
  /** Questions of the agent that were answered. */
  readonly answered?: number;
  /** The answer to the next one is on its way; it may have arrived. */
  readonly isAnswering?: boolean;
};

/** The longest time between two looks at a task. */
export const MAX_LOOK_MS = 30_000;

/** How long until the next look, after so many in vain. */
export const lookMs = (looks: number): number => Math.min(MAX_LOOK_MS, 1000 * 2 ** Math.min(looks, 10));

/** So many moves of a task are taken up at once: work, people, work again, some rounds of it. */
const FREE_MOVES = 10;

/**
 * How long a task that has moved often is let be after its last move: an agent that says something
 * else at each look sets no pace here, and fills no log.
 */
export function restMs({ moves = 0, movedAt = 0 }: RemoteNote, nowMs: number): number {
  if (moves <= FREE_MOVES) return 0;
  const rest = lookMs(moves - FREE_MOVES);
  return Math.min(rest, Math.max(0, movedAt + rest - nowMs));
}

/** A run that waits for an agent looks at it itself at the latest then. */
const LATEST_LOOK_MS = 30 * 60_000;

/** How long a task is left to whoever watches it. */
export const watchedMs = (note: RemoteNote, timeoutMs: number): number =>
  note.state === 'input-required' ? LATEST_LOOK_MS : Math.min(LATEST_LOOK_MS, Math.max(1, timeoutMs - note.workedMs));

/** The other side is away, or busy, or does not know us now: that may pass. */
export const isPassing = ({ code, data }: KitError): boolean =>
  code === 'KIT_OUTBOUND_FAILED' ||
  (code === 'KIT_AGENT_REFUSED' && (data?.rpcCode === undefined || data.retryAfterSeconds !== undefined));

/** Null: nothing was sent, or tried. */
export function remoteNoteOf(notes: StepRow['notes']): RemoteNote | null {
  // Written by this module's neighbour alone.
  return (notes.remote as RemoteNote | undefined) ?? null;
}

/** Where its task lies. */
export const endpointOf = ({ url = '', version = '' }: RemoteNote) => ({ url, version });

import type { ExecutorOutcome, Json } from '@kit-run/kit/plugin';

export const RESULT_STATUSES = [
  'success',
  'failure',
  'budget_exceeded',
  'cancelled',
  'needs_approval',
  'stalled',
] as const;
export type ResultStatus = (typeof RESULT_STATUSES)[number];

/** `''` = still open, or unknown. */
export type CallStatus = 'ok' | 'error' | '';

/** Numbers of one usage report; a field that the harness did not give is null. */
export interface UsageReport {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly costUsd: number | null;
}

/**
 * What one line means in kit's words: the output of an adapter's rules, before it changes any
 * state.
 */
export type MappedEvent =
  | { readonly type: 'session'; readonly sessionId: string }
  /** Which program is at work, as far as its stream says. */
  | { readonly type: 'started'; readonly version: string | null; readonly model: string | null }
  /** `delta`: a piece of a message that goes on in the next piece. */
  | { readonly type: 'message'; readonly role: string; readonly text: string; readonly delta: boolean }
  /** `id` ties the end of a call to its start; without one the call is a fact by itself. */
  | {
      readonly type: 'tool_call';
      readonly id: string | null;
      readonly tool: string | null;
      readonly summary: string;
      readonly status: CallStatus;
    }
  /**
   * Reports add up, except that a later report with the same `key` takes the place of the earlier
   * one (running totals, repeated reports of one message), and that `replaces` takes back what
   * stands under that key.
   */
  | {
      readonly type: 'usage';
      readonly key: string | null;
      readonly replaces: string | null;
      readonly report: UsageReport;
      /** It is what the session has used in all its processes; absent: in this one. */
      readonly isSessionTotal?: boolean;
    }
  /** `id`: of the call that was refused or put off; null where the line does not say. */
  | {
      readonly type: 'approval';
      readonly id: string | null;
      readonly capability: string;
      readonly rationale: string;
    }
  | { readonly type: 'input'; readonly question: string }
  | {
      readonly type: 'result';
      readonly status: ResultStatus;
      readonly output: Json | null;
      readonly reason: string | null;
      readonly message: string | null;
      /** What came of the work: `passed`, `failed` or nothing, and in words. */
      readonly outcome: ExecutorOutcome | null;
      /** HTTP status with which the server of its model refused the last call; absent: not told. */
      readonly httpStatus?: number;
    }
  | { readonly type: 'raw'; readonly line: string };

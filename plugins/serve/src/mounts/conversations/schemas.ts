import { closed, SHARED, STRING } from '@kit-run/kit/wire';

export const ID_PARAM = closed({
  id: { type: 'string', minLength: 1, maxLength: 64, description: 'Id or unique prefix.' },
});
export const CREATE_BODY = {
  type: 'object',
  required: ['topology'],
  properties: {
    topology: { type: 'string', minLength: 1, maxLength: 256 },
    shared: { ...SHARED, default: false },
  },
} as const;
export const MESSAGE_BODY = {
  type: 'object',
  required: ['message'],
  properties: { message: { type: 'string', minLength: 1, maxLength: 100_000, pattern: '^[^\\u0000]*$' } },
} as const;
export const LIST_QUERY = {
  type: 'object',
  properties: { limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 } },
} as const;

/** Frames of a turn, one JSON object each. */
export const FRAME = {
  description: 'Server-sent events: `progress` lines, then one of `done`, `deferred` and `error`.',
  content: { 'text/event-stream': { schema: STRING } },
};

/** The frames, for readers of the code; the stream itself is text. */
export type TurnFrame =
  | {
      readonly type: 'progress';
      readonly seq: number;
      readonly timestamp: string;
      readonly event_type: string;
      readonly agent_id: string | null;
      readonly text: string;
    }
  | {
      readonly type: 'done';
      readonly job_id: string;
      readonly conversation_id: string;
      readonly turns: number;
      readonly output: string;
      readonly usage: unknown;
    }
  | {
      readonly type: 'deferred';
      readonly job_id: string;
      readonly gate_id: string;
      readonly waiting_on: readonly string[];
      readonly error: string;
    }
  | {
      readonly type: 'error';
      readonly job_id: string;
      readonly status: string;
      readonly reason: string | null;
      readonly error: string;
    };

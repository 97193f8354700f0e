import type { JsonObject } from '@kit-run/kit/plugin';
import { DEFAULTS } from './generated/defaults.js';

/** The configuration of the contribution; its schema has checked it. */
export interface SourceOptions {
  /** From the start of a server until it has answered `initialize` and its tools are listed. */
  readonly startTimeoutMs: number;
  /**
   * What a server gets that asks for input in the middle of a call. `decline`: the client does not
   * offer it, so that a well-made server does not ask; a run has nobody to ask, and an answer
   * nobody gave must not pass for consent.
   */
  readonly elicitation: (typeof ELICITATIONS)[number];
}

const ELICITATIONS = ['decline', 'defaults'] as const;

export const optionsOf = (config: JsonObject): SourceOptions => ({
  startTimeoutMs: typeof config.start_timeout_ms === 'number' ? config.start_timeout_ms : DEFAULTS.mcp.start_timeout_ms,
  elicitation: ELICITATIONS.find((one) => one === config.elicitation) ?? DEFAULTS.mcp.elicitation,
});

import type { ModelRequest, ModelResult } from '../../domain/ports/model.js';
import type { KeptPrompt } from '../../domain/ports/prompts.js';
import type { Log } from '../../domain/ports/system.js';

/** Who watches a run. Nothing in it depends on them. */
export interface RunObservers {
  readonly log: Log;
  /**
   * Told of each call of a model once it has an answer, for whoever looks for a fault; nothing
   * depends on it. Absent: nobody listens.
   */
  readonly onAsked?: (asked: AskedModel) => void;
  /** Streamed text for a live view; ephemeral. */
  readonly onText: (activation: string, text: string) => void;
}

/** One call of a model, as it was made and answered. Not masked. */
export interface AskedModel
  extends Pick<KeptPrompt, 'stepKey' | 'agentId' | 'skillId' | 'purpose' | 'provider' | 'tries' | 'durationMs'> {
  /** Milliseconds since 1970. */
  readonly askedAtMs: number;
  readonly request: ModelRequest;
  readonly result: ModelResult;
}

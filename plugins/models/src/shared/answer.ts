import type { JsonObject, MessagePart, ModelFailure, ModelResult, ModelUsage } from '@kit-run/kit/plugin';

/** What a provider without a model uses: nothing, at no cost. */
export const NO_USAGE: ModelUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  reasoningTokens: 0,
  costUsd: 0,
};

export interface AnswerExtras {
  readonly usage?: ModelUsage;
  readonly annotations?: JsonObject;
}

/** A successful answer; its finish reason follows from its parts. */
export function answer(model: string, parts: readonly MessagePart[], extras: AnswerExtras = {}): ModelResult {
  const finish = parts.some((part) => part.type === 'tool_call') ? 'tool_calls' : 'stop';
  return {
    ok: true,
    response: {
      parts,
      finish,
      usage: extras.usage ?? NO_USAGE,
      model,
      ...(extras.annotations === undefined ? {} : { annotations: extras.annotations }),
    },
  };
}

/** A call that failed before a server answered, as a value. */
export const failed = (kind: ModelFailure['kind'], message: string): ModelResult => ({
  ok: false,
  failure: { kind, message, status: null, retryAfterMs: null },
});

import { defineModelProvider } from '@kit-run/kit/plugin';

/**
 * @import { JsonObject, ModelCallOptions, ModelFailure, ModelRequest, ModelResult, ModelUsage,
 *   PluginContext } from '@kit-run/kit/plugin'
 */

/**
 * Failures are values; the message never holds a key, nor what a server says, which may repeat one.
 * @param {ModelFailure['kind']} kind
 * @param {string} message
 * @param {Partial<ModelFailure>} more
 * @returns {ModelResult}
 */
const failed = (kind, message, more = {}) => ({
  ok: false,
  failure: { kind, message, status: null, retryAfterMs: null, ...more },
});

/**
 * @param {Response} response
 * @returns {ModelResult}
 */
function refusal({ status, headers }) {
  const seconds = Number(headers.get('retry-after'));
  const facts = { status, retryAfterMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null };
  if (status === 401 || status === 403) return failed('auth', 'the server refused the key', facts);
  if (status === 429) return failed('rate_limited', 'the server has had too many requests', facts);
  return failed(status >= 500 ? 'server' : 'bad_request', `the server answered with status ${status}`, facts);
}

const count = (value) => (typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : 0);

/**
 * @param {any} answer
 * @param {string} model
 * @returns {ModelResult}
 */
function read(answer, model) {
  if (typeof answer?.text !== 'string') return failed('malformed', 'the server gave no text');
  /** @type {ModelUsage} */
  const usage = {
    inputTokens: count(answer.input_tokens),
    outputTokens: count(answer.output_tokens),
    cachedInputTokens: 0,
    reasoningTokens: 0,
    costUsd: null,
  };
  return { ok: true, response: { parts: [{ type: 'text', text: answer.text }], finish: 'stop', usage, model } };
}

/**
 * @param {JsonObject} config
 * @param {PluginContext} plugin
 */
function create(config, plugin) {
  const { base_url: base, api_key_env: variable } = config;

  /**
   * One call is one request: who tries again is kit.
   * @param {ModelRequest} request
   * @param {ModelCallOptions} options
   * @returns {Promise<ModelResult>}
   */
  async function generate(request, { signal: callSignal, stepId }) {
    if (request.tools.length > 0) return failed('bad_request', 'this server knows no tools');
    // Asked for each call: a key that was changed counts at once, and none is kept.
    const key = typeof variable === 'string' ? plugin.secrets.env(variable) : null;
    if (typeof variable === 'string' && key === null)
      return failed('auth', `the environment variable ${variable} is not set`);
    const signal = AbortSignal.any([callSignal, plugin.signal]);
    try {
      const response = await plugin.fetch(`${base}/generate`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': stepId,
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({
          model: request.model,
          messages: request.messages,
          schema: request.outputSchema,
          ...request.options,
        }),
        signal,
      });
      return response.ok ? read(await response.json(), request.model) : refusal(response);
    } catch (error) {
      if (signal.aborted) return failed('timeout', 'the call was stopped');
      return error instanceof SyntaxError
        ? failed('malformed', 'the server gave no JSON')
        : failed('network', 'the server cannot be reached');
    }
  }

  // USD for a usage; null = unknown. A run with a cost limit is then refused, instead of one that
  // nobody counts.
  return { generate, price: () => null };
}

/** Model provider `sample-name`. */
export const contribution = defineModelProvider({ create });

import { defineToolSource, KitError } from '@kit-run/kit/plugin';

/**
 * @import { JsonObject, PluginContext, ServerCall, ServerTool, ToolAnswer, ToolServer,
 *   ToolServerContext, ToolSource } from '@kit-run/kit/plugin'
 */

/**
 * A sentence about the server; never what it said, which may repeat a key.
 * @param {string} server
 * @param {string} sentence
 */
const serverFailed = (server, sentence) =>
  new KitError('KIT_TOOL_SERVER_FAILED', `the tool server ${server} ${sentence}`, { data: { server, stderr: [] } });

/**
 * `sent` says whether the server may have done it.
 * @param {string} server
 * @param {ServerCall} call
 * @param {string} reason
 * @param {boolean} sent
 */
const callFailed = (server, { tool }, reason, sent) =>
  new KitError('KIT_TOOL_CALL_FAILED', `the tool ${tool} of the server ${server} failed: ${reason}`, {
    data: { server, tool, reason, sent },
  });

/** @returns {ServerTool} */
const toolOf = ({ name, description = '', input = { type: 'object' } }) => ({
  name,
  description,
  inputSchema: input,
  outputSchema: null,
  hints: { readOnly: null, destructive: null, idempotent: null },
});

/** @param {PluginContext} plugin */
const sourceOf = (plugin) => ({
  /**
   * @param {Parameters<ToolSource['open']>[0]} server
   * @param {ToolServerContext} context
   * @returns {Promise<ToolServer>}
   */
  async open({ id, settings, bearer }, context) {
    /** Address and credentials are asked for with each request, and kept nowhere. */
    async function ask(message, signal) {
      const { endpoint, headers } = await settings();
      const token = await bearer();
      const sent = {
        'content-type': 'application/json',
        .../** @type {Record<string, string> | undefined} */ (headers),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      };
      const response = await plugin.fetch(String(endpoint), {
        method: 'POST',
        headers: sent,
        body: JSON.stringify(message),
        signal,
      });
      if (!response.ok) throw new Error(`status ${response.status}`);
      return await response.json();
    }

    async function tools() {
      try {
        return ((await ask({ do: 'list' }, context.signal)).tools ?? []).map(toolOf);
      } catch {
        throw serverFailed(id, context.signal.aborted ? 'was aborted: the run is over' : 'does not list its tools');
      }
    }

    /**
     * @param {ServerCall} call
     * @param {AbortSignal} signal
     * @returns {Promise<ToolAnswer>}
     */
    async function call(call, signal) {
      const over = new AbortController();
      const late = new AbortController();
      context.clock.sleep(call.timeoutMs, over.signal).then(
        () => late.abort(),
        () => undefined,
      );
      const stop = AbortSignal.any([signal, context.signal, late.signal]);
      if (stop.aborted) throw callFailed(id, call, 'aborted', false);
      const asked = ask({ do: 'call', tool: call.tool, input: call.input, step: call.stepId }, stop).catch(() => {
        throw callFailed(id, call, late.signal.aborted ? 'timeout' : stop.aborted ? 'aborted' : 'disconnected', true);
      });
      const { text, failed } = await asked.finally(() => over.abort());
      if (Buffer.byteLength(String(text)) > call.maxBytes) throw callFailed(id, call, 'too_large', true);
      return { parts: [{ type: 'text', text: String(text) }], structured: null, isError: failed === true };
    }

    await tools(); // a server that is not there is named when the run starts, not at the first call
    return { tools, call, close: async () => {} };
  },
});

/** Tool source `sample-name`. */
export const contribution = defineToolSource({ create: (_config, plugin) => sourceOf(plugin) });

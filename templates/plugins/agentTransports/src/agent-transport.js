import { defineAgentTransport, KitError } from '@kit-run/kit/plugin';

/** @import { AgentEndpoint, AgentMessage, AgentTask, AgentWorld, JsonObject } from '@kit-run/kit/plugin' */

const STATES = ['working', 'input-required', 'completed', 'failed', 'canceled'];

/**
 * One request, answered with an object. Nothing of what was sent or answered is repeated.
 * @param {AgentWorld} world
 * @param {string} url
 * @param {object | null} body null: it is read
 * @returns {Promise<JsonObject>}
 */
async function ask({ fetch, bearer, signal }, url, body) {
  const token = await bearer();
  const response = await fetch(url, {
    method: body === null ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === null ? {} : { body: JSON.stringify(body) }),
    signal,
  }).catch((error) => {
    throw error instanceof KitError ? error : new KitError('KIT_OUTBOUND_FAILED', 'the agent cannot be reached');
  });
  const text = await response.text();
  if (!response.ok) throw new KitError('KIT_AGENT_REFUSED', `the agent answered ${response.status}`);
  try {
    const answer = JSON.parse(text);
    if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) return answer;
  } catch {
    // told below
  }
  throw new KitError('KIT_AGENT_INVALID', 'the agent answered with no JSON object');
}

/**
 * @param {JsonObject} answer
 * @returns {AgentTask}
 */
function taskOf({ id, state, text, output, gate }) {
  if (typeof id !== 'string' || !STATES.includes(String(state)))
    throw new KitError('KIT_AGENT_INVALID', 'the agent answered with no task');
  return {
    id,
    contextId: null,
    state: /** @type {AgentTask['state']} */ (state),
    text: typeof text === 'string' ? text.slice(0, 2000) : null,
    output: output ?? null,
    gateUrl: typeof gate === 'string' ? gate : null,
    runId: null,
    usage: null,
  };
}

/** Agent transport `sample-name`: tasks as plain JSON below one address. */
export const contribution = defineAgentTransport({
  create: () => ({
    /**
     * @param {string} cardUrl
     * @param {AgentWorld} world
     */
    async card(cardUrl, world) {
      const { name, url } = await ask(world, cardUrl, null);
      if (typeof name !== 'string' || typeof url !== 'string')
        throw new KitError('KIT_AGENT_INVALID', 'the card names no agent, or no address');
      return {
        ...{ name, description: '', url, version: '1', skills: [], streaming: false },
        ...{ requiresBearer: false, honorsBudget: false, deduplicates: true },
      };
    },
    /**
     * @param {AgentEndpoint} to
     * @param {AgentMessage} message
     * @param {AgentWorld} world
     */
    async send({ url }, { messageId, skillId, input }, world) {
      return taskOf(await ask(world, `${url}/tasks`, { id: messageId, skill: skillId, input }));
    },
    /**
     * @param {AgentEndpoint} to
     * @param {string} taskId
     * @param {AgentWorld} world
     */
    async get({ url }, taskId, world) {
      return taskOf(await ask(world, `${url}/tasks/${encodeURIComponent(taskId)}`, null));
    },
    /**
     * @param {AgentEndpoint} to
     * @param {string} taskId
     * @param {AgentWorld} world
     */
    async cancel({ url }, taskId, world) {
      taskOf(await ask(world, `${url}/tasks/${encodeURIComponent(taskId)}/cancel`, {}));
    },
  }),
});

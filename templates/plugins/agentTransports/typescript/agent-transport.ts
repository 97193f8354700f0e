import type { AgentEndpoint, AgentMessage, AgentTask, AgentWorld, JsonObject } from '@kit-run/kit/plugin';
import { defineAgentTransport, KitError } from '@kit-run/kit/plugin';

const STATES = ['working', 'input-required', 'completed', 'failed', 'canceled'];

/**
 * One request, answered with an object. Nothing of what was sent or answered is repeated.
 * @param body null: it is read
 */
async function ask({ fetch, bearer, signal }: AgentWorld, url: string, body: object | null): Promise<JsonObject> {
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

function taskOf({ id, state, text, output, gate }: JsonObject): AgentTask {
  if (typeof id !== 'string' || !STATES.includes(String(state)))
    throw new KitError('KIT_AGENT_INVALID', 'the agent answered with no task');
  return {
    id,
    contextId: null,
    state: state as AgentTask['state'],
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
    async card(cardUrl: string, world: AgentWorld) {
      const { name, url } = await ask(world, cardUrl, null);
      if (typeof name !== 'string' || typeof url !== 'string')
        throw new KitError('KIT_AGENT_INVALID', 'the card names no agent, or no address');
      return {
        ...{ name, description: '', url, version: '1', skills: [], streaming: false },
        ...{ requiresBearer: false, honorsBudget: false, deduplicates: true },
      };
    },
    async send({ url }: AgentEndpoint, { messageId, skillId, input }: AgentMessage, world: AgentWorld) {
      return taskOf(await ask(world, `${url}/tasks`, { id: messageId, skill: skillId, input }));
    },
    async get({ url }: AgentEndpoint, taskId: string, world: AgentWorld) {
      return taskOf(await ask(world, `${url}/tasks/${encodeURIComponent(taskId)}`, null));
    },
    async cancel({ url }: AgentEndpoint, taskId: string, world: AgentWorld) {
      taskOf(await ask(world, `${url}/tasks/${encodeURIComponent(taskId)}/cancel`, {}));
    },
  }),
});

import { randomUUID } from 'node:crypto';
import {
  type AgentEndpoint,
  type AgentMessage,
  type AgentWorld,
  defineAgentTransport,
  isKitError,
  type JsonObject,
} from '@kit-run/kit/plugin';
import { callPeer, invalid, readObject } from './ask.js';
import { followTask } from './follow-task.js';
import { readCard } from './read-card.js';
import { readTask } from './read-task.js';

const METHODS = {
  '0.3': { send: 'message/send', get: 'tasks/get', follow: 'tasks/resubscribe', cancel: 'tasks/cancel' },
  '1.0': { send: 'SendMessage', get: 'GetTask', follow: 'SubscribeToTask', cancel: 'CancelTask' },
} as const;

const isVersion = (version: string): version is keyof typeof METHODS => Object.hasOwn(METHODS, version);

type Verb = keyof (typeof METHODS)['1.0'];

/** The name of a method in the version of the endpoint. */
function methodOf({ url, version }: AgentEndpoint, verb: Verb): string {
  if (!isVersion(version)) throw invalid(url, `uses version ${version.slice(0, 20)}, which is not supported here`);
  return METHODS[version][verb];
}

const call = (world: AgentWorld, to: AgentEndpoint, verb: Exclude<Verb, 'follow'>, params: JsonObject) =>
  callPeer(world, { url: to.url, version: to.version, method: methodOf(to, verb), params, id: randomUUID() });

function paramsOf(version: string, message: AgentMessage): JsonObject {
  const { messageId, contextId, taskId, skillId, input, budget, onBehalfOf, depth } = message;
  const isText = typeof input === 'string';
  const part: JsonObject = isText ? { text: input } : { data: input };
  const old = version === '0.3';
  const allowed = {
    ...(budget.usd === null ? {} : { max_cost_usd: budget.usd }),
    ...(budget.turns === null ? {} : { max_turns: budget.turns }),
    ...(budget.wallClockMs === null ? {} : { max_wall_clock_minutes: budget.wallClockMs / 60_000 }),
  };
  return {
    message: {
      messageId,
      role: old ? 'user' : 'ROLE_USER',
      ...(old ? { kind: 'message' } : {}),
      ...(contextId === null ? {} : { contextId }),
      ...(taskId === undefined ? {} : { taskId }),
      parts: [old ? { kind: isText ? 'text' : 'data', ...part } : part],
      metadata: {
        ...(skillId === null ? {} : { skill: skillId }),
        swarmkit: {
          ...(Object.keys(allowed).length === 0 ? {} : { budget: allowed }),
          on_behalf_of: [...onBehalfOf],
          depth,
        },
      },
    },
    configuration: old ? { blocking: false } : { returnImmediately: true },
  };
}

/** Agent transport `a2a`: agents that speak A2A 0.3 or 1.0 over JSON-RPC. */
export const contribution = defineAgentTransport({
  create: () => ({
    card: async (cardUrl, world) => readCard(cardUrl, await readObject(world, cardUrl)),
    send: async (to, message, world) => readTask(to.url, await call(world, to, 'send', paramsOf(to.version, message))),
    get: async (to, taskId, world) => {
      const task = readTask(to.url, await call(world, to, 'get', { id: taskId }));
      if (task.id !== taskId) throw invalid(to.url, 'answers with another task than the one that was asked for');
      return task;
    },
    async *follow(to, taskId, world) {
      yield* followTask(world, { to, method: methodOf(to, 'follow'), taskId });
    },
    cancel: async (to, taskId, world) => {
      try {
        await call(world, to, 'cancel', { id: taskId });
      } catch (error) {
        // It is over: there is nothing to stop.
        if (isKitError(error) && error.data?.rpcCode === -32002) return;
        throw error;
      }
    },
  }),
});

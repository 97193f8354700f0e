import { randomUUID } from 'node:crypto';
import {
  type AgentCard,
  type AgentEndpoint,
  type AgentMessage,
  type AgentTask,
  type AgentWorld,
  defineAgentTransport,
  isKitError,
  isObject,
  type Json,
  type JsonObject,
} from '@kit-run/kit/plugin';
import { createParser } from 'eventsource-parser';
import { versionOf } from '../rpc/protocol.js';
import { callPeer, invalid, openStream, readObject, saidBy } from './ask.js';
import { readTask, stateOf } from './read-task.js';

const MAX_SKILLS = 500;

const FEDERATION = /^urn:(kit|swarmkit):a2a:federation:v1$/;

const listOf = (value: Json | undefined): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Endpoints that are spoken here, the newest version first. */
function endpointOf(card: JsonObject): { readonly url: string; readonly version: string } | null {
  const named = listOf(card.supportedInterfaces).flatMap(({ url, protocolBinding, protocolVersion }) => {
    const version = typeof protocolVersion === 'string' ? versionOf(protocolVersion) : null;
    return typeof url === 'string' && protocolBinding === 'JSONRPC' && version !== null ? [{ url, version }] : [];
  });
  const newest = named.find(({ version }) => version === '1.0') ?? named[0];
  if (newest !== undefined) return newest;
  const { url, protocolVersion, preferredTransport = 'JSONRPC' } = card;
  const version = typeof protocolVersion === 'string' ? versionOf(protocolVersion) : null;
  return typeof url === 'string' && preferredTransport === 'JSONRPC' && version === '0.3' ? { url, version } : null;
}

/** A card of either version. Throws KIT_AGENT_INVALID. */
function readCard(cardUrl: string, card: JsonObject): AgentCard {
  const name = saidBy(card.name);
  if (name === null) throw invalid(cardUrl, 'answers with something that is not an Agent Card: it names no agent');
  const endpoint = endpointOf(card);
  if (endpoint === null)
    throw invalid(cardUrl, 'has an Agent Card without an endpoint for JSON-RPC in version 0.3 or 1.0');
  if (!URL.canParse(endpoint.url)) throw invalid(cardUrl, 'has an Agent Card whose endpoint is not an address');
  const skills = listOf(card.skills)
    .slice(0, MAX_SKILLS)
    .flatMap(({ id, name: title, description }) =>
      typeof id === 'string'
        ? [{ id: saidBy(id) ?? '', name: saidBy(title) ?? '', description: saidBy(description) ?? '' }]
        : [],
    );
  if (skills.length === 0) throw invalid(cardUrl, 'has an Agent Card without skills');
  const capabilities = isObject(card.capabilities) ? card.capabilities : {};
  const params = listOf(capabilities.extensions)
    .filter(({ uri }) => typeof uri === 'string' && FEDERATION.test(uri))
    .map((extension) => (isObject(extension.params) ? extension.params : {}));
  const says = (what: string): boolean => params.some((one) => one[what] === true);
  return {
    ...{ name, description: saidBy(card.description) ?? '', ...endpoint, skills },
    streaming: capabilities.streaming === true,
    requiresBearer: [card.security, card.securityRequirements].some((one) => Array.isArray(one) && one.length > 0),
    honorsBudget: says('honors_budget'),
    returnsUsage: says('returns_usage'),
    deduplicates: says('deduplicates'),
  };
}

/** Characters of one frame; a peer that sends more in one is not followed. */
const MAX_FRAME = 1024 * 1024;

/**
 * States that the frames of a subscription report, of either version. Nothing else of a frame is
 * read: it may be a lie, or old, and what there is is asked for.
 */
async function* followTask(
  world: AgentWorld,
  of: { readonly to: AgentEndpoint; readonly method: string; readonly taskId: string },
): AsyncGenerator<AgentTask['state']> {
  const { to, method, taskId } = of;
  const { url, version } = to;
  const body = await openStream(world, { url, version, method, params: { id: taskId } });
  const frames: string[] = [];
  let isTooLarge = false;
  const parser = createParser({
    maxBufferSize: MAX_FRAME,
    onEvent: ({ data }) => frames.push(data),
    onError: ({ type }) => {
      isTooLarge ||= type === 'max-buffer-size-exceeded';
    },
  });
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    if (isTooLarge) throw invalid(url, `sends a frame of more than ${MAX_FRAME} characters`);
    for (const frame of frames.splice(0)) {
      const state = stateIn(frame);
      if (state !== null) yield state;
    }
  }
}

/** The state that a frame reports; null: none that is known here. */
function stateIn(frame: string): AgentTask['state'] | null {
  const answer = objectIn(frame);
  const result = isObject(answer?.result) ? answer.result : {};
  const status = [result.task, result.statusUpdate, result].find((one) => isObject(one) && isObject(one.status));
  if (!isObject(status) || !isObject(status.status)) return null;
  return stateOf(status.status.state);
}

function objectIn(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null; // it tells nothing
  }
}

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

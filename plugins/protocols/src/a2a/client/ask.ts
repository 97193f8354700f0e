import { randomUUID } from 'node:crypto';
import { type AgentWorld, isKitError, isObject, type Json, type JsonObject, KitError } from '@kit-run/kit/plugin';

/** Characters of what a peer says that are repeated. */
const MAX_SAID = 2000;

/** A text of a peer: bounded, without what a terminal or a page would take for a command. */
export const saidBy = (text: unknown): string | null =>
  typeof text === 'string' && text !== ''
    ? text
        .slice(0, MAX_SAID)
        .toWellFormed()
        .replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, ' ')
    : null;

export const invalid = (url: string, why: string): KitError =>
  new KitError('KIT_AGENT_INVALID', `${hostOf(url)} ${why}`);

export const hostOf = (url: string): string => URL.parse(url)?.host ?? 'the agent';

type Init = Omit<NonNullable<Parameters<AgentWorld['fetch']>[1]>, 'headers' | 'signal'> & {
  readonly headers?: Readonly<Record<string, string>>;
};

/** One request, and whether it carried a value. */
async function sent(world: AgentWorld, url: string, { version, ...init }: Init & { readonly version: string }) {
  const bearer = await world.bearer();
  const headers = {
    accept: 'application/json',
    'a2a-version': version,
    ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
    ...init.headers,
  };
  const response = await world.fetch(url, { ...init, headers, signal: world.signal }).catch((error: unknown) => {
    if (isKitError(error)) throw error;
    throw new KitError('KIT_OUTBOUND_FAILED', `${hostOf(url)} cannot be reached`, { data: { isSent: true } });
  });
  return { response, carried: (value: string) => value === bearer };
}

/** A request with the credential, made once more where that is another one by now. */
async function fetched(world: AgentWorld, url: string, init: Init & { readonly version: string }): Promise<Response> {
  const isRefused = async ({ response, carried }: Awaited<ReturnType<typeof sent>>): Promise<boolean> => {
    const { status, headers } = response;
    if (status !== 401 && status !== 403) return false;
    return (await world.refused?.({ status, challenge: headers.get('www-authenticate'), carried })) === true;
  };
  const first = await sent(world, url, init);
  if (!(await isRefused(first))) return first.response;
  await first.response.body?.cancel();
  const { response } = await sent(world, url, init);
  await isRefused({ response, carried: () => true });
  return response;
}

async function objectIn(url: string, response: Response): Promise<JsonObject> {
  const text = await response.text();
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw invalid(url, 'answers with something that is not JSON');
  }
  if (!isObject(value)) throw invalid(url, 'answers with JSON that is not an object');
  return value;
}

/** Reads an object. Redirects are followed by the fetch; a credential stays with its origin. */
export async function readObject(world: AgentWorld, url: string): Promise<JsonObject> {
  const response = await fetched(world, url, { version: '1.0' });
  if (!response.ok) {
    await response.body?.cancel();
    throw refusedBy(url, `answers with ${response.status}`, { status: response.status });
  }
  return objectIn(url, response);
}

const refusedBy = (url: string, why: string, data: JsonObject): KitError =>
  new KitError('KIT_AGENT_REFUSED', `${hostOf(url)} ${why}`, { data });

/**
 * An agent that has no room now says after how many seconds it may be asked again, as a fact of 0.3
 * or in the ErrorInfo of 1.0: it has taken nothing.
 */
function againOf({ code, data }: JsonObject): JsonObject {
  if (code !== NO_ROOM) return {};
  const infos = Array.isArray(data) ? data.flatMap((one) => (isObject(one) ? [one.metadata] : [])) : [data];
  const facts = infos.find((one) => isObject(one) && Object.hasOwn(one, 'retry_after'));
  const seconds = isObject(facts) ? Number(facts.retry_after) : Number.NaN;
  return Number.isFinite(seconds) && seconds >= 0 ? { retryAfterSeconds: seconds, isSent: false } : {};
}

/** What kit and others answer that have no capacity. */
const NO_ROOM = -32603;

export interface Call {
  readonly url: string;
  readonly version: string;
  readonly method: string;
  readonly params: JsonObject;
  /** Answers to it have this id, and no other. */
  readonly id: string;
}

/** A call that is answered with a stream of frames; whoever reads it leaves it by its signal. */
export async function openStream(world: AgentWorld, of: Omit<Call, 'id'>): Promise<AsyncIterable<Uint8Array>> {
  const { url, version, method, params } = of;
  const response = await fetched(world, url, {
    version,
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: randomUUID(), method, params }),
    maxRedirects: 0,
    isStream: true,
  });
  const isStream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
  if (response.status === 200 && isStream && response.body !== null) return response.body;
  await response.body?.cancel();
  throw refusedBy(url, `answers with ${response.status} and no stream`, { status: response.status });
}

/** One call of JSON-RPC; the result is an object. */
export async function callPeer(world: AgentWorld, { url, version, method, params, id }: Call): Promise<JsonObject> {
  const response = await fetched(world, url, {
    version,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    // A message and a credential go nowhere else.
    maxRedirects: 0,
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw refusedBy(url, `answers with ${response.status}`, { status: response.status });
  }
  const answer = await objectIn(url, response);
  if (answer.jsonrpc !== '2.0') throw invalid(url, 'answers with no JSON-RPC');
  if (isObject(answer.error)) {
    const { code, message } = answer.error;
    throw refusedBy(url, `refuses the call: ${saidBy(message) ?? 'it says no more'}`, {
      ...(typeof code === 'number' ? { rpcCode: code } : {}),
      ...againOf(answer.error),
    });
  }
  if (answer.id !== id) throw invalid(url, 'answers another call than the one that was made');
  if (!isObject(answer.result)) throw invalid(url, 'answers with no result');
  return answer.result;
}

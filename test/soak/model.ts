import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedRequest } from '../support/components/provider-servers/protocol.js';
import { type Reply, startModelServer } from '../support/model-server.js';

/**
 * The model of a soak: it answers by what it reads, and counts its calls by the step that makes
 * them.
 */
export interface SoakModel {
  readonly url: string;
  /** Calls by step id, which comes as `Idempotency-Key` and is the same on each attempt. */
  readonly calls: ReadonlyMap<string, number>;
  /** Requests that broke the format, or named no step. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

/** A call takes this long, the same for each attempt of one step. */
const SHORTEST_MS = 20;
const LONGEST_MS = 600;

export async function startSoakModel(): Promise<SoakModel> {
  const calls = new Map<string, number>();
  const nameless: string[] = [];
  const server = await startModelServer((request): Reply => {
    const step = request.headers['idempotency-key'];
    if (typeof step !== 'string') nameless.push(`a call without a step id: ${request.path}`);
    else calls.set(step, (calls.get(step) ?? 0) + 1);
    return { do: 'hold', until: sleep(delayOf(String(step))), reply: replyTo(request) };
  });
  return {
    url: server.url,
    calls,
    get problems() {
      return [...server.problems, ...nameless];
    },
    close: server.close,
  };
}

function delayOf(step: string): number {
  let sum = 0;
  for (const character of step) sum = (sum * 31 + character.charCodeAt(0)) % 10_007;
  return SHORTEST_MS + (sum % (LONGEST_MS - SHORTEST_MS));
}

/**
 * Without a memory: an agent with children gives each a task in one response, then answers;
 * everybody else answers.
 */
function replyTo({ body }: RecordedRequest): Reply {
  const messages: readonly { readonly role: string; readonly content?: unknown }[] = body.messages;
  const tools: readonly { readonly function: { readonly name: string } }[] = body.tools ?? [];
  const delegates = tools.map((tool) => tool.function.name).filter((name) => name.startsWith('delegate_to_'));
  if (delegates.length > 0 && messages.at(-1)?.role !== 'tool') {
    return {
      do: 'answer',
      calls: delegates.map((name) => ({ name, arguments: { task: `Do your part as ${name}.` } })),
    };
  }
  const asked = messages.filter(({ role }) => role === 'user').length;
  return { do: 'answer', text: `done after ${messages.length} messages, ${asked} of them asked` };
}

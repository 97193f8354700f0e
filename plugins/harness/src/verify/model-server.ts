import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json, JsonObject } from '@kit-run/kit/plugin';
import { isObject } from '../adapter/spec.js';
import { chatEvents, geminiEvents, type ModelTurn, messagesEvents, type Wire } from './wire.js';

const MAX_BODY_BYTES = 32 * 1024 * 1024;
const SCRIPT = /<<script>>([\s\S]*?)<<end>>/g;

/** A model server on the loopback that answers from the script in the prompt. */
export interface ModelServer {
  readonly port: number;
  /** Answers given since the last call, those that a program asks for beside the task left out. */
  takeCount(): number;
  close(): Promise<void>;
}

/** The task that makes the server answer with these turns, one for each time that it is asked. */
export const scripted = (turns: readonly (readonly JsonObject[])[]): string =>
  `Do what you are told. <<script>>${JSON.stringify(turns)}<<end>>`;

/**
 * Starts it on a free port. It knows the Messages API of Anthropic, Chat Completions, and
 * generateContent of Gemini, streaming or not. Which turn comes is told by the conversation: by the
 * turns of the model in it, so a session that goes on is answered as one that never stopped.
 */
export async function startModelServer(): Promise<ModelServer> {
  let count = 0;
  const server = createServer((request, response) => {
    void answer(request, response).then(
      (isTurn) => {
        if (isTurn) count += 1;
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    takeCount: () => {
      const taken = count;
      count = 0;
      return taken;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** True where a turn of the script was given. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const body = await bodyOf(request);
  const path = (request.url ?? '').replace(/\?.*/s, '');
  const wire = wireOf(path);
  if (request.method !== 'POST' || wire === null) {
    const known = path.endsWith('/models') ? { object: 'list', data: [{ id: 'scripted', object: 'model' }] } : {};
    json(response, path.includes('ount') ? { input_tokens: 1, totalTokens: 1 } : known);
    return false;
  }
  const turn = turnOf(body, wire);
  const events = wire === 'messages' ? messagesEvents(turn) : wire === 'chat' ? chatEvents(turn) : geminiEvents(turn);
  const isStream = body.stream === true || path.includes('stream');
  if (!isStream) json(response, events.whole);
  else {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    for (const [name, data] of events.stream)
      response.write(
        `${name === null ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
      );
    response.end();
  }
  return turn.isScripted;
}

function wireOf(path: string): Wire | null {
  if (path.endsWith('/messages')) return 'messages';
  if (path.endsWith('/chat/completions')) return 'chat';
  return /:(streamG|g)enerateContent$/.test(path) ? 'gemini' : null;
}

/** What the script says at this place of the conversation. A request without tools is no turn. */
function turnOf(body: JsonObject, wire: Wire): ModelTurn {
  const said: readonly Json[] = asList(wire === 'gemini' ? body.contents : body.messages);
  const script = [...JSON.stringify(said).matchAll(SCRIPT)].at(-1)?.[1];
  const wantsJson = JSON.stringify(body.generationConfig ?? {}).includes('application/json');
  if (script === undefined || asList(body.tools).length === 0 || wantsJson)
    return {
      text: wantsJson ? '{"complexity_score":1,"complexity_reasoning":"","next_speaker":"user"}' : 'ok',
      call: null,
      isScripted: false,
    };
  // The script is a text of JSON within a text of JSON.
  const turns = asList(JSON.parse(JSON.parse(`"${script}"`) as string));
  const done = said.filter((one) => isObject(one) && (one.role === 'assistant' || one.role === 'model')).length;
  // A model that obeys: told to make the call again that people approved, it does so.
  const isToldAgain = JSON.stringify(said.at(-1) ?? '').includes('Make exactly this call again');
  const again = turns.find((turn) => asList(turn).some((one) => isObject(one) && typeof one.call === 'string'));
  const turn = isToldAgain && again !== undefined ? again : turns[Math.min(done, turns.length - 1)];
  const items = asList(turn).filter((one) => isObject(one));
  const call = items.find((one) => typeof one.call === 'string');
  const text = items.find((one) => typeof one.say === 'string')?.say;
  return {
    text: typeof text === 'string' ? text : '',
    call:
      call === undefined
        ? null
        : { name: String(call.call), input: isObject(call.input) ? call.input : {}, id: `call_${done}` },
    isScripted: true,
  };
}

const asList = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

function json(response: ServerResponse, value: JsonObject): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MAX_BODY_BYTES) throw new Error('the request is too long');
    parts.push(part);
  }
  try {
    const value: Json = JSON.parse(Buffer.concat(parts).toString('utf8'));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

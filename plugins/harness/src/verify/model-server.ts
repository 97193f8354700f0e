import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject, type Json, type JsonObject } from '@kit-run/kit/plugin';
import { type Scripted, turnOf } from './script.js';
import { chatEvents, geminiEvents, messagesEvents, responsesEvents, type Wire, type WireAnswer } from './wire.js';

const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** A model server on the loopback that answers from the script in the prompt. */
export interface ModelServer {
  readonly port: number;
  /** Answers given since the last call, those that a program asks for beside the task left out. */
  takeCount(): number;
  /** Whether a request since `takeCount` held the text. */
  hasHeard(text: string): boolean;
  /** Resolves when a turn with `hang` has been reached: it is never answered. */
  whenHanging(): Promise<void>;
  close(): Promise<void>;
}

interface State {
  count: number;
  /** Bodies of the requests since the count was taken. */
  heard: string[];
  hanging: PromiseWithResolvers<void>;
  /** Turns that hung once are answered when they are asked for again. */
  readonly hung: Set<string>;
}

/**
 * Starts it on a free port. It knows the Messages API of Anthropic, Chat Completions, the Responses
 * API, and generateContent of Gemini, streaming or not. Which turn comes is told by the
 * conversation: by the turns of the model in it, so a session that goes on is answered as one that
 * never stopped.
 */
export async function startModelServer(): Promise<ModelServer> {
  const state: State = { count: 0, heard: [], hanging: Promise.withResolvers<void>(), hung: new Set() };
  const server = createServer((request, response) => {
    void answer(state, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    takeCount: () => {
      const { count } = state;
      state.count = 0;
      state.heard = [];
      return count;
    },
    hasHeard: (text) => state.heard.some((body) => body.includes(text)),
    whenHanging: () => state.hanging.promise,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function answer(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request);
  const path = (request.url ?? '').replace(/\?.*/s, '');
  const wire = wireOf(path);
  if (request.method !== 'POST' || wire === null) {
    const models = { object: 'list', data: [{ id: 'scripted', object: 'model' }], models: [] };
    return json(response, path.includes('ount') ? { input_tokens: 1, totalTokens: 1 } : pathHas(path, models));
  }
  state.heard.push(JSON.stringify(body));
  const said = turnOf(body, wire);
  if (said.hang && !state.hung.has(said.key)) {
    state.hung.add(said.key);
    state.hanging.resolve();
    state.hanging = Promise.withResolvers<void>();
    return;
  }
  if (said.status !== null) return refuse(response, said.status);
  const events = eventsOf(said, wire);
  // Counted before anything is sent: who has the answer may ask for the count.
  if (said.turn.isScripted) state.count += 1;
  if (body.stream !== true && !path.includes('stream')) return json(response, events.whole);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const [name, data] of events.stream)
    response.write(
      `${name === null ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
    );
  response.end();
}

const pathHas = (path: string, models: JsonObject): JsonObject => (path.endsWith('/models') ? models : {});

function eventsOf({ turn }: Scripted, wire: Wire): WireAnswer {
  switch (wire) {
    case 'messages':
      return messagesEvents(turn);
    case 'chat':
      return chatEvents(turn);
    case 'gemini':
      return geminiEvents(turn);
    case 'responses':
      return responsesEvents(turn);
  }
}

function wireOf(path: string): Wire | null {
  if (path.endsWith('/messages')) return 'messages';
  if (path.endsWith('/chat/completions')) return 'chat';
  if (path.endsWith('/responses')) return 'responses';
  return /:(streamG|g)enerateContent$/.test(path) ? 'gemini' : null;
}

function json(response: ServerResponse, value: JsonObject): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** A refusal in the words that each of the APIs has for one. */
function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  const error = { type: 'invalid_request_error', message: 'the script refuses', code: status, status: 'INVALID' };
  response.end(JSON.stringify({ type: 'error', error }));
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

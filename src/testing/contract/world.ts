import type { PluginContext } from '../../domain/extension-points.js';
import type { JsonObject } from '../../domain/json.js';
import { Masker } from '../../lib/masker.js';
import { memoryVaults } from '../memory-rows.js';
import { TestClock } from '../test-clock.js';
import { DEADLINE_MS, must } from './case.js';

/**
 * What a suite is told about the contribution. Everything has a default that fits a contribution
 * without needs.
 */
export interface ContractFixtures {
  /** A configuration that fits its schema; default {}. */
  readonly config?: JsonObject;
  /**
   * What `secrets.env` answers; a variable that is not named here answers with a made-up secret.
   */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * What `secrets.credential` answers; a name that is not listed here answers with a made-up
   * secret.
   */
  readonly credentials?: Readonly<Record<string, string>>;
  /** Real milliseconds that one call may take; default 5000. */
  readonly deadlineMs?: number;
}

/** One request, byte for byte. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly body: Uint8Array;
}

/**
 * How the network behaves: answers, fails, or never answers. `sent` is the text of what was sent,
 * secrets included.
 */
export type Network = (sent: string, init: RequestInit | undefined, request: SentRequest) => Promise<Response>;

export const UNREACHABLE: Network = (sent) => Promise.reject(new TypeError(`fetch failed; what was sent: ${sent}`));

/** Ends with the caller's signal alone, as a server that never answers does. */
export const SILENT: Network = (_sent, init) =>
  new Promise((_resolve, reject) => {
    const signal = init?.signal;
    const giveUp = (): void => reject(signal?.reason);
    if (signal?.aborted === true) giveUp();
    else signal?.addEventListener('abort', giveUp, { once: true });
  });

/**
 * A server that answers every request alike. `echo` puts what was sent into the body, as proxies
 * and debug pages do.
 */
export const answering =
  (
    status: number,
    body: string,
    options: { readonly headers?: Readonly<Record<string, string>>; readonly echo?: boolean } = {},
  ): Network =>
  async (sent) =>
    new Response(options.echo === true ? `${body}${sent}` : body, {
      status,
      headers: { 'content-type': 'application/json', ...options.headers },
    });

/** A contribution's surroundings in one case: everything it does to the world is recorded. */
export interface World {
  readonly context: PluginContext;
  readonly clock: TestClock;
  readonly deadlineMs: number;
  /** What was sent, one text a request. */
  readonly requests: readonly string[];
  /** Aborts the context's signal, as the host does when it is disposed. */
  readonly abort: () => void;
  /** Resolves when something has been sent. */
  readonly asked: Promise<void>;
  /** From now on this text is a secret as well. */
  learn(secret: string): void;
  /**
   * Throws a ContractViolation when a secret stands in one of the values, or in what was logged.
   */
  mustHideSecrets(values: Readonly<Record<string, unknown>>): void;
}

async function readSent(
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
): Promise<SentRequest & { readonly text: string }> {
  const request = new Request(input, { ...init, signal: null });
  const { method, url } = request;
  const body = new Uint8Array(await request.arrayBuffer());
  const headers = [...request.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  return { method, url, body, text: `${method} ${url}\n${headers}\n\n${new TextDecoder().decode(body)}` };
}

const asText = (value: unknown): string => {
  if (value instanceof Error)
    return `${value.name} ${value.message} ${value.cause === undefined ? '' : asText(value.cause)}`;
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
};

/** A made-up secret: long, and with nothing in it that an encoding changes. */
const madeUp = (kind: string, name: string): string =>
  `kit-contract-secret-${kind}-${name.replaceAll(/[^A-Za-z0-9]/g, '')}-7f3a9c`;

export function createWorld(fixtures: ContractFixtures, network: Network = UNREACHABLE): World {
  const { env = {}, credentials = {} } = fixtures;
  const clock = new TestClock();
  const masker = new Masker(Object.values(credentials));
  const controller = new AbortController();
  const logged: string[] = [];
  const requests: string[] = [];
  const write = (message: string, data?: object): void =>
    void logged.push(
      `${message} ${Object.values(data ?? {})
        .map(asText)
        .join(' ')}`,
    );
  const secret = (kind: string, name: string): string => {
    const value = madeUp(kind, name);
    masker.add(value);
    return value;
  };
  const wasAsked = Promise.withResolvers<void>();
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const sent = await readSent(input, init);
    requests.push(sent.text);
    wasAsked.resolve();
    return network(sent.text, init, sent);
  };
  return {
    context: {
      log: { debug: write, info: write, warn: write, error: write },
      clock,
      fetch,
      outbound: async (url, init) => fetch(url, init as RequestInit),
      vault: memoryVaults(clock)('contract'),
      signal: controller.signal,
      plugin: { name: 'contract', version: '0.0.0' },
      secrets: {
        env: (name) => (Object.hasOwn(env, name) ? env[name] || null : secret('env', name)),
        credential: async (ref) =>
          Object.hasOwn(credentials, ref) ? (credentials[ref] ?? '') : secret('credential', ref),
      },
    },
    clock,
    deadlineMs: fixtures.deadlineMs ?? DEADLINE_MS,
    requests,
    abort: () => controller.abort(),
    asked: wasAsked.promise,
    learn: (value) => void masker.add(value),
    mustHideSecrets: (values) => {
      for (const [where, value] of [...Object.entries(values), ['its log', logged] as const]) {
        const text = asText(value);
        must(masker.mask(text) === text, `a secret stands in ${where}`);
      }
    },
  };
}

import type { Socket } from 'node:net';
import {
  type CheckedAddress,
  type ContainerWayRequest,
  hostName,
  isAllowedHost,
  isKitError,
  portOf,
} from '@kit-run/kit/plugin';
import { MAX_HELLO, readHello } from './client-hello.js';
import { type Missing, readAhead } from './read-ahead.js';
import { connectTo, join } from './tunnel.js';

/** Where a program wants to go; or what it asked instead, and the host if it named one. */
type ConnectRequest =
  | { readonly kind: 'connect'; readonly name: string; readonly port: number }
  | { readonly kind: 'refused'; readonly host: string; readonly port: number; readonly why: string };

/** Nobody needs more to ask for a tunnel. */
const MAX_HEAD = 8 * 1024;

const LINE = /^([A-Z]{1,20}) ([^ ]{1,2048}) HTTP\/1\.[01]$/;
const PLAIN = 'it is asked for without TLS; only https is let through';

/** What a program asks of its proxy, from the head of its request. */
function readConnect(head: string): ConnectRequest {
  const [, method, target = ''] = LINE.exec(head.slice(0, Math.max(0, head.indexOf('\r\n')))) ?? [];
  if (method === undefined) return refused('', 0, 'what it asks is not a request to a proxy');
  if (method !== 'CONNECT') {
    const url = URL.parse(target);
    return refused(shown(url?.hostname ?? ''), Number(url?.port || 80), PLAIN);
  }
  const colon = target.lastIndexOf(':');
  const port = portOf(target.slice(colon + 1));
  const host = target.slice(0, Math.max(0, colon));
  if (colon < 0 || port === null) return refused(shown(target), 0, 'it names no port');
  const name = hostName(host);
  return name === null ? refused(shown(host), port, 'it is not the name of a host') : { kind: 'connect', name, port };
}

const refused = (host: string, port: number, why: string): ConnectRequest => ({ kind: 'refused', host, port, why });

/** As much of it as an address or a name can have, and nothing that a terminal obeys. */
const shown = (host: string): string => host.replaceAll(/[^\w.:[\]-]/g, '?').slice(0, 253);

/**
 * `addressesOf` throws KIT_OUTBOUND_REFUSED when none of the addresses of a host may be called,
 * KIT_OUTBOUND_FAILED when it has none.
 */
export interface EgressParts extends Pick<ContainerWayRequest, 'allow' | 'addressesOf' | 'onAnswer'> {
  readonly bounds?: Partial<EgressBounds>;
}

export interface EgressBounds {
  /** At once; more are refused. Default 256. */
  readonly connections: number;
  /** For each of request, answer of the host and first message of TLS. Default 10,000. */
  readonly stepMs: number;
  /** Without a byte in either direction. Default 15 minutes: a model may think that long. */
  readonly idleMs: number;
}

const DEFAULTS: EgressBounds = { connections: 256, stepMs: 10_000, idleMs: 15 * 60_000 };

type Destination = { readonly host: string; readonly port: number };

/**
 * The way of one container to the hosts of its list: a proxy that knows CONNECT alone, and lets
 * nothing through but TLS to the very host that was asked for. It never looks into what is said.
 */
export class Egress {
  readonly #parts: EgressParts;
  readonly #bounds: EgressBounds;
  readonly #open = new Set<Socket>();
  readonly #working = new Set<Promise<void>>();
  #taken = 0;
  #isClosed = false;

  constructor(parts: EgressParts) {
    this.#parts = parts;
    this.#bounds = { ...DEFAULTS, ...parts.bounds };
  }

  /** Serves a connection that is paused, and that may be half open. */
  take(client: Socket): void {
    const working = this.#serve(client).catch(() => void client.destroy());
    this.#working.add(working);
    void working.finally(() => this.#working.delete(working));
  }

  /** Ends whatever is open; resolves when nothing more is told. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const socket of this.#open) socket.destroy();
    await Promise.all(this.#working);
  }

  #hold(socket: Socket): void {
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    // Who breaks off takes the other side with it.
    socket.on('error', () => {});
    if (this.#isClosed) socket.destroy();
  }

  async #serve(client: Socket): Promise<void> {
    this.#hold(client);
    this.#taken += 1;
    client.once('close', () => {
      this.#taken -= 1;
    });
    if (this.#taken > this.#bounds.connections) return say(client, 503, 'too many connections at once');
    const asked = await readAhead(client, { find: headIn, maxBytes: MAX_HEAD, timeoutMs: this.#bounds.stepMs });
    if (isMissing(asked)) return say(client, 400, `the request came ${asked}`);
    const wish = readConnect(asked.head);
    if (wish.kind === 'refused') return this.#refuse(client, wish, wish.why);
    const to = { host: wish.name, port: wish.port };
    if (!isAllowedHost(this.#parts.allow, wish)) return this.#refuse(client, to, 'it is not on the list');
    const addresses = await this.#addressesOf(client, to);
    if (addresses !== null) await this.#tunnel(client, to, addresses);
  }

  /** Null: there is none that may be called, and the client was told. */
  async #addressesOf(client: Socket, to: Destination): Promise<readonly CheckedAddress[] | null> {
    try {
      return await inTime(this.#parts.addressesOf(to.host), this.#bounds.stepMs);
    } catch (error) {
      if (isKitError(error) && error.code === 'KIT_OUTBOUND_REFUSED') await this.#refuse(client, to, PRIVATE);
      else say(client, 502, `${to.host} has no address`);
      return null;
    }
  }

  async #tunnel(client: Socket, to: Destination, addresses: readonly CheckedAddress[]): Promise<void> {
    const opening = { timeoutMs: this.#bounds.stepMs, onOpen: (socket: Socket) => this.#hold(socket) };
    const server = await connectTo({ ...to, addresses }, opening).catch(() => null);
    if (server === null) return say(client, 502, `${to.host} does not answer`);
    client.once('close', () => {
      if (!client.readableEnded) server.destroy();
    });
    try {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      const find = (bytes: Buffer) => {
        const hello = readHello(bytes);
        return hello.kind === 'more' ? null : { found: hello, used: 0 };
      };
      const bounds = { maxBytes: 2 * MAX_HELLO, timeoutMs: this.#bounds.stepMs };
      const hello = await readAhead(client, { find, ...bounds });
      const why = isMissing(hello) ? `its first message of TLS came ${hello}` : problemOf(hello, to.host);
      if (why !== null) {
        server.destroy();
        // Within a tunnel nothing can be said: it ends. Who changed its mind has asked for nothing.
        client.destroy();
        if (hello !== 'gone') await this.#parts.onAnswer({ ...to, answer: 'refused', reason: why });
        return;
      }
      await this.#parts.onAnswer({ ...to, answer: 'allowed', reason: '' });
      join(client, server, this.#bounds.idleMs);
    } catch (error) {
      server.destroy();
      throw error;
    }
  }

  async #refuse(client: Socket, { host, port }: Destination, reason: string): Promise<void> {
    await this.#parts.onAnswer({ host, port, answer: 'refused', reason });
    say(client, 403, `${host === '' ? 'this' : host} is refused: ${reason}`);
  }
}

const PRIVATE = 'its address is private, link-local or of a metadata service';

const isMissing = <T extends object>(found: T | Missing): found is Missing => typeof found === 'string';

/** Why a tunnel to a host is not used; null: for the very host. */
function problemOf(hello: ReturnType<typeof readHello>, host: string): string | null {
  if (hello.kind === 'bad') return hello.why;
  if (hello.kind === 'more') return 'its hello is cut short';
  if (hello.isEncrypted) return 'its TLS hides the host (encrypted client hello)';
  if (hello.serverName === null) return 'its TLS names no host';
  return hello.serverName.toLowerCase().replace(/\.$/, '') === host ? null : 'its TLS names another host';
}

/** The head of a request, without its last line. */
function headIn(bytes: Buffer): { readonly found: { readonly head: string }; readonly used: number } | null {
  const end = bytes.indexOf('\r\n\r\n');
  return end < 0 ? null : { found: { head: bytes.toString('latin1', 0, end + 2) }, used: end + 4 };
}

const WORDS = { 400: 'Bad Request', 403: 'Forbidden', 502: 'Bad Gateway', 503: 'Service Unavailable' } as const;

function say(client: Socket, status: keyof typeof WORDS, text: string): void {
  const body = `kit: ${text}\n`;
  const head = [
    `HTTP/1.1 ${status} ${WORDS[status]}`,
    'content-type: text/plain; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  client.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // What else it says is read and thrown away, so that its end is seen, and not waited for long.
  client.resume();
  client.setTimeout(2000, () => client.destroy());
}

/** A resolver takes no signal. */
function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('late')), timeoutMs);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

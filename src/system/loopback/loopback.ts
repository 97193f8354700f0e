import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { KitError } from '../../domain/errors.js';

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** What a browser shows at the end of a login at a command line; loads and runs nothing. */
const callbackPage = (title: string, text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escaped(title)}</title><h1>${escaped(title)}</h1><p>${escaped(text)}</p></html>\n`;

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  connection: 'close',
} as const;

const PATH = '/callback';

/** What is waited for, and what becomes of it. */
interface WaitForBrowser<T> {
  readonly state: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly finish: (query: string) => Promise<T>;
  /** What the browser shows then. */
  readonly says: (result: T) => string;
}

/** A server at this machine that waits for one browser (RFC 8252). */
export interface Loopback {
  readonly redirectUri: string;
  /**
   * Hands the first answer that carries `state` to `finish`, and shows the browser what came of it.
   * Answers of others are refused, and waiting goes on. Throws what `finish` throws, and
   * KIT_LOGIN_STATE when nobody comes within `timeoutMs` or `signal` aborts.
   */
  answer<T>(of: WaitForBrowser<T>): Promise<T>;
  close(): Promise<void>;
}

/** `port` 0: any that is free. Throws KIT_LOGIN_FAILED for one that is taken. */
export async function openLoopback(port: number): Promise<Loopback> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new KitError('KIT_LOGIN_FAILED', `port ${port} of this machine is taken`, {
      cause,
      hint: 'Name another --port.',
    });
  }
  const address = server.address();
  const taken = typeof address === 'object' && address !== null ? address.port : port;
  return {
    redirectUri: `http://127.0.0.1:${taken}${PATH}`,
    answer: <T>({ state, timeoutMs, signal, finish, says }: WaitForBrowser<T>) => {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const giveUp = (why: string) => (): void => reject(new KitError('KIT_LOGIN_STATE', why));
      const timer = setTimeout(giveUp('nobody came back from the provider in time'), timeoutMs);
      const onAbort = giveUp('the login was given up');
      signal.addEventListener('abort', onAbort, { once: true });
      let isTaken = false;
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        const url = URL.parse(request.url ?? '', 'http://127.0.0.1');
        if (request.method !== 'GET' || url?.pathname !== PATH) return show(response, 404, 'nothing is here');
        if (isTaken || url.searchParams.get('state') !== state)
          return show(response, 400, 'this answer belongs to no login that waits here');
        isTaken = true;
        finish(url.search.slice(1)).then(
          (result) => show(response, 200, says(result), () => resolve(result)),
          (error: unknown) =>
            show(response, 400, error instanceof Error ? error.message : 'the login failed', () => reject(error)),
        );
      });
      return promise.finally(() => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      });
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      if (server.listening) await once(server, 'close');
    },
  };
}

/** The page is on its way before whoever waits goes on: the process may end then. */
function show(response: ServerResponse, status: number, text: string, then: () => void = () => {}): void {
  const title = status === 200 ? 'You are logged in' : 'The login failed';
  response.writeHead(status, PAGE_HEADERS).end(callbackPage(title, text), then);
  response.once('close', then);
}

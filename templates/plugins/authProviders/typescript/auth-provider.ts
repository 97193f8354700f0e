import type { AuthVerdict, JsonObject, PluginContext } from '@kit-run/kit/plugin';
import { defineAuthProvider, isReservedScope, KitError } from '@kit-run/kit/plugin';

/** A request waits for the answer: longer is no use to anyone. */
const TIMEOUT_MS = 5_000;

/** People see the sentence: it never repeats the token. */
const refused = (detail: string, error: 'invalid_token' | 'invalid_request' | null): AuthVerdict => ({
  kind: 'refused',
  detail,
  error,
});

/** A server that is away says nothing about the token: kit answers 503 and not 401. */
const unknowable = () =>
  new KitError('KIT_NOT_READY', 'tokens cannot be checked now: the token service does not answer');

/** What the token service says of a token. */
interface Told {
  readonly active?: unknown;
  readonly sub?: unknown;
  readonly scope?: unknown;
  readonly username?: unknown;
}

function create(config: JsonObject, plugin: PluginContext) {
  /** What the service says of a token. Throws KIT_NOT_READY when it says nothing. */
  async function introspect(token: string) {
    const over = new AbortController();
    const signal = AbortSignal.any([plugin.signal, over.signal]);
    plugin.clock.sleep(TIMEOUT_MS, signal).then(
      () => over.abort(),
      () => undefined,
    );
    try {
      const response = await plugin.fetch(String(config.url), {
        method: 'POST',
        headers: { authorization: `Bearer ${plugin.secrets.env('TOKEN_SERVICE_SECRET') ?? ''}` },
        body: new URLSearchParams({ token }),
        redirect: 'error',
        signal,
      });
      if (!response.ok) throw unknowable();
      return (await response.json()) as Told | null;
    } catch {
      throw unknowable();
    } finally {
      over.abort();
    }
  }

  return {
    async authenticate({ authorization }: { authorization: string | undefined }): Promise<AuthVerdict> {
      if (authorization === undefined) return refused('the request carries no credential', null);
      const token = /^bearer +([\x21-\x7e]{1,8000}) *$/i.exec(authorization)?.[1];
      if (token === undefined)
        return refused('the Authorization header is not of the form Bearer <token>', 'invalid_request');
      const answer = await introspect(token);
      if (answer?.active !== true || typeof answer.sub !== 'string' || answer.sub === '')
        return refused('the token does not hold', 'invalid_token');
      const scopes = String(answer.scope ?? '')
        .split(' ')
        .filter((scope) => scope !== '' && !isReservedScope(scope));
      const clientName = typeof answer.username === 'string' ? answer.username : answer.sub;
      return {
        kind: 'caller',
        caller: { clientId: answer.sub, clientName, provider: 'sample-name', scopes, assurance: 'authenticated' },
      };
    },
    info: () => ({ mode: 'sample-name' }),
    warnings: String(config.url).startsWith('http:')
      ? ['the token service is asked over http: whoever is on the way sees the tokens']
      : [],
    identities: null,
  };
}

/** Auth provider `sample-name`. */
export const contribution = defineAuthProvider({ create });

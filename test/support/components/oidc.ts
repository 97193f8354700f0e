import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** What a token is to say. */
export interface TokenAsk {
  /** `alice` or `bob`; default alice. */
  readonly clientId?: string;
  /** Default `serve:read serve:run`. */
  readonly scope?: string;
  /** Default RS256. */
  readonly algorithm?: 'RS256' | 'ES256' | 'PS256' | 'EdDSA';
  /** Default kit. */
  readonly audience?: string;
  /** Default 60. */
  readonly ttlSeconds?: number;
}

/** An OpenID provider for one test file. */
export interface TestOidc {
  /** `http://127.0.0.1:<port>` */
  readonly issuer: string;
  token(ask?: TokenAsk): Promise<string>;
  /** New keys; those of before are gone. */
  rotate(): Promise<void>;
  /** How the address of the keys behaves. */
  keys(how: 'ok' | 'broken' | 'slow' | 'down'): Promise<void>;
  close(): Promise<void>;
}

/** Of both clients. */
export const CLIENT_SECRET = 'kit-test-only-secret-of-the-client';

export async function startOidc(): Promise<TestOidc> {
  const program = fileURLToPath(new URL('./oidc.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, '--with-parent'], { stdio: ['pipe', 'pipe', 'inherit'] });
  let issuer = '';
  for await (const line of createInterface({ input: child.stdout })) {
    issuer = line;
    break;
  }
  if (!issuer.startsWith('http://')) throw new Error('the OpenID provider did not start');
  const control = async (what: string): Promise<void> => {
    const { status } = await fetch(`${issuer}/control/${what}`, { method: 'POST' });
    if (status !== 204) throw new Error(`the OpenID provider answered ${status}`);
  };
  return {
    issuer,
    token: async ({
      clientId = 'alice',
      scope = 'serve:read serve:run',
      algorithm = 'RS256',
      audience = 'kit',
      ttlSeconds = 60,
    } = {}) => {
      const resource = `https://kit.test/${algorithm}?audience=${encodeURIComponent(audience)}&ttl=${ttlSeconds}`;
      const form = {
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: CLIENT_SECRET,
        scope,
        resource,
      };
      const answer = (await (
        await fetch(`${issuer}/token`, { method: 'POST', body: new URLSearchParams(form) })
      ).json()) as Record<string, unknown>;
      if (typeof answer.access_token !== 'string')
        throw new Error(`the OpenID provider gave no token: ${JSON.stringify(answer)}`);
      return answer.access_token;
    },
    rotate: () => control('rotate'),
    keys: (how) => control(`keys/${how}`),
    close: async () => {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}

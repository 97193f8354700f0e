import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** How the provider behaves from now on. */
export interface LoginBehaviour {
  /** Seconds that an access token holds. */
  readonly ttl?: number;
  readonly token?: 'ok' | 'html' | 'hang' | 'down';
  readonly registration?: boolean;
  readonly refreshTokens?: boolean;
  readonly scope?: string;
  readonly calls?: 'ok' | 'unauthorized' | 'forbidden';
  readonly delayMs?: number;
  /** Milliseconds between a refresh and its answer. */
  readonly holdMs?: number;
  /** Whether a refresh ends the token before it at once. */
  readonly endsOld?: boolean;
  /** Whether the next call of a tool is looked at only after a refresh. */
  readonly isLate?: boolean;
}

/** What it was asked for since its start. */
export interface LoginCounts {
  readonly token: number;
  readonly refresh: number;
  readonly revoked: number;
  readonly registered: number;
  readonly refused: number;
  readonly hung: number;
  readonly mcp: number;
  /** Calls of tools, those that were refused among them. */
  readonly calls: number;
  /** Calls with a token that a refresh had ended. */
  readonly ended: number;
  /** Calls of tools that came before a refresh and were looked at after it. */
  readonly late: number;
  /** Client documents that it has fetched. */
  readonly documents: number;
  readonly bearers: readonly string[];
  /** Tokens, codes, verifiers, states and client secrets of all its logins. */
  readonly secrets: readonly string[];
}

/** A server with tools and the OpenID provider where people log in for it. */
export interface LoginProvider {
  /** `http://127.0.0.1:<port>`, also the issuer. */
  readonly origin: string;
  /** Address of its MCP endpoint. */
  readonly endpoint: string;
  /** Address of the card of its agent. */
  readonly card: string;
  behave(behaviour: LoginBehaviour): Promise<LoginCounts>;
  counts(): Promise<LoginCounts>;
  close(): Promise<void>;
}

export const GIVEN_SECRET = 'kit-test-only-secret-of-the-given-client';

/** `ca`: it knows clients by their documents, too, and trusts the certificates of this file. */
export async function startLoginProvider({ ca }: { readonly ca?: string } = {}): Promise<LoginProvider> {
  const program = fileURLToPath(new URL('./login-provider.mjs', import.meta.url));
  const argv = [program, '--with-parent', ...(ca === undefined ? [] : ['--reads-documents'])];
  const env = { ...process.env, ...(ca === undefined ? {} : { NODE_EXTRA_CA_CERTS: ca }) };
  const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'ignore'], env });
  let origin = '';
  for await (const line of createInterface({ input: child.stdout })) {
    origin = line;
    break;
  }
  const control = async (init?: RequestInit): Promise<LoginCounts> =>
    (await fetch(`${origin}/control`, init)).json() as Promise<LoginCounts>;
  return {
    origin,
    endpoint: `${origin}/mcp`,
    card: `${origin}/card.json`,
    behave: (behaviour) => control({ method: 'POST', body: JSON.stringify(behaviour) }),
    counts: () => control(),
    close: async () => {
      if (child.exitCode !== null) return;
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

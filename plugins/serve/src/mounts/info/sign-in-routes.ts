import { KitError } from '@kit-run/kit/plugin';
import { closed, STRING } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { isOwnOrigin } from '../../server/page-guard.js';
import { answers } from './schema-words.js';
import type { ServedInfo } from './used.js';

const ROUTE = '/auth/oidc/token';
/** Where the console is come back to. */
const CONSOLE = '/console/signed-in';
/** Where a command line at the person's own machine is (RFC 8252, 7.3). */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\])(:\d{1,5})?\/callback$/;

interface Body {
  readonly code: string;
  readonly code_verifier: string;
  readonly redirect_uri: string;
  readonly iss?: string;
}

const written = (maxLength: number, description: string) => ({ type: 'string', minLength: 1, maxLength, description });

const SIGN_IN = {
  ...answers(
    'Ends a sign-in: gives the code of the issuer, and answers the token that this server accepts.',
    closed({ token: STRING, expires_in: { type: ['integer', 'null'], description: 'Seconds; null: not said.' } }),
    'The token, which is sent as `Authorization: Bearer`.',
  ),
  body: {
    type: 'object',
    additionalProperties: false,
    required: ['code', 'code_verifier', 'redirect_uri'],
    properties: {
      code: written(4096, 'What the browser brought back.'),
      code_verifier: {
        ...written(128, 'What the challenge was made of (RFC 7636).'),
        pattern: '^[A-Za-z0-9._~-]{43,128}$',
      },
      redirect_uri: written(2000, `${CONSOLE} of this server, or /callback at 127.0.0.1.`),
      iss: written(2000, 'Who the answer says it is from (RFC 9207).'),
    },
  },
} as const;

/** Signing in through a browser, for the console and for `kit auth login`. */
export function signInRoutes(server: FastifyInstance, { app, workspace }: ServedInfo): void {
  server.post<{ Body: Body }>(
    ROUTE,
    { schema: SIGN_IN, config: { tier: 'public', mayAnswer: [429] } },
    async ({ body, headers }, reply) => {
      const { publicUrl } = app.serve.current().server;
      const isOurs = (origin: string): boolean =>
        isOwnOrigin(origin, headers.host ?? '') || (publicUrl !== null && URL.parse(publicUrl)?.origin === origin);
      // A code that was got for a page elsewhere is not that page's to use here.
      if (headers.origin !== undefined && !isOurs(headers.origin))
        throw new KitError('KIT_ORIGIN_REFUSED', 'a page of another origin cannot sign in here');
      if (!isOwnRedirect(body.redirect_uri, isOurs))
        throw new KitError('KIT_LOGIN_FAILED', 'the redirect_uri does not belong to this server', {
          hint: `Register ${CONSOLE} below the address of the server, and /callback at 127.0.0.1, with the issuer.`,
        });
      const { token, expiresInS } = await app.info.signIn({
        workspace,
        code: body.code,
        verifier: body.code_verifier,
        redirectUri: body.redirect_uri,
        issuer: body.iss ?? null,
      });
      reply.header('cache-control', 'no-store');
      return { token, expires_in: expiresInS };
    },
  );
}

/** `isOurs` judges an origin: the console has to be that of the server that is asked. */
export function isOwnRedirect(address: string, isOurs: (origin: string) => boolean): boolean {
  if (LOOPBACK.test(address)) return true;
  const url = URL.parse(address);
  if (url === null || url.href !== address || !isOurs(url.origin)) return false;
  return url.pathname === CONSOLE && `${url.search}${url.hash}${url.username}${url.password}` === '';
}

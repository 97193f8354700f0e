import { type AuthVerdict, defineAuthProvider } from '@kit-run/kit/plugin';
import { bearerOf } from './bearer.js';
import { callerOf } from './jwt/caller.js';
import { decodeConfig, publicInfo, warningsOf } from './jwt/config.js';
import { createIssuerDocument } from './jwt/issuer-document.js';
import { createIssuerKeys } from './jwt/issuer-keys.js';
import { createSignIn } from './jwt/sign-in.js';
import { createVerifier } from './jwt/verify.js';

/**
 * Auth provider `jwt`: tokens that one issuer signed for one audience. Nothing is fetched before
 * the first of them comes.
 */
export const contribution = defineAuthProvider({
  create: (settings, context) => {
    const config = decodeConfig(settings);
    const document = createIssuerDocument(config.issuer, context);
    const verify = createVerifier(config, createIssuerKeys({ config, document, context }), context.clock);
    const warned = new Set<string>();
    const onDropped = (scopes: readonly string[]): void => {
      const fresh = scopes.filter((scope) => !warned.has(scope));
      for (const scope of fresh) warned.add(scope);
      if (fresh.length > 0)
        context.log.warn('tokens carry scopes that belong to people; they are dropped', { scopes: fresh });
    };
    const judge = async (token: string): Promise<AuthVerdict> => {
      const verified = await verify(token);
      return verified.kind === 'refused' ? verified : callerOf(verified.claims, config, onDropped);
    };
    const refusalOf = async (token: string): Promise<string | null> => {
      const verdict = await judge(token);
      return verdict.kind === 'refused' ? verdict.detail : null;
    };
    return {
      authenticate: async ({ authorization }) => {
        const bearer = bearerOf(authorization);
        return bearer.kind === 'refused' ? bearer : judge(bearer.token);
      },
      signIn: createSignIn(config, { ...context, document, refusalOf }),
      info: () => ({ mode: 'jwt', oidc: publicInfo(config) }),
      warnings: warningsOf(config),
      identities: null,
    };
  },
});

import { defineAuthProvider } from '@kit-run/kit/plugin';
import { bearerOf } from './bearer.js';
import { callerOf } from './jwt/caller.js';
import { decodeConfig, publicInfo, warningsOf } from './jwt/config.js';
import { createIssuerKeys } from './jwt/issuer-keys.js';
import { createVerifier } from './jwt/verify.js';

/**
 * Auth provider `jwt`: tokens that one issuer signed for one audience. Nothing is fetched before
 * the first of them comes.
 */
export const contribution = defineAuthProvider({
  create: (settings, context) => {
    const config = decodeConfig(settings);
    const verify = createVerifier(config, createIssuerKeys(config, context), context.clock);
    const tellOnce = new Set<string>();
    const onDropped = (scopes: readonly string[]): void => {
      const fresh = scopes.filter((scope) => !tellOnce.has(scope));
      for (const scope of fresh) tellOnce.add(scope);
      if (fresh.length > 0)
        context.log.warn('tokens carry scopes that belong to people; they are dropped', { scopes: fresh });
    };
    return {
      authenticate: async ({ authorization }) => {
        const bearer = bearerOf(authorization);
        if (bearer.kind === 'refused') return bearer;
        const verified = await verify(bearer.token);
        return verified.kind === 'refused' ? verified : callerOf(verified.claims, config, onDropped);
      },
      info: () => ({ mode: 'jwt', oidc: publicInfo(config) }),
      warnings: warningsOf(config),
      identities: null,
    };
  },
});

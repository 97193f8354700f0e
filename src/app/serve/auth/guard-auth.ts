import { KitError } from '../../../domain/errors.js';
import type { AuthProvider, AuthVerdict, Caller } from '../../../domain/ports/http.js';
import type { Log } from '../../../domain/ports/system.js';
import { isHumanScope } from '../../../govern/scopes.js';

/** Longer names are not names: they would fill the audit log. */
const MAX_NAME_CHARS = 256;

interface Guarded {
  /** Name under which the provider was asked for; what a provider says of itself does not count. */
  readonly name: string;
  readonly humanScopes: ReadonlySet<string>;
  readonly log: Pick<Log, 'warn'>;
}

/** A name that can be shown and compared: some characters, none of them invisible. */
const isName = (text: unknown): text is string =>
  typeof text === 'string' &&
  text.trim() !== '' &&
  text.length <= MAX_NAME_CHARS &&
  !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text);

/**
 * An auth provider of which the server can rely on this: no caller carries a reserved scope, a
 * scope that a role confers, or `*`, unless the provider is `none`; every caller has a name; the
 * provider is called what it was asked for as. Scopes that are taken away are logged once.
 */
export function guardAuth(provider: AuthProvider, { name, humanScopes, log }: Guarded): AuthProvider {
  const warned = new Set<string>();
  const isAllowed = (scope: string): boolean => name === 'none' || !isHumanScope(scope, humanScopes);
  const admitted = (caller: Caller): AuthVerdict => {
    if (!isName(caller.clientId))
      return {
        kind: 'refused',
        error: 'invalid_token',
        detail: 'the credential names a caller that is empty, too long or not printable',
      };
    const dropped = caller.scopes.filter((scope) => !isAllowed(scope) && !warned.has(scope));
    for (const scope of dropped) warned.add(scope);
    if (dropped.length > 0)
      log.warn('scopes that belong to people were taken from a caller', {
        provider: name,
        clientId: caller.clientId,
        scopes: dropped,
      });
    return {
      kind: 'caller',
      caller: {
        clientId: caller.clientId,
        clientName: isName(caller.clientName) ? caller.clientName : caller.clientId,
        provider: name,
        scopes: caller.scopes.filter(isAllowed),
        assurance: name === 'none' ? 'asserted' : caller.assurance,
      },
    };
  };
  return {
    warnings: provider.warnings,
    identities: provider.identities,
    signIn: provider.signIn ?? null,
    info: () => ({ ...provider.info(), mode: name }),
    authenticate: async (credentials) => {
      const verdict = await provider.authenticate(credentials);
      switch (verdict.kind) {
        case 'caller':
          return admitted(verdict.caller);
        case 'refused':
          return verdict;
        default:
          throw new KitError('KIT_PLUGIN_CALL_FAILED', `the auth provider ${name} gave an answer that is none`);
      }
    },
  };
}

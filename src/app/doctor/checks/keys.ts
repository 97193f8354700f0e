import { NEW_OAUTH_KEY, OAUTH_KEY_FORM, type OauthKeyState } from '../../../domain/oauth-key.js';
import type { StoredLogin } from '../../../domain/ports/credential-source.js';
import type { DoctorCheck } from '../../../view/doctor-report.js';
import { loginLine } from '../../../view/login-line.js';
import type { ProviderDetails } from '../../providers/providers-app.js';
import { fail, ok, skipped, warn } from './check.js';

/**
 * A provider that a topology uses. Whether its key is right is not asked: that would be a call that
 * costs.
 */
export function checkProvider({ id, state }: Pick<ProviderDetails, 'id' | 'state'>): DoctorCheck {
  const own = `provider.${id}`;
  switch (state.kind) {
    case 'ready':
      return ok(own, state.variable === null ? 'no key is needed' : `${state.variable} is set`);
    case 'needs':
      return fail(own, `${state.variable} is not set`, `export ${state.variable}=<your key>`);
    case 'invalid':
      return fail(own, state.reason, `kit providers show ${id}`);
  }
}

/** A credential that gives a value; a login that ends soon is told of nowhere else. */
export function checkCredential(ref: string, source: string, logins: readonly StoredLogin[]): DoctorCheck {
  const id = `credential.${ref}`;
  const ending = logins.find(({ endsSoon }) => endsSoon !== null);
  if (ending === undefined) return ok(id, `its ${source} source gives a value`);
  return warn(id, `the login of ${ending.owner} ends at ${ending.endsAt}`, loginLine(ending));
}

/** Where the key comes from that signs decisions; its text is never looked at here. */
export type SigningKeyFacts =
  | { readonly kind: 'none'; readonly path: string }
  | { readonly kind: 'good'; readonly source: string; readonly keyId: string }
  | { readonly kind: 'bad'; readonly message: string; readonly hint: string | null };

export function checkSigningKey(facts: SigningKeyFacts): DoctorCheck {
  const id = 'signing-key';
  switch (facts.kind) {
    case 'none':
      return ok(id, `none yet: the first decision makes ${facts.path}`);
    case 'good':
      return ok(id, `${facts.source}, key id ${facts.keyId}`);
    case 'bad':
      return fail(id, facts.message, facts.hint);
  }
}

export function checkOauthKey(state: OauthKeyState): DoctorCheck {
  switch (state) {
    case 'set':
      return ok('oauth-key', 'KIT_OAUTH_KEY is set');
    case 'malformed':
      return fail('oauth-key', `KIT_OAUTH_KEY is not a key: ${OAUTH_KEY_FORM}`, NEW_OAUTH_KEY);
    case 'unset':
      return skipped('oauth-key', 'KIT_OAUTH_KEY is not set; kit serve --profile production demands it', NEW_OAUTH_KEY);
  }
}

/** Whose login a run misses. */
export interface MissingLogin {
  readonly credential: string;
  readonly owner: string;
}

/**
 * Codes of a login that is over. They end the run: a person has to act, and no model is told
 * (docs/connections.md#when-a-token-is-refreshed).
 */
export type LoginOver = 'KIT_CONSENT_REQUIRED' | 'KIT_CREDENTIAL_EXPIRED';

export const isLoginOver = (code: string): code is LoginOver =>
  code === 'KIT_CONSENT_REQUIRED' || code === 'KIT_CREDENTIAL_EXPIRED';

/** The error of a run that a person has to log in for; `missingLoginIn` reads it again. */
export const consentText = ({ credential, owner }: MissingLogin, why: string): string =>
  `the credential ${credential} of ${owner} needs a login: ${why}`;

/** The error of a run whose token ended while it worked; `missingLoginIn` reads it again. */
export const expiredText = ({ credential, owner }: MissingLogin, why: string): string =>
  `the token for the credential ${credential} of ${owner} has ended: ${why}`;

/** Null: the error says nothing of a login. Names of agents may stand before what it says. */
export function missingLoginIn(error: string | null): MissingLogin | null {
  const [, credential, owner] =
    /(?:^|: )the (?:token for the )?credential (\S{1,200}) of (.{1,500}?) (?:needs a login|has ended): /.exec(
      (error ?? '').slice(0, 4_000),
    ) ?? [];
  return credential === undefined || owner === undefined ? null : { credential, owner };
}

/** Two spellings of one address, with or without a slash at the end, are one endpoint. */
export const isSameEndpoint = (one: string, other: string): boolean => {
  const [a, b] = [URL.parse(one), URL.parse(other)];
  return a !== null && b !== null && a.href.replace(/\/$/, '') === b.href.replace(/\/$/, '');
};

/** Whose login a run misses. */
export interface MissingLogin {
  readonly credential: string;
  readonly owner: string;
}

/** The error of a run that a person has to log in for; `missingLoginIn` reads it again. */
export const consentText = ({ credential, owner }: MissingLogin, why: string): string =>
  `the credential ${credential} of ${owner} needs a login: ${why}`;

/** Null: the error says nothing of a login. */
export function missingLoginIn(error: string | null): MissingLogin | null {
  const [, credential, owner] = /^the credential (\S{1,200}) of (.{1,500}?) needs a login: /.exec(error ?? '') ?? [];
  return credential === undefined || owner === undefined ? null : { credential, owner };
}

/** What was tried, and what the server said of it. */
export interface Refused {
  /** The words of the server, in a clause. */
  readonly why: string;
  /** Name of its auth provider. */
  readonly mode: string;
  /** People sign in at an issuer, and paste at most what they got elsewhere. */
  readonly hasIssuer: boolean;
}

/** What a server asks for. */
export const secretOf = (mode: string): string => (mode === 'api_key' ? 'API key' : 'token');

/** Why somebody was not let in, and what they can do about it. */
export function refusedWords({ why, mode, hasIssuer }: Refused): string {
  const said = `${why.slice(0, 1).toUpperCase()}${why.slice(1).replace(/\.$/, '')}.`;
  return hasIssuer
    ? `${said} Sign in again, or ask whoever runs this server for access.`
    : `${said} Paste the whole ${secretOf(mode)}, or ask whoever runs this server for a new one.`;
}

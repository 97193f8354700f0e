import { type CredentialReport, oneLine, timeText } from '@kit-run/kit/command';
import type { StoredLogin } from '@kit-run/kit/plugin';

const MAX_CHARS = 200;

/** Until when, and what a person has to do about it. */
function stateOf(login: StoredLogin): string {
  if (login.flaw !== null) return `needs a login: ${oneLine(login.flaw, MAX_CHARS)}`;
  const until = login.expiresAt === null ? 'no end is known' : `until ${timeText(login.expiresAt)}`;
  const renewed = login.hasRefreshToken ? ', is refreshed' : '';
  const soon =
    login.endsSoon === null
      ? ''
      : `; LOGIN ENDS ${login.endsSoon === 'day' ? 'within a day' : 'within a week'} (${timeText(login.endsAt)})`;
  return `${login.isExpired && !login.hasRefreshToken ? `ended ${timeText(login.expiresAt)}` : until}${renewed}${soon}`;
}

function linesOf({ credential, source, problem, logins }: CredentialReport): readonly string[] {
  const state = problem === null ? 'resolves' : `DOES NOT RESOLVE: ${oneLine(problem, MAX_CHARS)}`;
  return [
    `${credential}  ${source}  ${state}`,
    ...logins.map(
      (login) => `  ${oneLine(login.owner, 80)} at ${login.provider ?? 'a provider unknown'}: ${stateOf(login)}`,
    ),
  ];
}

/** The credentials of a workspace for people, without a value. */
export const credentialsText = (reports: readonly CredentialReport[]): string =>
  reports.length === 0 ? 'the workspace names no credential' : reports.flatMap(linesOf).join('\n');

import {
  type CredentialReport,
  KitCommand,
  oneLine,
  onlyHere,
  timeText,
  toWireCredential,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
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
const credentialsText = (reports: readonly CredentialReport[]): string =>
  reports.length === 0 ? 'the workspace names no credential' : reports.flatMap(linesOf).join('\n');

export class CredentialsList extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'List the credentials of a workspace: which resolve, who logged in, and until when.';
  static override description = 'Shows no value. A login that ends within a week is marked.';
  static override args = { workspace: workspaceArg };
  static override flags = { workspace: workspaceFlag };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(CredentialsList);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const credentials = await this.kit.connections.credentials(workspace);
    this.log(credentialsText(credentials));
    return { credentials: credentials.map(toWireCredential) };
  }
}

import { Args, Flags, KitCommand, KitError, onlyHere, workspaceFlag } from '@kit-run/kit/command';
import { LOCAL_OWNER } from '../../cli/owner.js';

export class CredentialsLogout extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Remove the token of a login, and revoke it if its provider supports that.';
  static override description = 'The entry of workspace.yaml stays.';
  static override args = {
    credential: Args.string({ required: true, description: 'Entry of `credentials`.' }),
  };
  static override flags = {
    workspace: workspaceFlag,
    owner: Flags.string({ description: 'Whose login.', default: LOCAL_OWNER, helpValue: 'IDENTITY' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(CredentialsLogout);
    const { credential } = args;
    const workspace = this.workspaceDir({ flag: flags.workspace });
    const removed = await this.kit.connections.remove({ workspace, credential, owner: flags.owner });
    if (!removed.isDeleted) throw new KitError('KIT_CREDENTIAL_UNKNOWN', removed.detail);
    this.log(`removed the login of ${flags.owner} for ${credential}: ${removed.detail}`);
    return { deleted: true, revoked_upstream: removed.isRevokedUpstream, detail: removed.detail };
  }
}

import { KitCommand, workspaceArg, workspaceFlag } from '@kit-run/kit/command';

export class CredentialsRotateKey extends KitCommand {
  static override summary = 'Encrypt everything that is kept of logins with the newest key.';
  static override description =
    'With KIT_OAUTH_KEY: set it to the new key, a comma and the old one in every process first, run this, and leave the old one out then. Without it the key file gets a new key.';
  static override args = { workspace: workspaceArg };
  static override flags = { workspace: workspaceFlag };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(CredentialsRotateKey);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const { rows, source } = await this.kit.connections.rotateKey(workspace);
    if (source === null) this.log('nothing is kept of logins here, and no key of them');
    else this.log(`encrypted ${rows} ${rows === 1 ? 'row' : 'rows'} anew, with the newest key of ${source}`);
    return { rows, source };
  }
}

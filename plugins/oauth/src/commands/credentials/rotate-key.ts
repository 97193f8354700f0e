import { KitCommand, onlyHere, workspaceArg, workspaceFlag } from '@kit-run/kit/command';

export class CredentialsRotateKey extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Encrypt all stored logins again with the newest key.';
  static override description =
    'With KIT_OAUTH_KEY: 1. set it to `NEW,OLD` in every process; 2. run this command; 3. set it to `NEW`. Without it, kit writes a new key into the key file.';
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

import { KitCommand, onlyHere, toWireCredential, workspaceArg, workspaceFlag } from '@kit-run/kit/command';
import { credentialsText } from '../../cli/list-text.js';

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

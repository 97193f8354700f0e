import { Args, KitCommand } from '@kit-run/kit/command';
import { asFlag, serverNamed } from '../../server-named.js';

export class AuthLogout extends KitCommand {
  static override summary = 'Forget the key that is kept for a server.';
  static override description = 'The key itself stays valid until the operator of the server revokes it.';
  static override args = {
    server: Args.string({ description: 'Address of the server (default: KIT_SERVER).' }),
  };
  static override flags = asFlag;

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(AuthLogout);
    const server = serverNamed(args.server ?? flags.server, this.settings);
    const forgotten = await this.kit.logins.forget(server);
    this.log(forgotten ? `nothing is kept for ${server} any more` : `nothing was kept for ${server}`);
    return { server, forgotten };
  }
}

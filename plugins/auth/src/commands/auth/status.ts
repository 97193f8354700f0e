import { Args, isKitError, KitCommand, oneLine } from '@kit-run/kit/command';
import { asFlag } from '../../server-named.js';

export class AuthStatus extends KitCommand {
  static override summary = 'Show who you are on each server, and whether the stored key is still valid.';
  static override description = 'With an address: that server only. Exit code 1: the server does not accept the key.';
  static override args = {
    server: Args.string({
      description: 'Address of a server (default: KIT_SERVER and each server with a stored key).',
    }),
  };
  static override flags = asFlag;

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(AuthStatus);
    const { path, kept, server, hasVariable } = await this.kit.logins.status();
    const known = server === null ? [] : [server];
    const named = args.server ?? flags.server;
    const asked = named === undefined ? [...new Set([...known, ...kept.map((one) => one.origin)])] : [named];
    if (asked.length === 0)
      this.log('no key is kept, and KIT_SERVER is not set; sign in with: kit auth login <address>');
    const servers: Readonly<Record<string, unknown>>[] = [];
    for (const address of asked) servers.push(await this.check(address));
    if (hasVariable) this.log('KIT_TOKEN is set and wins over what is kept');
    if (servers.some(({ identity }) => identity === null)) this.exitWith(1);
    return { servers, path, kit_token: hasVariable };
  }

  private async check(address: string): Promise<Readonly<Record<string, unknown>>> {
    try {
      const { identity, workspace, scopes } = await this.kit.logins.check(address);
      this.log(`${address}  workspace ${workspace}, as ${identity}, for ${scopes.join(' ')}`);
      return { server: address, identity, workspace, scopes };
    } catch (error) {
      if (!isKitError(error)) throw error;
      this.log(`${oneLine(address, 200)}  ${error.message}${error.hint === undefined ? '' : ` (${error.hint})`}`);
      return { server: address, identity: null, code: error.code, message: error.message };
    }
  }
}

import { Args, isKitError, KitCommand, oneLine } from '@kit-run/kit/command';

export class AuthStatus extends KitCommand {
  static override summary = 'Show who you are at servers: which keys are kept, and whether they still hold.';
  static override description = 'With an address that server alone. Exit 1: it does not know you now.';
  static override args = {
    server: Args.string({ description: 'Address of a server (default: KIT_SERVER, and every one a key is kept for).' }),
  };

  override async run(): Promise<unknown> {
    const { args } = await this.parse(AuthStatus);
    const { path, kept, server, hasVariable } = await this.kit.logins.status();
    const known = server === null ? [] : [server];
    const asked =
      args.server === undefined ? [...new Set([...known, ...kept.map((one) => one.origin)])] : [args.server];
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

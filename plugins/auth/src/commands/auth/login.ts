import { Args, KitCommand, KitError } from '@kit-run/kit/command';
import { serverNamed } from '../../server-named.js';

export class AuthLogin extends KitCommand {
  static override summary = 'Sign in to a server: paste a key or a token, which is kept for this address alone.';
  static override description =
    'The key is asked for on the terminal, without an echo, or read from stdin. It is tried first, and kept in a file that only you can read; KIT_TOKEN wins over it.';
  static override examples = [
    '<%= config.bin %> auth login https://kit.example.com',
    '<%= config.bin %> auth login https://kit.example.com < key.txt',
  ];
  static override args = {
    server: Args.string({ description: 'Address of the server (default: KIT_SERVER).' }),
  };

  override async run(): Promise<unknown> {
    const { args } = await this.parse(AuthLogin);
    const { address, mode } = await this.kit.logins.ask(serverNamed(args.server, this.settings));
    if (mode === 'none') {
      this.log(`${address} asks nobody who they are: there is nothing to sign in to`);
      return { server: address, mode };
    }
    const token = await this.askKey(`${mode === 'api_key' ? 'key' : 'token'} for ${address}:`);
    const { identity, workspace, scopes } = await this.kit.logins.keep(address, token);
    this.log(`signed in to ${address} (workspace ${workspace}) as ${identity}, for ${scopes.join(' ')}`);
    this.log(`next: kit status --server ${address}`);
    return { server: address, mode, identity, workspace, scopes };
  }

  private async askKey(question: string): Promise<string> {
    const missing = new KitError('KIT_USAGE', 'no key was given', {
      hint: 'Paste it on a terminal, or hand it over on stdin: kit auth login URL < key.txt',
    });
    const given = this.settings.stdinIsInput ? await this.readAll() : await this.secret(question, missing);
    const token = (given ?? '').trim();
    if (token === '') throw missing;
    // What no header can hold is no key, and is not said again.
    if (!/^[\x21-\x7e]+$/.test(token))
      throw new KitError('KIT_USAGE', 'what was given is no key: it holds a blank, a line break or another sign', {
        hint: 'Paste the key alone, on one line.',
      });
    return token;
  }

  private async readAll(): Promise<string> {
    let text = '';
    for await (const piece of this.io.stdin) {
      text += String(piece);
      if (text.length > MAX_CHARS) break;
    }
    return text;
  }
}

/** More than any key or token holds. */
const MAX_CHARS = 65_536;

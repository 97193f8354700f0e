import { Args, type AskedServer, Flags, isKitError, KitCommand, KitError, type SignedIn } from '@kit-run/kit/command';
import { asFlag, serverNamed } from '../../server-named.js';

/** Where the browser of another machine ends: nobody listens there, and the address is pasted. */
const NOBODY = 'http://127.0.0.1:1/callback';

export class AuthLogin extends KitCommand {
  static override summary = 'Sign in to a server in a browser, or with a pasted key or token.';
  static override description =
    'If the server names an issuer with a client, kit opens a browser and waits for the login. --no-browser prints the address to open on any machine; paste the address at which that browser ends. Otherwise, and with --paste, kit asks for the key on the terminal without showing it, or reads it from stdin. The key is tested, then kept for this address in a file that only you can read. KIT_TOKEN has precedence over it.';
  static override examples = [
    '<%= config.bin %> auth login https://kit.example.com',
    '<%= config.bin %> auth login https://kit.example.com --no-browser',
    '<%= config.bin %> auth login https://kit.example.com < key.txt',
  ];
  static override args = {
    server: Args.string({ description: 'Address of the server (default: KIT_SERVER).' }),
  };
  static override flags = {
    ...asFlag,
    paste: Flags.boolean({ description: 'Paste a key or a token instead of using a browser.' }),
    browser: Flags.boolean({ description: 'Open a browser.', default: true, allowNo: true, exclusive: ['paste'] }),
    port: Flags.integer({
      description: 'Port on this machine to which the browser returns (default: any free one).',
      min: 1,
      max: 65_535,
      exclusive: ['paste'],
    }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(AuthLogin);
    const server = serverNamed(args.server ?? flags.server, this.settings);
    const { address, mode, signIn } = await this.kit.logins.ask(server);
    if (mode === 'none') {
      this.log(`${address} asks nobody who they are: there is nothing to sign in to`);
      return { server: address, mode };
    }
    if (signIn === null && (!flags.browser || flags.port !== undefined))
      throw new KitError('KIT_USAGE', `${address} has no login through a browser`, {
        hint: `Paste the ${wordFor(mode)} that you were given: kit auth login ${address}`,
      });
    const { identity, workspace, scopes } = await this.byWhatThereIs({ server, signIn, mode, address }, flags);
    this.log(`signed in to ${address} (workspace ${workspace}) as ${identity}, for ${scopes.join(' ')}`);
    if ((await this.kit.logins.status()).hasVariable)
      this.printLine('! KIT_TOKEN is set, and wins over this login: unset it');
    this.log(`next: kit status --server ${address}`);
    return { server: address, mode, identity, workspace, scopes };
  }

  /** A key on stdin is why somebody pipes; else the browser, where the issuer is known. */
  private async byWhatThereIs({ server, signIn, mode, address }: LoginRequest, flags: Chosen): Promise<SignedIn> {
    if (signIn !== null && !flags.browser) return this.byHand({ server, signIn, port: flags.port ?? null });
    const piped = this.settings.stdinIsInput ? await this.readAll() : '';
    if (piped.trim() === '' && signIn !== null && !flags.paste)
      return this.untilAsked((signal) =>
        this.kit.logins.inBrowser({
          port: flags.port ?? 0,
          begin: (redirectUri) => this.kit.logins.begin(server, signIn, redirectUri),
          says: ({ identity }) => `${identity} at ${address}. You can close this page.`,
          print: (line) => this.printLine(line),
          signal,
        }),
      );
    const key = await this.keyOf(piped, { kind: wordFor(mode), address });
    try {
      return await this.kit.logins.keep(server, key);
    } catch (error) {
      if (!isKitError(error) || error.code !== 'KIT_UNAUTHENTICATED') throw error;
      throw new KitError(error.code, error.message, {
        hint: `Nothing was kept. Paste the whole ${wordFor(mode)}, or ask whoever runs the server for another one.`,
      });
    }
  }

  private async byHand({ server, signIn, port }: Way): Promise<SignedIn> {
    const redirectUri = port === null ? NOBODY : `http://127.0.0.1:${port}/callback`;
    const begun = await this.kit.logins.begin(server, signIn, redirectUri);
    const nobody = new KitError('KIT_USAGE', 'there is nobody to paste an address', {
      hint: 'Run it in a terminal, or pipe the address in.',
    });
    const { stdinIsTty, stdinIsInput } = this.settings;
    if (!stdinIsTty && !stdinIsInput) throw nobody;
    this.printLine('open this address in a browser anywhere; at the end it shows a page that cannot be reached');
    this.printLine(begun.authorizationUrl);
    const pasted = stdinIsTty
      ? ((await this.question('Paste the address of that page:', nobody)) ?? '')
      : await this.readAll();
    const text = pasted.trim();
    return begun.finish(URL.parse(text)?.search.slice(1) ?? text.replace(/^\?/, ''));
  }

  /** For the person who waits, under `--json` as well: without it nobody can sign in. */
  private printLine(line: string): void {
    this.io.stderr.write(`${line}\n`);
  }

  private async keyOf(
    piped: string,
    { kind, address }: { readonly kind: string; readonly address: string },
  ): Promise<string> {
    const missing = new KitError('KIT_USAGE', 'no key was given', {
      hint: `Paste it on a terminal, or hand it over on stdin: kit auth login ${address} < key.txt`,
    });
    const given = this.settings.stdinIsInput ? piped : await this.secret(`${kind} for ${address}:`, missing);
    const token = (given ?? '').trim();
    if (token === '') throw missing;
    // What no header can hold is not a key, and is not said again.
    if (!/^[\x21-\x7e]+$/.test(token))
      throw new KitError('KIT_USAGE', 'the text is not a key: it holds a blank, a line break or another character', {
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

/** The server, and what it said of itself. */
interface LoginRequest extends AskedServer {
  /** As it was named. */
  readonly server: string;
}

interface Chosen {
  readonly paste: boolean;
  readonly browser: boolean;
  readonly port: number | undefined;
}

/** Which sign-in, and where it comes back to. */
interface Way {
  readonly server: string;
  readonly signIn: NonNullable<AskedServer['signIn']>;
  /** Null: nobody listens there. */
  readonly port: number | null;
}

const wordFor = (mode: string): string => (mode === 'api_key' ? 'key' : 'token');

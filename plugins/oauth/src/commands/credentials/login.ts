import { randomBytes } from 'node:crypto';
import {
  Args,
  Flags,
  KitCommand,
  KitError,
  type LoginStart,
  oneLine,
  onlyHere,
  toWireLogin,
  workspaceFlag,
} from '@kit-run/kit/command';
import type { StoredLogin } from '@kit-run/kit/plugin';
import { LOCAL_OWNER } from '../../cli/owner.js';
import { pastedQuery, readPasted } from '../../cli/pasted.js';

/** Where the browser of another machine ends: nobody listens there, and the address is pasted. */
const NOBODY = 'http://127.0.0.1:1/callback';

export class CredentialsLogin extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Log in at the server that a credential is for, and keep the token encrypted.';
  static override description =
    'Opens the page of the provider in a browser and waits at this machine for the answer. With --no-browser it prints the address, and takes the one that a browser elsewhere ended at. With --device it prints a code to type in elsewhere, where the provider offers that.';
  static override examples = [
    '<%= config.bin %> credentials login tracker',
    '<%= config.bin %> credentials login tracker --no-browser',
    '<%= config.bin %> credentials login tracker --client-id kit --port 8765',
  ];
  static override args = {
    credential: Args.string({ required: true, description: 'Entry of `credentials` with the source `oauth`.' }),
  };
  static override flags = {
    workspace: workspaceFlag,
    owner: Flags.string({ description: 'Whose login it is.', default: LOCAL_OWNER, helpValue: 'IDENTITY' }),
    endpoint: Flags.string({ description: 'Server of an entry that names none yet.', helpValue: 'URL' }),
    scope: Flags.string({ description: 'Ask for this scope; may be repeated.', multiple: true }),
    'client-id': Flags.string({ description: 'A client that is registered there already.', helpValue: 'ID' }),
    'client-secret': Flags.string({
      description: 'Entry of `credentials` that holds the secret of that client.',
      helpValue: 'CREDENTIAL',
    }),
    port: Flags.integer({
      description: 'Port on this machine to which the browser returns (default: any free one).',
      min: 1,
      max: 65_535,
      exclusive: ['device'],
    }),
    browser: Flags.boolean({ description: 'Open a browser.', default: true, allowNo: true }),
    device: Flags.boolean({ description: 'Log in with a code that is typed in elsewhere.' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(CredentialsLogin);
    const start: LoginStart = {
      workspace: this.workspaceDir({ flag: flags.workspace }),
      credential: args.credential,
      endpoint: flags.endpoint ?? null,
      owner: flags.owner,
      scopes: flags.scope ?? null,
      clientId: flags['client-id'] ?? null,
      clientSecretRef: flags['client-secret'] ?? null,
    };
    const login = flags.device
      ? await this.byDevice(start)
      : flags.browser
        ? await this.untilAsked((asked) => this.byBrowser(start, flags.port ?? 0, asked))
        : await this.byHand(start, flags.port === undefined ? NOBODY : `http://127.0.0.1:${flags.port}/callback`);
    this.log(`logged in: ${textOf(login)}`);
    return toWireLogin(login);
  }

  private byDevice(start: LoginStart): Promise<StoredLogin> {
    return this.kit.connections.device(start, ({ userCode, verificationUri, verificationUriComplete, expiresInS }) => {
      this.printLine(`open ${verificationUriComplete ?? verificationUri} anywhere, and type in ${userCode}`);
      this.printLine(`the code holds for ${Math.ceil(expiresInS / 60)} minutes; waiting`);
    });
  }

  private byBrowser(start: LoginStart, port: number, signal: AbortSignal): Promise<StoredLogin> {
    const { connections, logins } = this.kit;
    const { workspace } = start;
    return logins.inBrowser({
      port,
      begin: async (redirectUri) => {
        const binding = randomBytes(32).toString('base64url');
        const begun = await connections.begin({ ...start, redirectUri, binding, clientMetadataUrl: null });
        return { ...begun, finish: (query) => connections.finish({ workspace, query, binding }) };
      },
      says: (login) => `${textOf(login)}. You can close this page.`,
      print: (line) => this.printLine(line),
      signal,
    });
  }

  private async byHand(start: LoginStart, redirectUri: string): Promise<StoredLogin> {
    const { connections } = this.kit;
    const binding = randomBytes(32).toString('base64url');
    const { stdinIsTty, stdinIsInput } = this.settings;
    const nobody = new KitError('KIT_USAGE', 'there is nobody to paste an address', {
      hint: 'Run it in a terminal, pipe the address in, or log in with --device.',
    });
    if (!stdinIsTty && !stdinIsInput) throw nobody;
    const begun = await connections.begin({ ...start, redirectUri, binding, clientMetadataUrl: null });
    this.printLine('open this address in a browser anywhere; at the end it shows a page that cannot be reached');
    this.printLine(begun.authorizationUrl);
    const pasted = stdinIsTty
      ? await this.question('Paste the address of that page:', nobody)
      : await readPasted(this.io.stdin);
    const query = pastedQuery(pasted ?? '', begun.state);
    return connections.finish({ workspace: start.workspace, query, binding });
  }

  /** For the person who waits, under `--json` as well: without it nobody can log in. */
  private printLine(line: string): void {
    this.io.stderr.write(`${line}\n`);
  }
}

const textOf = ({ credential, owner, provider }: StoredLogin): string =>
  oneLine(`${credential} for ${owner} at ${provider ?? 'its provider'}`, 400);

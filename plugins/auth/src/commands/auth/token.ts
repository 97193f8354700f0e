import { randomBytes } from 'node:crypto';
import { Args, Flags, KitCommand, onlyHere } from '@kit-run/kit/command';
import { type KeyRequest, keyEntry, keyText } from '../../key-text.js';

/** 43 characters as base64url: what 256 bits come to. */
const SECRET_BYTES = 32;

export class AuthToken extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Make a key for a caller of the server and show how to wire it; nothing is stored.';
  static override description =
    'The secret is shown once. The workspace holds a reference to an environment variable, never the secret; the server keeps its digest.';
  static override examples = [
    '<%= config.bin %> auth token ci --tier run',
    '<%= config.bin %> auth token alice --tier run --client-name "Alice Ito"',
  ];
  static override args = {
    'client-id': Args.string({
      required: true,
      description: 'Id of the caller. Members of roles and callers share one namespace.',
    }),
  };
  static override flags = {
    tier: Flags.string({
      default: 'read',
      options: ['read', 'run', 'admin'],
      description: 'What the caller may do; each tier includes the ones before it.',
    }),
    'client-name': Flags.string({ description: 'Name shown to people; default: the client id.' }),
    'env-var': Flags.string({
      description: 'Variable that holds the secret; default: the client id in upper case with _TOKEN.',
    }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(AuthToken);
    const request: KeyRequest = {
      clientId: args['client-id'],
      clientName: flags['client-name'] ?? null,
      tier: flags.tier,
      variable: flags['env-var'] ?? null,
    };
    const entry = keyEntry(request);
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    for (const line of keyText(entry, secret)) this.log(line);
    return { secret, env_var: entry.variable, entry: entry.yaml };
  }
}

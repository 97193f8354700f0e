import { Flags } from '@kit-run/kit/command';
import { idArg, NewPartCommand, partFlags } from '../../new/new-part-command.js';

/** Writes a model provider. */
export class NewProvider extends NewPartCommand {
  static override summary = 'Write a model provider: an address that uses the format of a known one.';
  static override examples = [
    '<%= config.bin %> new provider company --base-url https://models.example.org/v1 --key-env COMPANY_KEY',
    '<%= config.bin %> new provider local --extends ollama',
  ];
  static override args = { id: idArg };
  static override flags = {
    ...partFlags,
    extends: Flags.string({
      description: 'Family or provider whose format it uses; `kit providers list` shows them.',
      default: 'openai-compatible',
      helpValue: 'FAMILY',
    }),
    'base-url': Flags.string({ description: 'Its address.', helpValue: 'URL' }),
    'key-env': Flags.string({ description: 'Environment variable that holds the key.', helpValue: 'NAME' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(NewProvider);
    return this.make(flags, {
      part: 'provider',
      id: await this.idOf('provider', args.id),
      family: flags.extends,
      baseUrl: flags['base-url'] ?? null,
      keyEnv: flags['key-env'] ?? null,
    });
  }
}

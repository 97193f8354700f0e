import { Args, KitCommand, KitError, onlyHere } from '@kit-run/kit/command';
import { preferenceCalled, SETTINGS } from '../../config-name.js';

export class ConfigSet extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Set a value once for all your workspaces.';
  static override description = SETTINGS;
  static override examples = ['<%= config.bin %> config set identity qa-1'];
  static override args = {
    name: Args.string({ required: true, description: 'What to set.' }),
    value: Args.string({ required: true, description: 'New value.' }),
  };

  override async run(): Promise<unknown> {
    const { args } = await this.parse(ConfigSet);
    const name = preferenceCalled(args.name);
    const value = args.value.trim();
    if (value === '')
      throw new KitError('KIT_USAGE', `${name} is set to an empty text`, {
        hint: `Take it away: kit config unset ${name}`,
      });
    await this.kit.preferences.set(name, value);
    const { path } = await this.kit.preferences.read();
    this.log(`${name} is ${value} (${path})`);
    return { name, value, path };
  }
}

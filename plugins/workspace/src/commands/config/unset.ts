import { Args, KitCommand, onlyHere } from '@kit-run/kit/command';
import { preferenceCalled } from '../../config-name.js';

export class ConfigUnset extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Take away what was set with `kit config set`.';
  static override args = { name: Args.string({ required: true, description: 'What to take away.' }) };

  override async run(): Promise<unknown> {
    const { args } = await this.parse(ConfigUnset);
    const name = preferenceCalled(args.name);
    await this.kit.preferences.set(name, null);
    this.log(`${name} is not set`);
    return { name, value: null };
  }
}

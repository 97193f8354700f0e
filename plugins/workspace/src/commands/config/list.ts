import { KitCommand, oneLine, onlyHere } from '@kit-run/kit/command';
import { SETTINGS } from '../../config-name.js';

export class ConfigList extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'List your settings, which apply to all your workspaces.';
  static override description = SETTINGS;

  override async run(): Promise<unknown> {
    await this.parse(ConfigList);
    const { path, values } = await this.kit.preferences.read();
    const set = Object.entries(values);
    if (set.length === 0) this.log('nothing is set');
    for (const [name, value] of set) this.log(`${name}  ${oneLine(value, 200)}`);
    return { path, values };
  }
}

// Runs one command of @oclif/plugin-plugins in a process of its own: argv = package root, command
// id, arguments. The environment says where the plugins lie (KIT_DATA_DIR) and that no lifecycle
// script runs.
import { Config, Plugin } from '@oclif/core';
import { commands } from '@oclif/plugin-plugins';
import { messageOf } from '../../domain/errors.js';

const [packageRoot, id, ...args] = process.argv.slice(2);

/**
 * The library loads what it has installed; here that must not import modules. Whether a package is
 * a plugin is examined afterwards, where a refusal can say why.
 */
function neverImport(): void {
  const load = Plugin.prototype.load;
  Plugin.prototype.load = async function (this: Plugin): Promise<void> {
    Object.assign(this, { getCommandIDs: async () => [] });
    await load.call(this);
    this.valid = true;
  };
}

async function runCommand(): Promise<void> {
  if (packageRoot === undefined) throw new Error('the package root is missing');
  const root = new Plugin({ root: packageRoot, isRoot: true });
  await root.load();
  neverImport();
  const config = await Config.load({ root: packageRoot, plugins: new Map([[root.name, root]]) });
  switch (id) {
    case 'plugins:install':
      return void (await commands['plugins:install'].run(args, config));
    case 'plugins:link':
      return void (await commands['plugins:link'].run(args, config));
    case 'plugins:uninstall':
      return void (await commands['plugins:uninstall'].run(args, config));
    default:
      throw new Error(`no command ${id}`);
  }
}

runCommand().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
});

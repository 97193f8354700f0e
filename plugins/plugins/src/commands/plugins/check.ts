import { Args, Flags, KitCommand, KitError, onlyHere } from '@kit-run/kit/command';
import { pluginCheckText } from '@kit-run/kit/text/plugin-check-text';

/** Checks a plugin as its author would before publishing it. */
export class PluginsCheck extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary =
    'Check a plugin: its manifest, its files, the loading of its modules, and the contracts of its extension points.';
  static override description =
    "Runs the plugin's code, so check only what you would install. Each module is loaded in a process of its own that can write no file and start no process; each contribution is then created, with no network and made-up secrets, and run against the contract of its point. test/contract.json of the plugin tells the suite which configuration to use. Lifecycle scripts never run. Exit code 0: all checks passed; 1: a check failed; 2: no plugin in the directory.";
  static override examples = [
    '<%= config.bin %> plugins check .',
    '<%= config.bin %> plugins check ./kit-plugin-echo --test',
    '<%= config.bin %> plugins check . --write-manifest',
    '<%= config.bin %> plugins check --explain executors',
  ];
  static override args = { directory: Args.string({ description: 'Directory with the package.json of the plugin.' }) };
  static override flags = {
    test: Flags.boolean({ description: "Also run the plugin's own tests (test/*.test.js) with `node --test`." }),
    'write-manifest': Flags.boolean({ description: 'First write oclif.manifest.json from the commands as they are.' }),
    explain: Flags.string({
      description: 'Print the page of an extension point: interface, rules, the cases of its contract.',
      helpValue: 'POINT',
    }),
    verbose: Flags.boolean({ char: 'v', description: 'Show every check, also those that passed.' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(PluginsCheck);
    if (flags.explain !== undefined) return this.explain(flags.explain);
    if (args.directory === undefined)
      throw new KitError('KIT_USAGE', 'the name of the plugin is missing', {
        hint: 'Name its directory: `kit plugins check .`',
      });
    const report = await this.kit.plugins.check({
      directory: args.directory,
      tests: flags.test,
      writeManifest: flags['write-manifest'],
    });
    this.log(pluginCheckText(report, { color: !this.settings.noColor, verbose: flags.verbose }));
    if (!report.ok) this.exitWith(1);
    return report;
  }

  private async explain(point: string): Promise<unknown> {
    const page = await this.kit.plugins.explain(point);
    this.log(page.trimEnd());
    return { point, page };
  }
}

import { relative, resolve } from 'node:path';
import { Args, Flags, KitCommand, type NewPluginPlan, onlyHere, shellWord } from '@kit-run/kit/command';

/** Each has a folder below templates/plugins. */
const POINTS = [
  ...['executors', 'governanceProviders', 'modelProviders', 'credentialSources', 'artifactStores', 'toolSources'],
  ...[
    'eventSinks',
    'evalChecks',
    'signalListeners',
    'agentTransports',
    'authProviders',
    'httpMounts',
    'triggers',
    'skillStrategies',
  ],
  ...['compressors', 'commands'],
];

/** Writes the skeleton of a plugin. */
export class PluginsNew extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Make a plugin: a skeleton whose checks and tests pass unchanged. Never overwrites a file.';
  static override description =
    'The skeleton is plain JavaScript: no build step, and nothing to install. --typescript writes TypeScript, which Node.js alone builds, and the types of this kit. `commands` makes a plugin with a command; every other word is an extension point.';
  static override examples = [
    '<%= config.bin %> plugins new executors',
    '<%= config.bin %> plugins new modelProviders ./my-models --name @acme/kit-plugin-models',
    '<%= config.bin %> plugins new executors --typescript',
    '<%= config.bin %> plugins new commands',
  ];
  static override args = {
    point: Args.string({
      description: `One of ${POINTS.join(', ')}.`,
      required: true,
    }),
    directory: Args.string({ description: 'Where to write (default: a new folder with the name of the package).' }),
  };
  static override flags = {
    name: Flags.string({
      description: 'Name of the package; ids follow from it (default: the name of the directory).',
      helpValue: 'NAME',
    }),
    typescript: Flags.boolean({ description: 'Write TypeScript, with a build and the types of this kit.' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(PluginsNew);
    const directory = args.directory === undefined ? null : resolve(this.settings.cwd, args.directory);
    const plan = await this.kit.plugins.planNew({
      point: args.point,
      directory,
      name: flags.name ?? null,
      isTypeScript: flags.typescript,
    });
    await this.kit.plugins.writeNew(plan);
    this.printPlan(plan, flags.typescript);
    return {
      directory: plan.directory,
      point: plan.point,
      package: plan.packageName,
      id: plan.id,
      files: plan.files.map(({ path }) => path),
    };
  }

  private printPlan({ directory, packageName, id, files }: NewPluginPlan, isTypeScript: boolean): void {
    const below = relative(this.settings.cwd, directory) || '.';
    const place = shellWord(below.startsWith('..') ? directory : below);
    this.log(`${packageName}${id === null ? '' : ` (${id})`} -> ${directory}`);
    const types = files.filter(({ path }) => path.startsWith('types/'));
    for (const { path } of files) if (!path.startsWith('types/')) this.log(`  ${path}`);
    if (types.length > 0) this.log(`  types/ (${types.length} files: the types of @kit-run/kit)`);
    this.log('written. Next:');
    if (isTypeScript) this.log(`  npm --prefix ${place} run build`);
    this.log(`  ${this.config.bin} plugins check ${place} --test`);
    this.log(`  ${this.config.bin} plugins link ${place} --yes`);
  }
}

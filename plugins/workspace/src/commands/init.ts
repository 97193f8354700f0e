import { relative } from 'node:path';
import { Args, Flags, type InitPlan, KitCommand, KitError } from '@kit-run/kit/command';

/** Begins a workspace from a template. */
export class Init extends KitCommand {
  static override summary = 'Begin a workspace from a template. Never overwrites a file.';
  static override description =
    'Copies a template, names a model provider from what this machine has (a key in the environment, or Ollama), and puts the line into each file by which editors find its schema. Asks before it writes; --yes answers.';
  static override examples = [
    '<%= config.bin %> init my-team',
    '<%= config.bin %> init my-team --template quickstart --yes',
    '<%= config.bin %> init --list',
  ];
  static override args = {
    directory: Args.string({ description: 'Where to write (default: the current directory).', default: '.' }),
  };
  static override flags = {
    template: Flags.string({
      char: 't',
      description: 'Which template; --list shows them.',
      default: 'hello',
      helpValue: 'NAME',
    }),
    list: Flags.boolean({ description: 'List the templates and write nothing.' }),
    yes: Flags.boolean({ char: 'y', description: 'Write without asking.' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Init);
    if (flags.list) return this.list();
    const plan = await this.kit.authoring.planInit({ directory: this.inCwd(args.directory), template: flags.template });
    this.tellPlan(plan, flags.yes);
    const refusal = new KitError('KIT_USAGE', 'nothing was written: there is no terminal to ask on', {
      hint: 'Pass --yes to write without a question.',
    });
    const isWanted = flags.yes || (await this.confirm(`Write ${plan.files.length} files?`, refusal));
    if (!isWanted) throw new KitError('KIT_USAGE', 'nothing was written', { hint: 'Answer yes, or pass --yes.' });
    await this.kit.authoring.writeInit(plan);
    this.tellNext(plan);
    return {
      directory: plan.directory,
      template: plan.template,
      files: plan.files.map(({ path }) => path),
      skipped: plan.skipped,
      provider: plan.provider.model,
      reason: plan.provider.reason,
    };
  }

  /** KIT_WORKSPACE names a workspace that exists; it says nothing about where a new one goes. */
  private inCwd(directory: string): string {
    return this.workspaceDir({ arg: directory });
  }

  private async list(): Promise<unknown> {
    const templates = await this.kit.authoring.templates();
    const width = Math.max(...templates.map(({ name }) => name.length));
    for (const { name, description } of templates) this.log(`${name.padEnd(width)}  ${description}`);
    return { templates };
  }

  private tellPlan({ directory, template, files, provider, skipped }: InitPlan, isAgreed: boolean): void {
    this.log(`template ${template} -> ${directory}${isAgreed ? '' : '; nothing is written yet, it would be:'}`);
    for (const { path } of files) this.log(`  ${path}`);
    for (const path of skipped) this.log(`  ${path} (left out: there is one)`);
    this.log(
      `provider: ${provider.model === null ? 'none, so no language model is asked' : `${provider.model.provider}/${provider.model.name}`} (${provider.reason})`,
    );
  }

  private tellNext({ directory, topologies, variables }: InitPlan): void {
    const below = relative(this.settings.cwd, directory) || '.';
    const place = below.startsWith('..') ? directory : below;
    const shown = /\s/.test(place) ? JSON.stringify(place) : place;
    this.log('written. Next:');
    // The lines below it are those of a README, which work inside the workspace.
    if (shown !== '.') this.log(`  cd ${shown}`);
    if (variables.length > 0) this.log(`  set ${variables.join(', ')} (README.md says how)`);
    this.log(`  ${this.config.bin} validate`);
    for (const topology of topologies) this.log(`  ${this.config.bin} run ${topology} --input "..."`);
    this.log(`  ${this.config.bin} serve`);
  }
}

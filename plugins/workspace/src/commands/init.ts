import { relative } from 'node:path';
import {
  Args,
  Flags,
  type FromPlan,
  type InitExtra,
  type InitPlan,
  KitCommand,
  KitError,
  oneLine,
  onlyHere,
} from '@kit-run/kit/command';
import { askedExtras, chosenTemplate, galleryLines, INIT_EXTRAS, templateCommand } from '../init/gallery-text.js';

/** As long as a command line may be; nothing of it is cut. */
const WHOLE = 20_000;

const sizeOf = (content: string | Uint8Array): string => {
  const bytes = typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength;
  return bytes < 1024 ? `${bytes} B` : `${Math.ceil(bytes / 1024)} KiB`;
};

/**
 * Where it comes from, each file, and each thing that would start a program: before anything is
 * written. Text of the source is escaped.
 */
function fromLines(plan: FromPlan, isAgreed: boolean): readonly string[] {
  const { source, directory, files, programs, leftOut, skipped } = plan;
  const what = Math.max(0, ...programs.map((program) => oneLine(program.what, WHOLE).length));
  return [
    `from ${oneLine(source, WHOLE)}`,
    `-> ${directory}${isAgreed ? '' : '; nothing is written yet, it would be:'}`,
    ...files.map(({ path, text }) => `  ${oneLine(path, WHOLE)}  ${sizeOf(text)}`),
    ...skipped.map((path) => `  ${oneLine(path, WHOLE)} (left out: there is one)`),
    ...leftOut.map((path) => `  ${oneLine(path, WHOLE)} (left out)`),
    programs.length === 0
      ? 'it starts no program, and no run by itself'
      : 'a run, a server or npm would start, as written there (nothing is started now):',
    ...programs.map(
      (program) =>
        `  ${oneLine(program.what, WHOLE).padEnd(what)}  ${oneLine(program.text, WHOLE)}  ${oneLine(program.place, WHOLE)}`,
    ),
  ];
}

/** Begins a workspace from a template, or from a workspace elsewhere. */
export class Init extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Make a workspace from a template, or from a workspace elsewhere. Never overwrites a file.';
  static override description =
    'Without --template it shows the templates: on a terminal it asks which, in a pipe it prints the line to paste. It copies the template, and names a model provider from what this machine has (a key in the environment, or Ollama). Where kit lies in the node_modules of the project, each file begins with the line by which editors find its schema; elsewhere --with editor or `kit schemas --write` puts the schemas beside the workspace. --with adds files around the workspace: a .gitignore, a CI file for GitHub, settings of the editor with the schemas. --from takes a workspace from a git URL (#branch, #tag or #commit), an npm package, a directory or a packed .tgz: it shows every file and every command line first and starts nothing; hidden files, node_modules and submodules stay behind, links out, devices and large files are refused, and no file is executable. Asks before it writes; --yes answers, and takes hello where no template is named.';
  static override examples = [
    '<%= config.bin %> init',
    '<%= config.bin %> init my-team --template quickstart --yes',
    '<%= config.bin %> init review --template pr-review --with gitignore --with ci',
    '<%= config.bin %> init team --from https://git.example.com/teams/review.git#v1.2.0',
    '<%= config.bin %> init --list',
  ];
  static override args = {
    directory: Args.string({ description: 'Where to write (default: the current directory).' }),
  };
  static override flags = {
    template: Flags.string({
      char: 't',
      description: 'Which template; --list shows them.',
      helpValue: 'NAME',
    }),
    from: Flags.string({
      description: 'A workspace elsewhere: a git URL, an npm package, a directory or a .tgz.',
      helpValue: 'SOURCE',
      exclusive: ['template', 'list'],
    }),
    with: Flags.option({
      description: 'Files around it, repeatable: gitignore, ci (GitHub Actions), editor (VS Code and its schemas).',
      options: INIT_EXTRAS,
      multiple: true,
    })(),
    list: Flags.boolean({ description: 'List the templates and write nothing.' }),
    yes: Flags.boolean({ char: 'y', description: 'Write without asking.' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Init);
    if (flags.from !== undefined) return this.takeFrom(flags.from, args.directory ?? '.', flags.with ?? [], flags.yes);
    const isOpen = flags.template === undefined && !flags.yes;
    if (flags.list || (isOpen && !this.settings.stdinIsTty)) return this.list(args.directory ?? null, flags.list);
    const template = flags.template ?? (isOpen ? await this.choose() : 'hello');
    const extras = flags.with ?? (isOpen ? await this.askExtras() : []);
    const plan = await this.kit.authoring.planInit({ directory: this.inCwd(args.directory ?? '.'), template, extras });
    this.printPlan(plan, flags.yes);
    await this.writeAgreed(plan, flags.yes);
    return {
      directory: plan.directory,
      template: plan.template,
      files: plan.files.map(({ path }) => path),
      skipped: plan.skipped,
      provider: plan.provider.model,
      reason: plan.provider.reason,
    };
  }

  private async takeFrom(
    from: string,
    directory: string,
    extras: readonly InitExtra[],
    isAgreed: boolean,
  ): Promise<unknown> {
    const plan = await this.kit.authoring.planFrom({ directory: this.inCwd(directory), from, extras });
    for (const line of fromLines(plan, isAgreed)) this.log(line);
    await this.writeAgreed(plan, isAgreed);
    const { origin, programs, leftOut, skipped } = plan;
    return {
      directory: plan.directory,
      origin,
      files: plan.files.map(({ path }) => path),
      programs,
      left_out: leftOut,
      skipped,
    };
  }

  private async writeAgreed(plan: InitPlan | FromPlan, isAgreed: boolean): Promise<void> {
    const refusal = new KitError('KIT_USAGE', 'nothing was written: there is no terminal to ask on', {
      hint: 'Pass --yes to write without a question.',
    });
    const isWanted = isAgreed || (await this.confirm(`Write ${plan.files.length} files?`, refusal));
    if (!isWanted) throw new KitError('KIT_USAGE', 'nothing was written', { hint: 'Answer yes, or pass --yes.' });
    await this.kit.authoring.writeInit(plan);
    this.printNext(plan);
  }

  /** KIT_WORKSPACE names a workspace that exists; it says nothing about where a new one goes. */
  private inCwd(directory: string): string {
    return this.workspaceDir({ arg: directory });
  }

  /**
   * The gallery. Whoever named a directory, and not --list, wanted files: that is refused, so that
   * no script takes the list for a workspace.
   */
  private async list(directory: string | null, isAsked: boolean): Promise<unknown> {
    const templates = await this.kit.authoring.templates();
    for (const line of galleryLines(templates, false)) this.log(line);
    const paste = templateCommand(this.config.bin, 'hello', directory);
    if (directory !== null && !isAsked)
      throw new KitError('KIT_USAGE', 'nothing was written: no template is named', {
        hint: `Name one, for example: \`${paste} --yes\`.`,
        data: { templates: templates.map(({ name }) => name) },
      });
    this.log(`\nOne of them, for example: ${paste}`);
    return {
      templates: templates.map((one) => ({ ...one, command: templateCommand(this.config.bin, one.name, directory) })),
    };
  }

  private async choose(): Promise<string> {
    const templates = await this.kit.authoring.templates();
    for (const line of galleryLines(templates, true)) this.log(line);
    const refusal = new KitError('KIT_USAGE', 'nothing was written: no template is chosen', {
      hint: 'Answer with a number or a name, or pass --template.',
    });
    const answer = await this.question('Which template (number or name; Enter takes the first)?', refusal);
    if (answer === null) throw refusal;
    return chosenTemplate(answer, templates);
  }

  private async askExtras(): Promise<readonly InitExtra[]> {
    const refusal = new KitError('KIT_USAGE', 'nothing was written', { hint: 'Answer, or pass --with.' });
    const answer = await this.question(
      `Also write ${INIT_EXTRAS.join(', ')} (names, all, or Enter for none)?`,
      refusal,
    );
    if (answer === null) throw refusal;
    const extras = askedExtras(answer);
    if (extras === null)
      throw new KitError('KIT_USAGE', `nothing was written: there is no such file to add in: ${answer.slice(0, 80)}`, {
        hint: `There are: ${INIT_EXTRAS.join(', ')}.`,
      });
    return extras;
  }

  private printPlan({ directory, template, files, provider, skipped }: InitPlan, isAgreed: boolean): void {
    this.log(`template ${template} -> ${directory}${isAgreed ? '' : '; nothing is written yet, it would be:'}`);
    for (const { path } of files) this.log(`  ${path}`);
    for (const path of skipped) this.log(`  ${path} (left out: there is one)`);
    this.log(
      `provider: ${provider.model === null ? 'none, so no language model is asked' : `${provider.model.provider}/${provider.model.name}`} (${provider.reason})`,
    );
  }

  private printNext(plan: InitPlan | FromPlan): void {
    const { directory, topologies, variables } = plan;
    const below = relative(this.settings.cwd, directory) || '.';
    const place = below.startsWith('..') ? directory : below;
    const shown = /\s/.test(place) ? JSON.stringify(place) : place;
    this.log('written. Next:');
    // The lines below it are those of a README, which work inside the workspace.
    if (shown !== '.') this.log(`  cd ${shown}`);
    if ('tries' in plan && plan.lacksRepository) {
      this.log('  move it into a git repository that has a commit: its programs work in a copy of one; or make one:');
      this.log('  git init && git add -A && git commit -m start');
    }
    if (variables.length > 0) this.log(`  set ${variables.join(', ')} (README.md says how)`);
    this.log(`  ${this.config.bin} validate`);
    // Lines of a README from elsewhere are nothing to paste unseen.
    const runs = 'tries' in plan ? plan.tries : topologies.map((topology) => `kit run ${topology} --input "..."`);
    const then = runs.length === 0 ? ['kit new topology triage --agents reader,writer'] : [...runs, 'kit serve'];
    for (const line of then) this.log(`  ${line}`);
  }
}

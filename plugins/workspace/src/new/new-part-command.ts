import {
  Args,
  Flags,
  KitCommand,
  KitError,
  onlyHere,
  type PartName,
  type PartPlan,
  type PartRequest,
  shellWord,
  workspaceFlag,
} from '@kit-run/kit/command';

/** The name of the part; asked for on a terminal where it is left out. */
export const idArg = Args.string({ description: 'Its id: lower-case letters, digits and dashes.' });

/** What every `kit new` takes. */
export const partFlags = {
  workspace: workspaceFlag,
  'dry-run': Flags.boolean({ description: 'Print the files and write nothing.' }),
};

/** Comma-separated names, and the flag several times: both are lists. */
export const names = (given: readonly string[] | undefined): readonly string[] =>
  (given ?? []).flatMap((text) => text.split(',').map((name) => name.trim())).filter((name) => name !== '');

/** What the commands of `kit new` share: plan, write or show, say what to do next. */
export abstract class NewPartCommand extends KitCommand {
  static override baseFlags = onlyHere;
  /** The id as given, else the answer to a question. Throws KIT_USAGE without a terminal. */
  protected async idOf(part: PartName, given: string | undefined): Promise<string> {
    return (
      given ?? this.answerTo(`Id of the new ${part}, such as ${EXAMPLES[part]}:`, `kit new ${part} ${EXAMPLES[part]}`)
    );
  }

  /** What a flag gives, else the answer to a question. Throws KIT_USAGE without a terminal. */
  protected async askedFor(given: string | undefined, question: string, example: string): Promise<string> {
    return given ?? this.answerTo(question, example);
  }

  private async answerTo(question: string, example: string): Promise<string> {
    const [what = ''] = question.split(/[,:]/);
    const missing = new KitError('KIT_USAGE', `missing: the ${what.charAt(0).toLowerCase()}${what.slice(1)}`, {
      hint: `For example: \`${example}\`.`,
    });
    const answer = await this.question(question, missing);
    if (answer === null || answer === '') throw missing;
    return answer;
  }

  protected async make(
    flags: { readonly workspace: string | undefined; readonly 'dry-run': boolean },
    request: PartRequest,
  ): Promise<unknown> {
    const plan = await this.kit.authoring.planPart({
      workspace: this.workspaceDir({ flag: flags.workspace }),
      request,
    });
    if (flags['dry-run']) this.showFiles(plan);
    else await this.kit.authoring.writePart(plan);
    if (!flags['dry-run']) this.printPlan(plan, flags.workspace);
    const { files, edited, root } = plan;
    return {
      part: request.part,
      id: request.id,
      workspace: root,
      written: !flags['dry-run'],
      files: files.map(({ path }) => path),
      changed: edited === null ? [] : [edited.path],
    };
  }

  private showFiles({ files, edited }: PartPlan): void {
    for (const { path, text } of [...files, ...(edited === null ? [] : [edited])])
      this.log(`--- ${path}\n${text.trimEnd()}\n`);
  }

  private printPlan({ files, edited, next }: PartPlan, workspace: string | undefined): void {
    for (const { path } of files) this.log(`wrote    ${path}`);
    if (edited !== null) this.log(`changed  ${edited.path}`);
    this.log('Next:');
    const where = workspace === undefined ? [] : ['--workspace', workspace];
    for (const step of next)
      this.log(
        'words' in step
          ? `  ${step.words}`
          : `  ${[this.config.bin, ...step.command, ...where].map(shellWord).join(' ')}`,
      );
  }
}

const EXAMPLES: Readonly<Record<PartName, string>> = {
  topology: 'triage',
  agent: 'writer',
  skill: 'summarise',
  'tool-server': 'files',
  funnel: 'sign-off',
  role: 'qa',
  trigger: 'nightly',
  provider: 'company',
  eval: 'answers',
  knowledge: 'handbook',
};

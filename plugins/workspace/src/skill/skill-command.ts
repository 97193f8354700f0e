import {
  type AppliedSkills,
  KitCommand,
  KitError,
  onlyHere,
  type SkillPlan,
  workspaceFlag,
} from '@kit-run/kit/command';
import { planText, replaces } from './plan-text.js';

export const skillFlags = { workspace: workspaceFlag };

/** What commands of `kit skill` share that write: show everything, ask, say what was written. */
export abstract class SkillCommand extends KitCommand {
  static override baseFlags = onlyHere;
  protected placeOf(flags: { readonly workspace?: string | undefined }): string {
    return this.workspaceDir({ flag: flags.workspace });
  }

  /** Where the catalogue is looked into; null: no workspace is named, and none is found. */
  protected placeIfAny(flags: { readonly workspace?: string | undefined }): string | null {
    const { workspace, findWorkspace } = this.settings;
    const isFound = flags.workspace !== undefined || workspace !== null || !/none|several/.test(findWorkspace().kind);
    return isFound ? this.placeOf(flags) : null;
  }

  protected showPlan(plan: SkillPlan): void {
    this.log(planText(plan));
  }

  /** Throws KIT_USAGE where nobody agrees, or nobody can be asked. */
  protected async assertAgreed(plan: SkillPlan, isAgreed: boolean): Promise<void> {
    if (isAgreed) return;
    const refusal = new KitError('KIT_USAGE', 'nothing was written: there is no terminal to ask on', {
      hint: 'Pass --yes to write without a question, or --dry-run to look alone.',
    });
    const isWanted = replaces(plan)
      ? await this.confirm('Replace what is there, and write it?', refusal)
      : await this.agree('Write it?', refusal);
    if (!isWanted) throw new KitError('KIT_USAGE', 'nothing was written', { hint: 'Answer yes, or pass --yes.' });
  }

  /** A question whose empty answer is yes: nothing that is there goes. */
  private async agree(question: string, refusal: KitError): Promise<boolean> {
    const answer = await this.question(`${question} [Y/n]`, refusal);
    return answer !== null && /^(y(es)?)?$/i.test(answer);
  }

  protected printWritten({ files, server }: AppliedSkills): void {
    for (const path of files) this.log(`wrote ${path}`);
    if (server) this.log('wrote workspace.yaml');
    if (files.length === 0 && !server) this.log('nothing to write: all of it is there already');
  }
}

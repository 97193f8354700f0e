import { colorFlag, Flags, KitCommand, listView, toWireGap, workspaceArg, workspaceFlag } from '@kit-run/kit/command';
import { gapsText, inertText } from '@kit-run/kit/text/gaps-text';

export class Gaps extends KitCommand {
  static override summary = 'List the tools that agents called without holding them.';
  static override description =
    'Reads what the runs recorded (skill.gap). Spellings of one name count together; for each: how often, by whom, what was available, and what to do.';
  static override args = { workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    inert: Flags.boolean({
      description:
        'Instead: agents that were never asked, and skills that were never called, in the newest run of each topology.',
    }),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Gaps);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    if (flags.inert) return this.showInert(workspace, flags.color);
    const gaps = await this.kit.observe.gaps({ workspace });
    if (gaps.length === 0) this.log('no run recorded a gap: every tool that was called is held by its agent');
    else if (!this.jsonEnabled()) {
      this.log(gapsText(gaps, listView(this.settings, flags.color)));
    }
    return { gaps: gaps.map(toWireGap) };
  }

  private async showInert(workspace: string, color: boolean | undefined): Promise<unknown> {
    const bindings = await this.kit.observe.inert({ workspace });
    if (bindings.length === 0)
      this.log('nothing is inert: every agent was asked and every skill was called, or nothing was ever run');
    else if (!this.jsonEnabled()) {
      this.log(inertText(bindings, listView(this.settings, color)));
    }
    return { inert: bindings };
  }
}

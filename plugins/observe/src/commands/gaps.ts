import { KitCommand, toWireGap, workspaceArg, workspaceFlag } from '@kit-run/kit/command';
import { colorFlag, listView } from '../list-view.js';

export class Gaps extends KitCommand {
  static override summary = 'List the tools that agents called and do not hold.';
  static override description =
    'Reads what the runs recorded (skill.gap). Spellings of one name count together; for each: how often, by whom, what was available, and what to do.';
  static override args = { workspace: workspaceArg };
  static override flags = { workspace: workspaceFlag, color: colorFlag };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Gaps);
    const gaps = await this.kit.observe.gaps({ workspace: this.workspaceDir({ flag: flags.workspace, arg: args.workspace }) });
    if (gaps.length === 0) this.log('no run recorded a gap: every tool that was called is held by its agent');
    else if (!this.jsonEnabled()) {
      const { gapsText } = await (await this.renderers()).observe();
      this.log(gapsText(gaps, listView(this.settings, flags.color)));
    }
    return { gaps: gaps.map(toWireGap) };
  }
}

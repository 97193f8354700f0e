import { Flags, toWireCatalogue, toWireSkillRow } from '@kit-run/kit/command';
import { availableText, skillsText } from '../../skill/list-text.js';
import { SkillCommand, skillFlags } from '../../skill/skill-command.js';

export class SkillList extends SkillCommand {
  static override summary =
    'List the skills of the workspace and the agents that hold them, or the skills of the catalogue.';
  static override description = '--available needs no workspace; inside one, installed skills are marked.';
  static override flags = {
    ...skillFlags,
    available: Flags.boolean({ description: 'List the catalogue instead.' }),
    refresh: Flags.boolean({ description: 'Fetch a remote catalogue again.' }),
  };

  override async run(): Promise<unknown> {
    const { flags } = await this.parse(SkillList);
    if (!flags.available) {
      const workspace = this.placeOf(flags);
      const rows = await this.kit.skills.list({ workspace });
      this.log(skillsText(rows));
      return { skills: rows.map(toWireSkillRow) };
    }
    const report = await this.kit.skills.catalogue({
      workspace: this.placeIfAny(flags),
      query: '',
      refresh: flags.refresh,
    });
    this.log(availableText(report));
    return toWireCatalogue(report);
  }
}

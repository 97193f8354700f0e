import { Flags, toWireCatalogue, toWireSkillRow } from '@kit-run/kit/command';
import { availableText, skillsText } from '../../skill/list-text.js';
import { SkillCommand, skillFlags } from '../../skill/skill-command.js';

export class SkillList extends SkillCommand {
  static override summary = 'List the skills of the workspace and who holds them, or what can be added.';
  static override flags = {
    ...skillFlags,
    available: Flags.boolean({ description: 'What the catalogue offers instead.' }),
    refresh: Flags.boolean({ description: 'Read a remote catalogue anew.' }),
  };

  override async run(): Promise<unknown> {
    const { flags } = await this.parse(SkillList);
    const workspace = this.placeOf(flags);
    if (!flags.available) {
      const rows = await this.kit.skills.list({ workspace });
      this.log(skillsText(rows));
      return { skills: rows.map(toWireSkillRow) };
    }
    const report = await this.kit.skills.catalogue({ workspace, query: '', refresh: flags.refresh });
    this.log(availableText(report));
    return toWireCatalogue(report);
  }
}

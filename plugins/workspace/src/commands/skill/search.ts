import { Args, Flags, toWireFoundSkills } from '@kit-run/kit/command';
import { foundText } from '../../skill/list-text.js';
import { SkillCommand, skillFlags } from '../../skill/skill-command.js';

export class SkillSearch extends SkillCommand {
  static override summary = 'Search the catalogue and the workspace for a skill.';
  static override description =
    'Every word has to occur in the id, the name, the bundle or the description. Without a workspace the catalogue alone is searched.';
  static override examples = ['<%= config.bin %> skill search read file'];
  static override strict = false;
  static override args = { words: Args.string({ required: true, description: 'What to look for.' }) };
  static override flags = {
    ...skillFlags,
    refresh: Flags.boolean({ description: 'Fetch a remote catalogue again.' }),
  };

  override async run(): Promise<unknown> {
    const { argv, flags } = await this.parse(SkillSearch);
    const report = await this.kit.skills.catalogue({
      workspace: this.placeIfAny(flags),
      query: argv.join(' '),
      refresh: flags.refresh,
    });
    this.log(foundText(report));
    return toWireFoundSkills(report);
  }
}

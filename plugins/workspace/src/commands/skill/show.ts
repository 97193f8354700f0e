import { Args, Flags, manyLines, oneLine } from '@kit-run/kit/command';
import { SkillCommand, skillFlags } from '../../skill/skill-command.js';

export class SkillShow extends SkillCommand {
  static override summary = 'Print the file of a skill: of the workspace, else of the catalogue.';
  static override args = { skill: Args.string({ required: true, description: 'Id of the skill.' }) };
  static override flags = {
    ...skillFlags,
    refresh: Flags.boolean({ description: 'Fetch a remote catalogue again.' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(SkillShow);
    const workspace = this.placeIfAny(flags);
    const found = await this.kit.skills.show({ workspace, id: args.skill, refresh: flags.refresh });
    this.log(`# ${oneLine(found.source, 300)}: ${oneLine(found.path)}`);
    this.log(manyLines(found.text).trimEnd());
    return { id: args.skill, ...found };
  }
}

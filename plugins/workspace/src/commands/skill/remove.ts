import { Args } from '@kit-run/kit/command';
import { SkillCommand, skillFlags } from '../../skill/skill-command.js';

export class SkillRemove extends SkillCommand {
  static override summary = 'Remove the file of a skill that nobody holds.';
  static override description =
    'Refused while an archetype, an agent, a binding, a judge or another skill names it; they are listed. The entry of its tool server stays.';
  static override args = { skill: Args.string({ required: true, description: 'Id of the skill.' }) };
  static override flags = skillFlags;

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(SkillRemove);
    const { path } = await this.kit.skills.remove({ workspace: this.placeOf(flags), id: args.skill });
    this.log(`removed ${path}`);
    return { id: args.skill, removed: path };
  }
}

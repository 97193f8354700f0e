import { Args } from '@kit-run/kit/command';
import { SkillCommand, skillFlags } from '../../skill/skill-command.js';

export class SkillRemove extends SkillCommand {
  static override summary = 'Remove the file of a skill that no agent holds.';
  static override description =
    'Refused while an archetype, agent, binding, judge or skill names it; kit lists them. The entry of its tool server stays.';
  static override args = { skill: Args.string({ required: true, description: 'Id of the skill.' }) };
  static override flags = skillFlags;

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(SkillRemove);
    const { path } = await this.kit.skills.remove({ workspace: this.placeOf(flags), id: args.skill });
    this.log(`removed ${path}`);
    return { id: args.skill, removed: path };
  }
}

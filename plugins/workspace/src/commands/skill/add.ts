import { Args, Flags, toWireSkillPlan } from '@kit-run/kit/command';
import { saysSoAlready } from '../../skill/plan-text.js';
import { SkillCommand, skillFlags } from '../../skill/skill-command.js';

export class SkillAdd extends SkillCommand {
  static override summary = 'Add a bundle or a skill of the catalogue, with the tool server that carries it out.';
  static override description =
    'Shows every file and the server entry first (new, unchanged, REPLACES), then writes all of it or nothing; comments and layout of workspace.yaml stay. Also takes the path or the address of a file that holds a Skill.';
  static override examples = [
    '<%= config.bin %> skill add filesystem',
    '<%= config.bin %> skill add read-file --dry-run',
    '<%= config.bin %> skill add ./shared/triage.yaml --yes',
  ];
  static override args = {
    ref: Args.string({ required: true, description: 'Id of a bundle or a skill, a file, or an http(s) address.' }),
  };
  static override flags = {
    ...skillFlags,
    'dry-run': Flags.boolean({ description: 'Show what would be written, and write nothing.' }),
    yes: Flags.boolean({ char: 'y', description: 'Write without asking, also where something is replaced.' }),
    refresh: Flags.boolean({ description: 'Read a remote catalogue anew.' }),
    digest: Flags.string({
      description: 'Write only what an earlier --dry-run --json told this digest of.',
      helpValue: 'SHA256',
    }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(SkillAdd);
    const ask = {
      workspace: this.placeOf(flags),
      ref: args.ref,
      cwd: this.settings.cwd,
      refresh: flags.refresh,
    };
    const plan = await this.kit.skills.planAdd(ask);
    this.showPlan(plan);
    if (flags['dry-run']) return toWireSkillPlan(plan, null);
    await this.assertAgreed(plan, flags.yes || saysSoAlready(plan));
    // What was shown is what is written: the catalogue is not asked anew.
    const done = await this.kit.skills.add({ ...ask, refresh: false, digest: flags.digest ?? plan.digest });
    this.tellWritten(done.applied);
    return toWireSkillPlan(done.plan, done.applied);
  }
}

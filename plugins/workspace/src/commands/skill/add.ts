import { Args, Flags, toWireSkillPlan } from '@kit-run/kit/command';
import { saysSoAlready } from '../../skill/plan-text.js';
import { SkillCommand, skillFlags } from '../../skill/skill-command.js';

export class SkillAdd extends SkillCommand {
  static override summary = 'Add a bundle or a skill of the catalogue, with its tool server.';
  static override description =
    'Shows every file and the server entry first (new, unchanged, REPLACES), then writes all of them or none; comments and layout of workspace.yaml stay. A path or an address of a Skill file works too.';
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
    refresh: Flags.boolean({ description: 'Fetch a remote catalogue again.' }),
    digest: Flags.string({
      description: 'Write only if the content still has this digest (from --dry-run --json).',
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
    this.printWritten(done.applied);
    return toWireSkillPlan(done.plan, done.applied);
  }
}

import { Args, Flags, oneLine, toWireImport } from '@kit-run/kit/command';
import { saysSoAlready } from '../../skill/plan-text.js';
import { SkillCommand, skillFlags } from '../../skill/skill-command.js';

export class SkillImport extends SkillCommand {
  static override summary = 'Convert a SKILL.md (Agent Skills) into a skill.';
  static override description =
    'Its name becomes the id, its body the prompt, unchanged. Text files of its folder become a knowledge base that agents may search; scripts are listed and never run. Shows what it left out.';
  static override examples = [
    '<%= config.bin %> skill import ../skills/pdf',
    '<%= config.bin %> skill import SKILL.md --dry-run',
    '<%= config.bin %> skill import https://example.org/skills/pdf/SKILL.md --yes',
  ];
  static override args = {
    place: Args.string({ required: true, description: 'A SKILL.md, its folder, or an http(s) address.' }),
  };
  static override flags = {
    ...skillFlags,
    topology: Flags.string({
      description: 'Topology that gets the knowledge base (default: the only one).',
      helpValue: 'NAME',
    }),
    'dry-run': Flags.boolean({ description: 'Show the converted skill, and write nothing.' }),
    yes: Flags.boolean({ char: 'y', description: 'Write without asking.' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(SkillImport);
    const ask = {
      workspace: this.placeOf(flags),
      source: { kind: 'place', place: args.place, cwd: this.settings.cwd } as const,
      topology: flags.topology ?? null,
    };
    const plan = await this.kit.skills.planImport(ask);
    this.showPlan(plan);
    for (const left of plan.leftOut) this.log(`left out: ${oneLine(left, 300)}`);
    if (flags['dry-run']) return toWireImport(plan, null);
    await this.assertAgreed(plan, flags.yes || saysSoAlready(plan));
    const done = await this.kit.skills.import(ask);
    this.printWritten(done.applied);
    return toWireImport(done.plan, done.applied);
  }
}

import { oneLine, type SkillCheck, toWireSkillCheck } from '@kit-run/kit/command';
import { SkillCommand, skillFlags } from '../../skill/skill-command.js';

const WORDS = { ok: 'ok', missing: 'MISSING', 'server-failed': 'FAILED' } as const;

const textOf = ({ skill, server, tool, status, detail }: SkillCheck): string =>
  `${WORDS[status].padEnd(7)}  ${oneLine(skill)}  ${oneLine(server)}/${oneLine(tool)}${detail === '' ? '' : `: ${oneLine(detail, 400)}`}`;

export class SkillCheckCommand extends SkillCommand {
  static override summary = 'Start the tool servers and look whether each has the tools that skills call.';
  static override description = 'Exit 1 when a tool is missing or a server does not start.';
  static override flags = skillFlags;

  override async run(): Promise<unknown> {
    const { flags } = await this.parse(SkillCheckCommand);
    const checks = await this.kit.skills.check({ workspace: this.placeOf(flags) });
    if (checks.length === 0) this.log('no skill of the workspace calls a tool');
    for (const check of checks) this.log(textOf(check));
    if (checks.some(({ status }) => status !== 'ok')) this.exitWith(1);
    return { checks: checks.map(toWireSkillCheck) };
  }
}

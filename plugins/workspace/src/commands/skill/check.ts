import { oneLine, type SkillChecks, toWireSkillCheck } from '@kit-run/kit/command';
import { SkillCommand, skillFlags } from '../../skill/skill-command.js';

type SkillCheck = SkillChecks['checks'][number];
type ServerTools = SkillChecks['servers'][number];

const WORDS = { ok: 'ok', missing: 'MISSING', 'server-failed': 'FAILED' } as const;

const textOf = ({ skill, server, tool, status, detail }: SkillCheck): string =>
  `${WORDS[status].padEnd(7)}  ${oneLine(skill)}  ${oneLine(server)}/${oneLine(tool)}${detail === '' ? '' : `: ${oneLine(detail, 400)}`}`;

/** Whoever writes a skill copies one of them. */
const MOST_NAMED = 200;

function toolsText({ server, tools, detail }: ServerTools): string {
  if (detail !== '') return `FAILED   ${oneLine(server)}: ${oneLine(detail, 400)}`;
  const named = tools.slice(0, MOST_NAMED).map((tool) => oneLine(tool));
  const more = tools.length > MOST_NAMED ? [`and ${tools.length - MOST_NAMED} more`] : [];
  return `tools of ${oneLine(server)}: ${tools.length === 0 ? 'none' : [...named, ...more].join(', ')}`;
}

export class SkillCheckCommand extends SkillCommand {
  static override summary = 'Start the tool servers, and check that each has the tools that skills call.';
  static override description = 'Exit 1 when a tool is missing or a server does not start.';
  static override flags = skillFlags;

  override async run(): Promise<unknown> {
    const { flags } = await this.parse(SkillCheckCommand);
    const { checks, servers } = await this.kit.skills.check({ workspace: this.placeOf(flags), start: 'all' });
    if (checks.length === 0) this.log('no skill of the workspace calls a tool');
    for (const check of checks) this.log(textOf(check));
    const failed = new Set(checks.flatMap(({ server, status }) => (status === 'server-failed' ? [server] : [])));
    for (const server of servers) if (!failed.has(server.server)) this.log(toolsText(server));
    if (checks.some(({ status }) => status !== 'ok') || servers.some(({ detail }) => detail !== '')) this.exitWith(1);
    return { checks: checks.map(toWireSkillCheck), servers };
  }
}

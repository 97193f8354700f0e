import {
  type AgentProbe,
  Args,
  KitCommand,
  oneLine,
  onlyHere,
  toWireAgentProbe,
  workspaceFlag,
} from '@kit-run/kit/command';

/** Skills of a card that are shown; `--json` has all of them. */
const MOST_SKILLS = 20;

export class AgentsProbe extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Read the card of a remote agent, and check whether a skill can call it.';
  static override description =
    'Needs no workspace, sends no credential and writes nothing. A skill of the type agent with this card_url calls the agent. Exit codes: 0 it can be called, 1 it cannot, 2 an address that kit does not call.';
  static override args = {
    url: Args.string({ required: true, description: 'Address of the Agent Card.' }),
  };
  static override flags = { workspace: workspaceFlag };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(AgentsProbe);
    const workspace = this.workspaceDir({ flag: flags.workspace });
    const probe = await this.kit.connections.probeAgent({
      ...{ workspace, cardUrl: args.url },
      anywhere: flags.workspace === undefined,
    });
    for (const line of linesOf(probe)) this.log(line);
    this.exitWith(probe.isSupported ? 0 : 1);
    return toWireAgentProbe(probe);
  }
}

function linesOf(probe: AgentProbe): readonly string[] {
  if (!probe.isSupported) return [`not supported: ${oneLine(probe.detail, 500)}`];
  const { name, description, url, streaming, requiresBearer, skills } = probe;
  return [
    `${oneLine(name, 100)}  ${oneLine(url, 300)}`,
    ...(description === '' ? [] : [`  ${oneLine(description, 300)}`]),
    `  ${requiresBearer ? 'needs a bearer token (credentials_ref)' : 'needs no credential'}, ${streaming ? 'streams its tasks' : 'is polled'}`,
    ...skills
      .slice(0, MOST_SKILLS)
      .map((skill) => `  skill ${oneLine(skill.id, 60)}: ${oneLine(skill.description, 200)}`),
    ...(skills.length > MOST_SKILLS ? [`  and ${skills.length - MOST_SKILLS} more`] : []),
  ];
}

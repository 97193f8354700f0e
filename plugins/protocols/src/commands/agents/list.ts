import {
  KitCommand,
  oneLine,
  onlyHere,
  type RemoteAgentEntry,
  toWireRemoteAgent,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';

export class AgentsList extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'List the remote agents that skills of the workspace call.';
  static override description =
    'Reads the files only and sends no request; `kit agents probe URL` asks one agent. Exit codes: 0, 1 invalid files, 2 refused.';
  static override args = { workspace: workspaceArg };
  static override flags = { workspace: workspaceFlag };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(AgentsList);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const agents = await this.kit.connections.agents({ workspace });
    if (agents.length === 0) this.log('no skill of the workspace calls an agent that runs elsewhere');
    for (const agent of agents) this.log(lineOf(agent));
    return { agents: agents.map(toWireRemoteAgent) };
  }
}

function lineOf({ id, cardUrl, skillId, credentialsRef, permission, onUnanswerable }: RemoteAgentEntry): string {
  const facts = [
    ...(skillId === null ? [] : [`skill ${oneLine(skillId, 60)}`]),
    credentialsRef === null ? 'no credential' : `credential ${oneLine(credentialsRef, 60)}`,
    `tier ${permission}`,
    `questions: ${onUnanswerable}`,
  ];
  return `${oneLine(id, 60)}  ${oneLine(cardUrl, 300)}  (${facts.join(', ')})`;
}

import {
  Args,
  addressOf,
  Flags,
  hintFor,
  KitCommand,
  type Offered,
  onlyHere,
  workspaceFlag,
} from '@kit-run/kit/command';
import { KitError } from '@kit-run/kit/plugin';
import { cardOf } from '../../a2a/wire/card.js';

export class AgentsCard extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Show the Agent Card that other agents read to call the topologies of the workspace.';
  static override description =
    '`kit serve` answers with this card at /.well-known/agent-card.json, and for one topology at /a2a/TOPOLOGY/card, while server.a2a.enabled is true. Without server.public_url the card shows server.host and server.port, or the default address of a server on this machine. Exit codes: 0, 1 invalid files, 2 refused.';
  static override args = {
    topology: Args.string({ description: 'Name of a topology without its version (default: all topologies).' }),
  };
  static override flags = {
    workspace: workspaceFlag,
    'a2a-version': Flags.string({ options: ['0.3', '1.0'], default: '1.0', description: 'Form of the card.' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(AgentsCard);
    const workspace = this.workspaceDir({ flag: flags.workspace });
    const { info } = this.kit;
    const [offered, { mode }, { serveVersion }] = await Promise.all([
      info.offered(workspace),
      info.authInfo(workspace),
      info.capabilities(workspace),
    ]);
    const only = args.topology ?? null;
    this.#assertOffered(offered, only);
    const { host, port, publicUrl, a2a } = offered.server;
    const { identity, enabled } = a2a;
    if (!enabled) this.warn('server.a2a.enabled is not true: no server of this workspace answers with this card');
    const card = cardOf(flags['a2a-version'] === '0.3' ? '0.3' : '1.0', {
      identity: {
        name: identity.name ?? offered.name,
        description: identity.description ?? offered.description,
        organization: identity.organization,
      },
      // Any free port is known once the server is there: the default one stands for it.
      root: addressOf({ host, port: port === 0 ? null : port, publicUrl: identity.url ?? publicUrl }),
      ...{ authMode: mode, runtime: serveVersion, topologies: offered.topologies, only },
    });
    this.log(JSON.stringify(card, null, 2));
    return card;
  }

  #assertOffered({ topologies }: Offered, only: string | null): void {
    if (only !== null && !topologies.some(({ name }) => name === only))
      throw new KitError('KIT_TOPOLOGY_UNKNOWN', `there is no topology ${only.slice(0, 200)}`, {
        hint: hintFor(
          only,
          topologies.map(({ name }) => name),
          { fallback: '`kit validate` lists what there is.' },
        ),
      });
  }
}

import { Flags, KitError, type ServerReach } from '@kit-run/kit/command';
import { idArg, NewPartCommand, partFlags } from '../../new/new-part-command.js';

/** Declares a tool server in workspace.yaml. */
export class NewToolServer extends NewPartCommand {
  static override summary = 'Declare a tool server (MCP) in workspace.yaml; comments and layout stay.';
  static override description =
    'Write the command behind --, or the address of a running server with --url. Nothing is started now: `kit run` starts it when an agent calls a tool.';
  static override examples = [
    '<%= config.bin %> new tool-server files -- npx -y @modelcontextprotocol/server-filesystem docs',
    '<%= config.bin %> new tool-server tracker --url https://tracker.example.org/mcp --credential tracker',
  ];
  static override strict = false;
  static override args = { id: idArg };
  static override flags = {
    ...partFlags,
    url: Flags.string({ description: 'Address of a running server.', helpValue: 'URL' }),
    credential: Flags.string({
      description: 'Entry of `credentials` in workspace.yaml that is sent to it.',
      helpValue: 'NAME',
    }),
  };

  override async run(): Promise<unknown> {
    const { args, flags, argv } = await this.parse(NewToolServer);
    const id = await this.idOf('tool-server', args.id);
    const words = argv.slice(1).map(String);
    return this.make(flags, {
      part: 'tool-server',
      id,
      reach: reachOf(flags.url, words),
      credential: flags.credential ?? null,
    });
  }
}

/** Throws KIT_USAGE for both, and for neither. */
function reachOf(url: string | undefined, argv: readonly string[]): ServerReach {
  if (url !== undefined && argv.length === 0) return { by: 'url', url };
  if (url === undefined && argv.length > 0) return { by: 'command', argv };
  throw new KitError('KIT_USAGE', 'a tool server is either started by a command or reached at an address', {
    hint: 'Write the command behind `--`, or pass --url: `kit new tool-server files -- npx -y @modelcontextprotocol/server-filesystem docs`.',
  });
}

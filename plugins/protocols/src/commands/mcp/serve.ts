import { resolve } from 'node:path';
import { Args, Flags, identityFlag, KitCommand, onlyHere, stopSignals, whoActs } from '@kit-run/kit/command';

export class McpServe extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Serve topologies as tools of MCP over stdin and stdout, for the program that starts it.';
  static override description =
    `For editors and coding agents; \`kit serve\` does the same over HTTP. Every topology is a tool run_<topology>, with \
several workspaces run_<workspace>_<topology>. Its runs are ordinary runs of this machine: \`kit status\` lists them. It \
ends with its client. Unfinished runs are stopped; continue them with \`kit run --resume\`. Only the protocol is \
written to stdout.
Exit codes: 0 the client has ended, 2 refused start, 130 interrupted twice.`;
  static override examples = [
    'claude mcp add kit -- <%= config.bin %> mcp serve "$PWD"',
    '<%= config.bin %> mcp serve ./billing ./support --topology "triage*"',
  ];
  static override enableJsonFlag = false;
  static override strict = false;
  static override args = {
    workspace: Args.string({
      description: 'Directories that hold workspace.yaml (default: KIT_WORKSPACE, else the current directory).',
    }),
  };
  static override flags = {
    as: identityFlag('Identity that submits runs (default: the OS user).'),
    topology: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description: 'Topologies to serve, with * for any characters; repeatable (default: all).',
      helpValue: 'GLOB',
    }),
  };

  override async run(): Promise<void> {
    // What is under way is stopped in order when nobody reads the answers any more.
    this.stdout.goOnWithout();
    const { argv, flags } = await this.parse(McpServe);
    const named = argv.map((word) => resolve(this.settings.cwd, String(word)));
    const workspaces = named.length === 0 ? [this.workspaceDir({})] : [...new Set(named)];
    const signals = stopSignals(this.io.events, this.io.exit);
    try {
      // The library behind it costs `--help` nothing.
      const { serveClient } = await import('../../mcp/stdio/serve-client.js');
      const server = await serveClient({
        ...{ app: this.kit, workspaces, globs: flags.topology ?? [] },
        identity: whoActs(this.settings, flags.as).identity,
        version: this.config.version,
        ...{ stdin: this.io.stdin, stdout: this.io.stdout },
        printLine: (line) => void this.io.stderr.write(`${line}\n`),
      });
      const { length } = server.tools;
      if (!this.settings.quiet)
        this.io.stderr.write(`serving ${length === 1 ? 'one topology' : `${length} topologies`} over MCP\n`);
      await Promise.race([server.ended, signals.first]);
      await server.stop();
    } finally {
      signals.release();
    }
  }
}

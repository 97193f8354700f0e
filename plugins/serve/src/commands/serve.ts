import { Flags, KitCommand, onlyHere, stopSignals, workspaceArg, workspaceFlag } from '@kit-run/kit/command';
import { parseServeFlags } from '../start/parse-flags.js';
import { startLines, startValues } from '../start/start-lines.js';

export class Serve extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Serve a workspace over HTTP and execute its runs.';
  static override description =
    `It asks nothing. SIGTERM or Ctrl-C ends it: it takes no new run, lets running ones work for \
server.jobs.shutdown_seconds, and continues the rest at the next start. A second signal ends it at once.
Exit codes: 0 stopped, 2 refused start, 130 interrupted twice or during the start.`;
  static override examples = [
    '<%= config.bin %> serve',
    '<%= config.bin %> serve ./workspace --port 0 --json',
    '<%= config.bin %> serve --host 0.0.0.0 --profile production',
  ];
  static override args = { workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    port: Flags.string({
      char: 'p',
      description: 'Port; 0 = any free one (default: server.port, else 8000).',
      helpValue: 'PORT',
    }),
    host: Flags.string({ description: 'Address to bind (default: server.host, else 127.0.0.1).', helpValue: 'HOST' }),
    role: Flags.string({
      description: 'api accepts runs and leaves them to `kit worker`; it needs PostgreSQL.',
      options: ['all', 'api'],
      default: 'all',
    }),
    'max-queue-depth': Flags.string({
      description: 'Runs that may wait with --role api; 0 = unbounded (default: 10000).',
      helpValue: 'N',
    }),
    profile: Flags.string({
      description: 'production refuses an unsafe start and lists every gap.',
      options: ['standard', 'production'],
      default: 'standard',
    }),
    insecure: Flags.boolean({ description: 'Serve beyond this machine without authentication.' }),
    'cors-origin': Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description: 'Origin of web pages that may call; exact, repeatable.',
      helpValue: 'ORIGIN',
    }),
  };

  override async run(): Promise<unknown> {
    // a server does not end because nobody reads what it says at its start
    this.stdout.goOnWithout();
    const { args, flags } = await this.parse(Serve);
    const options = parseServeFlags(flags, this.workspaceDir({ flag: flags.workspace, arg: args.workspace }));
    const signals = stopSignals(this.io.events, this.io.exit);
    try {
      // Fastify and what is behind it cost every `--help` nothing.
      const { runServer } = await import('../start/run-server.js');
      const server = await signals.starting(runServer(this.kit, options, this.config.version));
      if (this.jsonEnabled()) for (const value of startValues(server)) this.logJson(value);
      else {
        const triggers = await this.kit.triggers.list({ workspace: options.workspace });
        this.io.stderr.write(`${startLines(server, triggers).join('\n')}\n`);
      }
      const signal = await signals.first;
      if (!this.jsonEnabled()) this.io.stderr.write('stopping; a second signal ends the server at once\n');
      await server.stop();
      return { stopped_by: signal };
    } finally {
      signals.release();
    }
  }
}

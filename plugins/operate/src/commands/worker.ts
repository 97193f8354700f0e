import {
  Flags,
  KitCommand,
  onlyHere,
  stopSignals,
  wholeNumber,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { changeLine, changeValue } from '../worker/change-text.js';
import { count, NO_RUNS, tallyLine } from '../worker/tally.js';

const MAX_CONCURRENCY = 1_000;
const CLASSES = ['model', 'harness', 'any'] as const;

export class Worker extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Execute the runs that wait in PostgreSQL, beside other workers.';
  static override description =
    `It asks nothing. SIGTERM or Ctrl-C ends it: it claims no new run and lets running ones work for \
server.jobs.shutdown_seconds; another worker continues the rest. A second signal ends it at once.
A run is claimed by class, by the plugins, adapters and engine that it needs, then by priority and age. The workspace is read once, at the start.
Exit codes: 0 stopped, or nothing left to do with --once; 2 refused start; 130 interrupted twice.`;
  static override examples = [
    '<%= config.bin %> worker',
    '<%= config.bin %> worker ./workspace --class harness --concurrency 2',
    '<%= config.bin %> worker --once --json',
  ];
  static override args = { workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    class: Flags.option({
      options: CLASSES,
      default: 'any' as const,
      description: 'Runs to claim: harness = with a harness or another executor, model = the others.',
    })(),
    concurrency: Flags.string({ description: 'Runs at once (default: server.jobs.max_concurrent).', helpValue: 'N' }),
    once: Flags.boolean({
      description: 'End when this worker has no run left to claim and its own runs have ended or wait for people.',
    }),
  };

  override async run(): Promise<unknown> {
    this.stdout.goOnWithout(); // a worker does not end because nobody reads what it says
    const { args, flags } = await this.parse(Worker);
    const { work } = this.kit;
    const concurrency =
      flags.concurrency === undefined
        ? null
        : wholeNumber(flags.concurrency, { flag: 'concurrency', min: 1, max: MAX_CONCURRENCY });
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const signals = stopSignals(this.io.events, this.io.exit);
    const introduced = Promise.withResolvers<void>();
    let tally = NO_RUNS;
    try {
      const facts = await signals.starting(
        work.start({
          workspace,
          jobClass: flags.class,
          concurrency,
          // Claims may come before the start has told who claims.
          onChange: (change) => {
            tally = count(tally, change);
            void introduced.promise.then(() => this.#say(changeLine(change), changeValue(change)));
          },
        }),
      );
      this.#say(
        `worker ${facts.workerId}: class ${flags.class}, ${facts.concurrency} at once, storage ${facts.storage}`,
        {
          type: 'working',
          worker_id: facts.workerId,
          class: flags.class,
          concurrency: facts.concurrency,
          storage: facts.storage,
        },
      );
      introduced.resolve();
      const signal = await Promise.race([signals.first, ...(flags.once ? [work.idle().then(() => null)] : [])]);
      if (signal !== null && !this.jsonEnabled())
        this.io.stderr.write('stopping; a second signal ends the worker at once\n');
      await work.drain(facts.shutdownMs);
      if (!this.jsonEnabled()) this.io.stderr.write(`worker ${facts.workerId} ended: ${tallyLine(tally)}\n`);
      return { worker_id: facts.workerId, stopped_by: signal, ...tally };
    } finally {
      signals.release();
    }
  }

  #say(line: string, value: object): void {
    if (this.jsonEnabled()) this.logJson(value);
    else this.io.stderr.write(`${line}\n`);
  }
}

import { Args, KitCommand, KitError, messageOf, onlyHere } from '@kit-run/kit/command';
import type { CaseResult } from '../../verify/bench-port.js';

export class AdaptersVerify extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Test an installed coding harness against a scripted model.';
  static override description =
    'Runs the program that is on PATH in a repository, a home and a state of its own, against a model server of kit on the loopback: no key, no login, nothing leaves the machine. Prints the result of each case. Exit code 1: the program does not do what kit relies on.';
  static override args = {
    adapter: Args.string({ required: true, description: 'Id of a bundled adapter, as `adapters list` shows it.' }),
  };

  override async run(): Promise<unknown> {
    const { args } = await this.parse(AdaptersVerify);
    const [{ PROGRAMS }, { startModelServer }, { openBench }, { ALL_CASES }] = await Promise.all([
      import('../../verify/programs.js'),
      import('../../verify/model-server.js'),
      import('../../verify/bench.js'),
      import('../../verify/all-cases.js'),
    ]);
    const program = Object.hasOwn(PROGRAMS, args.adapter) ? PROGRAMS[args.adapter] : undefined;
    if (program === undefined)
      throw new KitError('KIT_USAGE', `kit does not know how to point ${args.adapter} at a model server of its own`, {
        hint: `It knows it of: ${Object.keys(PROGRAMS).join(', ')}.`,
      });
    const server = await startModelServer();
    const bench = await openBench({
      id: args.adapter,
      program,
      server,
      kit: [process.execPath, process.argv[1] ?? ''],
      path: this.settings.programPath,
    });
    const results: CaseResult[] = [];
    try {
      const version = await bench.version();
      if (version === null)
        throw new KitError('KIT_USAGE', `${program.command} is not on PATH, or does not print its version`, {
          hint: 'Install it, then run this again.',
        });
      this.log(`${args.adapter}: ${program.command} ${version}`);
      for (const [name, run] of Object.entries(ALL_CASES)) {
        const result = await run({ program, bench }).catch((error: unknown) => ({
          result: 'lost' as const,
          seen: messageOf(error),
        }));
        results.push({ name, ...result });
        this.log(`${name.padEnd(20)} ${result.result.padEnd(5)} ${result.seen}`);
      }
    } finally {
      await bench.close();
      await server.close();
    }
    if (results.some(({ result }) => result === 'lost')) this.exitWith(1);
    return { adapter: args.adapter, cases: results };
  }
}

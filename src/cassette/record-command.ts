import type { Json } from '../domain/json.js';
import type { Processes, ProcessResult, SupervisedProcess } from '../domain/ports/system.js';
import type { RunFacilities } from '../worker/facilities.js';
import { encodeError } from './recorded-error.js';
import { askedOfCommand } from './requests.js';
import type { CassetteWriter } from './write-cassette.js';

/**
 * What a command answer is in the file: its lines and how it ended, or why it could not be started.
 */
export type RecordedCommand = { readonly lines: readonly string[]; readonly result: Json } | { readonly error: Json };

/**
 * Every process that answers a step by itself. Processes of a harness session pass: the session is
 * recorded as a whole.
 */
export function recordCommands(
  real: RunFacilities,
  writer: CassetteWriter,
): Pick<RunFacilities, 'processes' | 'commandEnv'> {
  const spawn: Processes['spawn'] = (spec, lease, signal) => {
    const child = real.processes.spawn(spec, lease, signal);
    if (spec.stepKey === undefined) return child;
    const asked = {
      kind: 'command',
      key: spec.stepKey,
      n: 0,
      asked: askedOfCommand(spec, real.workspaceRoot),
    } as const;
    const { lines, read, drained } = tee(child, real.mask);
    const done = Promise.all([child.done, drained]).then(
      ([result]) => {
        // Ended by kit because the run or its lease is over: no outcome of the step.
        if (signal.aborted || result.ended === 'aborted') {
          writer.keepCut(asked, signal);
          return result;
        }
        const gave: RecordedCommand = { lines: read, result: result as unknown as Json };
        const kept = writer.keep<RecordedCommand>(asked, gave);
        return 'result' in kept ? (kept.result as unknown as ProcessResult) : result;
      },
      writer.keepThrown(asked, signal),
    );
    done.catch(() => undefined);
    return { lines, done };
  };
  return {
    processes: { spawn },
    commandEnv: (command, key) =>
      real.commandEnv(command, key).catch((error: unknown) => {
        writer.keep({ kind: 'command-env', key, n: 0, asked: { command: command.id } }, encodeError(error));
        throw error;
      }),
  };
}

/**
 * Lines as the caller takes them, masked; `drained` settles when it wants no more. A command is
 * always read to its end.
 */
function tee(child: SupervisedProcess, mask: RunFacilities['mask']) {
  const read: string[] = [];
  let finish = (): void => undefined;
  const drained = new Promise<void>((resolve) => {
    finish = resolve;
  });
  async function* lines(): AsyncGenerator<string> {
    try {
      for await (const line of child.lines) {
        const masked = mask(line);
        read.push(masked);
        yield masked;
      }
    } finally {
      finish();
    }
  }
  return { lines: lines(), read, drained };
}

import { resolve } from 'node:path';
import type { StartRun } from '@kit-run/kit/command';

interface CassetteFlags {
  readonly input?: string | undefined;
  readonly record?: string | undefined;
  readonly replay?: string | undefined;
}

/** A replay without --input asks what was asked then; stdin is left alone. */
export const isInputRecorded = (flags: CassetteFlags): boolean =>
  flags.replay !== undefined && flags.input === undefined;

/** The file that `--record` or `--replay` names, from `cwd` on; neither = no cassette. */
export function cassetteOf(flags: CassetteFlags, cwd: string): Pick<StartRun, 'cassette'> {
  const file = (path: string): string => resolve(cwd, path);
  if (flags.record !== undefined) return { cassette: { kind: 'record', file: file(flags.record) } };
  if (flags.replay === undefined) return {};
  return { cassette: { kind: 'replay', file: file(flags.replay), isInputRecorded: isInputRecorded(flags) } };
}

import { Flags, type ListView, type ProcessSettings } from '@kit-run/kit/command';

/** `--color` and `--no-color` of every command here; they win over NO_COLOR and the terminal (http-and-cli.md 4.0). */
export const colorFlag = Flags.boolean({ description: 'Colours, whatever the terminal and NO_COLOR say.', allowNo: true });

/** A terminal that does not say how wide it is. */
const DEFAULT_WIDTH = 100;

/** How lists are shown here: as wide as the terminal, or uncut where stdout is a file or a pipe. */
export function listView(settings: ProcessSettings, color: boolean | undefined): ListView {
  return { color: color ?? !settings.noColor, width: settings.stdoutIsTty ? (process.stdout.columns ?? DEFAULT_WIDTH) : null };
}

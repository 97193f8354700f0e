import { Flags } from './flags.js';
import type { ProcessSettings } from './process-settings.js';

/** How lists and pages about runs are shown. */
export interface ListView {
  readonly color: boolean;
  /**
   * Columns of the terminal; null = stdout is none, and nothing is ever cut
   * (docs/design/decisions.md#terminal).
   */
  readonly width: number | null;
}

/**
 * `--color` and `--no-color`; they win over NO_COLOR and the terminal
 * (docs/design/decisions.md#terminal).
 */
export const colorFlag = Flags.boolean({
  description: 'Colours, whatever the terminal and NO_COLOR say.',
  allowNo: true,
});

/**
 * How a list is shown: as wide as the terminal, or uncut where stdout is a file or a pipe. `color`:
 * what the flag says; undefined = nothing.
 */
export function listView(settings: ProcessSettings, color: boolean | undefined): ListView {
  return {
    color: color ?? !settings.noColor,
    width: settings.stdoutColumns,
  };
}

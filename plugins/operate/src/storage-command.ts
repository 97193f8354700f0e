import { colorFlag, Flags, KitCommand, KitError, type ListView, listView, onlyHere } from '@kit-run/kit/command';
import { createProgressLine, type ProgressLine } from '@kit-run/kit/text/progress-line';

/** Flags of every command that changes a store. */
export const storageFlags = {
  'dry-run': Flags.boolean({ description: 'Show what would be done, and write nothing.' }),
  yes: Flags.boolean({ char: 'y', description: 'Do not ask.' }),
  color: colorFlag,
};

/** What moving and pruning share: one question, and a line that says how far they are. */
export abstract class StorageCommand extends KitCommand {
  static override baseFlags = onlyHere;
  protected view(color: boolean | undefined): ListView {
    return listView(this.settings, color);
  }

  /** False: the person said no. Throws KIT_USAGE where nobody can be asked. */
  protected async isWanted(question: string, yes: boolean): Promise<boolean> {
    const refusal = new KitError('KIT_USAGE', 'nobody can be asked here: stdin is not a terminal', {
      hint: 'Say --yes, or look first with --dry-run.',
    });
    return yes || this.confirm(question, refusal);
  }

  protected progress(): ProgressLine {
    const { quiet, stderrIsTty, ci, isDumbTerminal } = this.settings;
    return createProgressLine({
      write: (text) => void (quiet || this.io.stderr.write(text)),
      isTty: stderrIsTty && !ci && !isDumbTerminal,
      now: () => performance.now(),
    });
  }
}

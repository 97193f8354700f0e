import { Flags, KitError, type ListView, type ProcessSettings } from '@kit-run/kit/command';

/** `--color` and `--no-color` of every command here; they win over NO_COLOR and the terminal (http-and-cli.md 4.0). */
export const colorFlag = Flags.boolean({ description: 'Colours, whatever the terminal and NO_COLOR say.', allowNo: true });

export const commentFlag = Flags.string({ char: 'm', default: '', description: 'Why; kept with the decision.', helpValue: 'TEXT' });

/** A terminal that does not say how wide it is. */
const DEFAULT_WIDTH = 100;

/** How reviews are shown here. `named`: how the user named the workspace, for commands to paste; undefined = not at all. */
export function reviewView(settings: ProcessSettings, how: { readonly color: boolean | undefined; readonly named: string | undefined }) {
  const list: ListView = {
    color: how.color ?? !settings.noColor,
    width: settings.stdoutIsTty ? (process.stdout.columns ?? DEFAULT_WIDTH) : null,
  };
  return { ...list, workspaceArgument: how.named ?? '' };
}

/** An identity that was given; KIT_USAGE for one that names nobody. */
export function identityOf(as: string | undefined, fallback: string): string {
  if (as?.trim() === '') throw new KitError('KIT_USAGE', '--as names nobody', { hint: 'Write --as <identity>.' });
  return as ?? fallback;
}

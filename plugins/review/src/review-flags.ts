import { Flags, KitError, listView, type ProcessSettings } from '@kit-run/kit/command';

export const commentFlag = Flags.string({ char: 'm', default: '', description: 'Why; kept with the decision.', helpValue: 'TEXT' });

/** How reviews are shown here. `named`: how the user named the workspace, for commands to paste; undefined = not at all. */
export function reviewView(settings: ProcessSettings, how: { readonly color: boolean | undefined; readonly named: string | undefined }) {
  return { ...listView(settings, how.color), workspaceArgument: how.named ?? '' };
}

/** An identity that was given; KIT_USAGE for one that names nobody. */
export function identityOf(as: string | undefined, fallback: string): string {
  if (as?.trim() === '') throw new KitError('KIT_USAGE', '--as names nobody', { hint: 'Write --as <identity>.' });
  return as ?? fallback;
}

import { Flags, listView, type ProcessSettings } from '@kit-run/kit/command';

export const commentFlag = Flags.string({
  char: 'm',
  default: '',
  description: 'Why; kept with the decision.',
  helpValue: 'TEXT',
});

/**
 * How reviews are shown here. `named`: how the user named the workspace, for commands to paste;
 * undefined = not at all.
 */
export function reviewView(
  settings: ProcessSettings,
  how: { readonly color: boolean | undefined; readonly named: string | undefined },
) {
  return { ...listView(settings, how.color), workspaceArgument: how.named ?? '' };
}

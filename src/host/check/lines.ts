import type { PluginCheckLine } from '../../domain/ports/plugin-authoring.js';

type LineFacts = Partial<Pick<PluginCheckLine, 'message' | 'ms'>>;

/** A check that was made and held. */
export const passed = (check: string, where: string, facts: LineFacts = {}): PluginCheckLine => ({
  check,
  where,
  state: 'passed',
  message: '',
  hint: null,
  ms: null,
  ...facts,
});

/** A check that did not hold, and what to do. */
export const failed = (
  check: string,
  where: string,
  said: { readonly message: string; readonly hint: string },
): PluginCheckLine => ({
  check,
  where,
  state: 'failed',
  ms: null,
  ...said,
});

export const warned = (
  check: string,
  where: string,
  said: { readonly message: string; readonly hint: string },
): PluginCheckLine => ({
  ...failed(check, where, said),
  state: 'warned',
});

export const skipped = (check: string, where: string, message: string): PluginCheckLine => ({
  ...passed(check, where, { message }),
  state: 'skipped',
});

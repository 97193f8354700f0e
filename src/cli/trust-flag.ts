import * as Flags from '@oclif/core/flags';

/** Shared `--trust`, once for each adapter. */
export const trustFlag = Flags.string({
  multiple: true,
  multipleNonGreedy: true,
  description: 'Approve an adapter of the workspace by the digest of its spec.',
  helpValue: 'DIGEST',
});

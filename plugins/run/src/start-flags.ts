import { KitError } from '@kit-run/kit/command';

/**
 * What is decided when a run is submitted: a resumed run keeps it, and a flag without an effect is
 * refused.
 */
const START_FLAGS = [
  'input',
  'attach',
  'label',
  'correlation-id',
  'supersedes',
  'timeout',
  'patience',
  'dry-run',
  'record',
  'replay',
] as const;

export function refuseStartFlags(flags: Readonly<Partial<Record<(typeof START_FLAGS)[number], unknown>>>): void {
  const given = START_FLAGS.filter((name) => flags[name] !== undefined && flags[name] !== false);
  if (given.length === 0) return;
  throw new KitError(
    'KIT_USAGE',
    `--resume goes on with a run as it was submitted: ${given.map((name) => `--${name}`).join(', ')} cannot be changed`,
    {
      hint: 'Leave the flag out, or submit a new run with --supersedes.',
    },
  );
}

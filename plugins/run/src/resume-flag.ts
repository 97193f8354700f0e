import { Flags, KitError } from '@kit-run/kit/command';

/** A run id or prefix as `kit checkpoints` prints it. */
const RUN_ID = /^[0-9a-f]{3,12}$/;

/**
 * `--resume` takes an optional value, which the flag parser cannot express: `--resume` alone means
 * the last run that can go on, `--resume=<id>` and `--resume <id>` name one. The lone form becomes
 * `--resume=`, which nobody may write: throws KIT_USAGE.
 */
export function spellResume(argv: readonly string[]): string[] {
  const spelled: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const arg = argv[index] ?? '';
    if (arg === '--') return [...spelled, ...argv.slice(index)];
    // A variable that is not set would name the newest run.
    if (arg === '--resume=')
      throw new KitError('KIT_USAGE', '--resume= names no run', {
        hint: 'Write the id, or --resume alone for the last run that can go on.',
      });
    if (arg !== '--resume') {
      spelled.push(arg);
      continue;
    }
    const next = argv[index + 1];
    const isId = next !== undefined && RUN_ID.test(next);
    spelled.push(`--resume=${isId ? next : ''}`);
    if (isId) index += 1;
  }
  return spelled;
}

/** `dependsOn`: flags without which it says nothing. */
export const anewFlag = (dependsOn: string[] = []) =>
  Flags.boolean({
    description: 'Start new sessions of coding harnesses here; changes of the old ones are dropped.',
    dependsOn,
  });

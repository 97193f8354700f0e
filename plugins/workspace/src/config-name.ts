import { KitError, type PreferenceName } from '@kit-run/kit/command';

/** What can be set, and what each means. */
const PREFERENCES: Readonly<Record<PreferenceName, string>> = {
  identity: 'your name for commands that take --as. KIT_IDENTITY has precedence over it.',
};

const NAMES = Object.keys(PREFERENCES) as readonly PreferenceName[];

/** What each means, for help. */
export const SETTINGS = NAMES.map((name) => `${name}: ${PREFERENCES[name]}`).join('\n');

/** Throws KIT_USAGE for a name that nothing reads. */
export function preferenceCalled(name: string): PreferenceName {
  const known = NAMES.find((one) => one === name);
  if (known !== undefined) return known;
  throw new KitError('KIT_USAGE', `there is no setting ${name}`, { hint: `Known: ${NAMES.join(', ')}.` });
}

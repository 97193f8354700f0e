import { KitError } from '../../domain/errors.js';
import type { LinkedCommand, LinkedSkill } from '../../domain/linked-skill.js';
import type { AskVersion } from '../../domain/ports/programs.js';
import { meetsVersion, versionIn } from '../../govern/binary-version.js';

/**
 * Refuses a command whose binary is there in another version than its pack asks for
 * (`requires[].version`). A binary that does not say its version is refused as well: what was asked
 * for is not known to hold.
 *
 * Throws KIT_BINARY_VERSION.
 */
export async function assertBinaries(
  ask: AskVersion,
  pack: string,
  { requires = [] }: Pick<LinkedCommand, 'requires'>,
): Promise<void> {
  for (const { binary, version } of requires) {
    const found = versionIn((await ask(binary)) ?? '');
    if (found !== null && meetsVersion(found, version)) continue;
    const what = found === null ? 'it does not say its version' : `version ${found} is what answers here`;
    throw new KitError('KIT_BINARY_VERSION', `the command pack ${pack} needs ${binary} ${version}, and ${what}`, {
      data: { pack, binary, wanted: version, found },
    });
  }
}

/** The same for each skill that a run reaches. Throws KIT_BINARY_VERSION. */
export async function assertSkillBinaries(ask: AskVersion, skills: readonly LinkedSkill[]): Promise<void> {
  for (const { implementation } of skills)
    if (implementation.type === 'command') await assertBinaries(ask, implementation.pack, implementation.command);
}

import { KitError } from '../../../domain/errors.js';
import { createSemaphore } from '../../../lib/semaphore.js';
import {
  type BrokenBundle,
  type Bundle,
  bundlePath,
  readBundle,
  SKILL_ID,
  skillPath,
  skillsOfBundle,
} from './bundle.js';

/** Where a catalogue lies. */
export interface CatalogueFiles {
  /** As it is shown: `bundled`, a directory, or an address. */
  readonly where: string;
  /** Ids of its bundles. Throws KIT_CATALOGUE_UNREACHABLE. */
  bundles(): Promise<readonly string[]>;
  /** A file by its path; null = there is none. Throws KIT_CATALOGUE_UNREACHABLE. */
  text(path: string): Promise<string | null>;
}

/** What can be added, by id. A broken bundle is named, and hides no other. */
export interface Catalogue {
  readonly source: string;
  readonly bundles: readonly Bundle[];
  readonly broken: readonly BrokenBundle[];
}

const MAX_BUNDLES = 500;
/** Files that are asked for at once. */
const AT_ONCE = 8;

async function readOne(files: CatalogueFiles, id: string): Promise<Bundle | BrokenBundle> {
  if (!SKILL_ID.test(id)) return { id: id.slice(0, 80), problem: 'its name is not an id of a bundle' };
  const text = await files.text(bundlePath(id));
  if (text === null) return { id, problem: `${bundlePath(id)} is not there` };
  const skills = (skillsOfBundle(id, text) ?? []).filter((skill) => SKILL_ID.test(skill));
  const texts = new Map(
    await Promise.all(skills.map(async (skill) => [skill, await files.text(skillPath(id, skill))] as const)),
  );
  const read = readBundle(id, text, (skill) => texts.get(skill) ?? null);
  return read.ok ? read.bundle : { id, problem: read.problem };
}

/** Throws KIT_CATALOGUE_UNREACHABLE, also for a list of bundles that is none. */
export async function readCatalogue(files: CatalogueFiles): Promise<Catalogue> {
  const ids = [...new Set(await files.bundles())].sort();
  if (ids.length > MAX_BUNDLES)
    throw new KitError('KIT_CATALOGUE_UNREACHABLE', `${files.where} is not a catalogue: its list of bundles is none`);
  const semaphore = createSemaphore(AT_ONCE);
  const bounded: CatalogueFiles = { ...files, text: (path) => semaphore(() => files.text(path)) };
  const read = await Promise.all(ids.map((id) => readOne(bounded, id)));
  return {
    source: files.where,
    bundles: read.filter((one) => 'skills' in one),
    broken: read.filter((one) => 'problem' in one),
  };
}

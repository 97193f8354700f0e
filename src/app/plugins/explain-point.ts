import { join } from 'node:path';
import { KitError } from '../../domain/errors.js';
import { POINT_IDS } from '../../domain/extension-points.js';
import type { Files } from '../../domain/ports/system.js';
import { hintFor } from '../../lib/nearest.js';

/** What `explainPoint` reads with. */
export interface ExplainPointDeps {
  readonly files: Pick<Files, 'readText'>;
  /** Directory of the running kit; the pages lie in docs/plugins. */
  readonly packageRoot: string;
}

/**
 * The page of an extension point, or of `commands` (Markdown). Throws KIT_USAGE for a word that is
 * neither.
 */
export async function explainPoint(point: string, deps: ExplainPointDeps): Promise<string> {
  const known: readonly string[] = [...POINT_IDS, 'commands'];
  const page = known.includes(point)
    ? await deps.files.readText(join(deps.packageRoot, 'docs', 'plugins', `${point}.md`))
    : null;
  if (page !== null) return page;
  throw new KitError('KIT_USAGE', `there is no page on ${point}`, {
    hint: hintFor(point, known, { fallback: `There are: ${known.join(', ')}.` }),
  });
}

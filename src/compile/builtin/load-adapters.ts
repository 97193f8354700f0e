import type { SourceFile } from '../../domain/diagnostic.js';
import type { Art } from '../link/registries.js';
import { parseSource } from '../parse/parse-source.js';
import { checkSchema } from '../schema/check-schema.js';
import { BUNDLED_PREFIX } from './bundled.js';

/** More than all plugins of a process bring; what is above is read anew. */
const MOST_KEPT = 64;
/** By path and text: a process compiles its workspace again and again, and these never change. */
const read = new Map<string, readonly [string, Art]>();

/**
 * The adapters that plugins bring as files (`contributes.executors[].adapters`), by id. A file that
 * does not parse or fit is a broken plugin, not a mistake of the user: it throws.
 */
export function bundledAdapters(sources: readonly SourceFile[]): ReadonlyMap<string, Art> {
  return new Map(
    sources.map((source) => {
      const path = source.path.startsWith(BUNDLED_PREFIX) ? source.path : `${BUNDLED_PREFIX}${source.path}`;
      const key = `${path}\n${source.text}`;
      const known = read.get(key) ?? readAdapter({ path, text: source.text });
      if (read.size < MOST_KEPT) read.set(key, known);
      return known;
    }),
  );
}

function readAdapter(source: SourceFile): readonly [string, Art] {
  const { parsed, diagnostics } = parseSource(source);
  const problems = parsed === null ? diagnostics : checkSchema('ExecutorAdapter', parsed.value, parsed);
  const metadata = parsed?.value.metadata;
  const id = typeof metadata === 'object' && metadata !== null && 'id' in metadata ? metadata.id : null;
  if (parsed === null || problems.length > 0 || typeof id !== 'string')
    throw new Error(`the bundled adapter ${source.path} is invalid: ${problems[0]?.message ?? 'it has no id'}`);
  return [id, { kind: 'ExecutorAdapter', path: source.path, raw: parsed.value, ...parsed }];
}

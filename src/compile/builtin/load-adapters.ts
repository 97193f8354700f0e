import type { SourceFile } from '../../domain/diagnostic.js';
import type { Art } from '../link/registries.js';
import { parseSource } from '../parse/parse-source.js';
import { checkSchema } from '../schema/check-schema.js';
import { BUNDLED_PREFIX } from './bundled.js';

/**
 * The adapters that plugins bring as files (`contributes.executors[].adapters`), by id. A file that
 * does not parse or fit is a broken plugin, not a mistake of the user: it throws.
 */
export function bundledAdapters(sources: readonly SourceFile[]): ReadonlyMap<string, Art> {
  return new Map(
    sources.map((source): [string, Art] => {
      const path = source.path.startsWith(BUNDLED_PREFIX) ? source.path : `${BUNDLED_PREFIX}${source.path}`;
      const { parsed, diagnostics } = parseSource({ path, text: source.text });
      const problems = parsed === null ? diagnostics : checkSchema('ExecutorAdapter', parsed.value, parsed);
      const metadata = parsed?.value.metadata;
      const id = typeof metadata === 'object' && metadata !== null && 'id' in metadata ? metadata.id : null;
      if (parsed === null || problems.length > 0 || typeof id !== 'string')
        throw new Error(`the bundled adapter ${source.path} is invalid: ${problems[0]?.message ?? 'it has no id'}`);
      return [id, { kind: 'ExecutorAdapter', path, raw: parsed.value, ...parsed }];
    }),
  );
}

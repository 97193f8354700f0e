import type { SourceFile, Span } from '../../domain/diagnostic.js';
import type { JsonObject } from '../../domain/json.js';
import { sha256Hex } from '../../lib/sha256.js';
import { BUILT_ADAPTERS } from '../generated/adapters.js';
import type { Checked } from '../link/registries.js';
import { parseSource } from '../parse/parse-source.js';
import type { ParsedSource, ParseResult } from '../parse/parsed-source.js';
import { checkSchema } from '../schema/check-schema.js';
import { BUNDLED_PREFIX, isBundled } from './bundled.js';

/** More than all plugins of a process bring; what is above is read anew. */
const MOST_KEPT = 64;
/** By path and text: a process compiles its workspace again and again, and these never change. */
const read = new Map<string, readonly [string, Checked<'ExecutorAdapter'>]>();

/**
 * The adapters that plugins bring as files (`contributes.executors[].adapters`), by id. A file that
 * does not parse or fit is a broken plugin, not a mistake of the user: it throws.
 */
export function bundledAdapters(sources: readonly SourceFile[]): ReadonlyMap<string, Checked<'ExecutorAdapter'>> {
  return new Map(
    sources.map((source) => {
      const path = isBundled(source) ? source.path : `${BUNDLED_PREFIX}${source.path}`;
      const key = `${path}\n${source.text}`;
      const known = read.get(key) ?? readAdapter({ path, text: source.text });
      if (read.size < MOST_KEPT) read.set(key, known);
      return known;
    }),
  );
}

function readAdapter(source: SourceFile): readonly [string, Checked<'ExecutorAdapter'>] {
  const { parsed, diagnostics } = builtAdapter(source) ?? parseAdapter(source);
  const metadata = parsed?.value.metadata;
  const id = typeof metadata === 'object' && metadata !== null && 'id' in metadata ? metadata.id : null;
  if (parsed === null || typeof id !== 'string')
    throw new Error(`the bundled adapter ${source.path} is invalid: ${diagnostics[0]?.message ?? 'it has no id'}`);
  const artifact = { kind: 'ExecutorAdapter', path: source.path, raw: parsed.value, ...parsed } as const;
  return [id, artifact as Checked<'ExecutorAdapter'>];
}

function parseAdapter(source: SourceFile): ParseResult {
  const { parsed, diagnostics } = parseSource(source);
  const problems = parsed === null ? diagnostics : checkSchema('ExecutorAdapter', parsed.value, parsed);
  return problems.length > 0 ? { parsed: null, diagnostics: problems } : { parsed, diagnostics };
}

/**
 * Text that the build parsed. It is checked against no schema here: a test of kit does so for each
 * (test/compile/builtin/built-adapters.test.ts). Its places are found when they are asked for.
 */
function builtAdapter(source: SourceFile): ParseResult | null {
  const built = BUILT_ADAPTERS[sha256Hex(source.text)];
  if (built === undefined) return null;
  let places: ParsedSource | undefined;
  const placesOf = (): ParsedSource => {
    places ??= parseSource(source).parsed ?? undefined;
    if (places === undefined) throw new Error(`the bundled adapter ${source.path} cannot be read`);
    return places;
  };
  const value: JsonObject = JSON.parse(built);
  const spanOf = (pointer: string): Span => placesOf().spanOf(pointer);
  const keySpanOf = (pointer: string): Span => placesOf().keySpanOf(pointer);
  return { parsed: { source, value, spanOf, keySpanOf }, diagnostics: [] };
}

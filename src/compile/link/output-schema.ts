import { posix } from 'node:path';
import type { Json, JsonObject, JsonSchema } from '../../domain/json.js';
import { isObject } from '../../lib/json.js';
import type { JsonIssue } from '../../lib/json-schema.js';
import { timedPatterns } from '../../lib/patterns/linear-pattern.js';
import type { Place, Report } from '../report.js';

/**
 * What became of a file that an artifact names by path. The content is read by the caller, symlinks
 * resolved first.
 */
export type ReferencedFile =
  | { readonly state: 'ok'; readonly text: string; readonly tree: Json | undefined; readonly problem: string | null }
  | { readonly state: 'missing' }
  | { readonly state: 'outside' };

/** Workspace-relative path -> file. */
export type ReferencedFiles = ReadonlyMap<string, ReferencedFile>;

export interface SchemaTools {
  /** Why a value is not JSON Schema 2020-12, and where in it; null when it is one. */
  readonly schemaProblem: (schema: JsonObject) => Pick<JsonIssue, 'message' | 'pointer'> | null;
}

/** Of a schema in a file of its own, where no line can be shown. */
export const problemText = ({ message, pointer }: Pick<JsonIssue, 'message' | 'pointer'>): string =>
  `${message}${pointer === '' ? '' : ` (${pointer})`}`;

const CODE = 'agent.output-schema';
const SCHEMA_SUFFIX = /\.(json|ya?ml)$/;

/**
 * Path of a file that an artifact names, relative to the artifact's own folder; null when it leaves
 * the workspace or is a URL.
 */
export function referencedPath(artifactPath: string, reference: string): string | null {
  if (reference.includes('://') || reference.startsWith('/') || reference.includes('\\')) return null;
  const path = posix.normalize(posix.join(posix.dirname(artifactPath), reference));
  return path === '..' || path.startsWith('../') ? null : path;
}

export interface SchemaSource {
  readonly place: Place;
  /** Path of the artifact that declares the schema: relative paths start there. */
  readonly declaredIn: string;
  readonly files: ReferencedFiles;
  readonly tools: SchemaTools;
  readonly report: Report;
}

function fail(source: SchemaSource, message: string, help?: string): null {
  source.report.add(source.place, { code: CODE, message, help });
  return null;
}

/** Longer ones are cut: the place says which it is. */
const SHOWN_CHARS = 80;

/** Says which patterns of a schema a hostile text may keep from an answer. */
export function warnOfTimedPatterns(report: Report, place: Place, schema: JsonObject): void {
  for (const source of timedPatterns(schema)) {
    const shown = source.length > SHOWN_CHARS ? `${source.slice(0, SHOWN_CHARS)}...` : source;
    report.add(place, {
      code: 'schema.timed-pattern',
      severity: 'warning',
      message: `the pattern \`${shown}\` is matched within 100 ms for each value: a value that takes longer is refused`,
      help: 'write it without lookaround, back references and repetitions over 1000',
    });
  }
}

const SCHEMA_HELP = 'schemas follow JSON Schema draft 2020-12';

/** `file`: where it lies, when it does not stand at the place itself. */
function checked(source: SchemaSource, schema: JsonObject, file: string | null): JsonSchema | null {
  const problem = source.tools.schemaProblem(schema);
  if (problem === null) {
    warnOfTimedPatterns(source.report, source.place, schema);
    return schema;
  }
  if (file !== null)
    return fail(source, `the schema file ${file} is not valid JSON Schema: ${problemText(problem)}`, SCHEMA_HELP);
  const place = { ...source.place, pointer: `${source.place.pointer}${problem.pointer}` };
  return fail({ ...source, place }, `the schema is not valid JSON Schema: ${problem.message}`, SCHEMA_HELP);
}

function fromFile(source: SchemaSource, reference: string): JsonSchema | null {
  const path = referencedPath(source.declaredIn, reference);
  if (path === null)
    return fail(
      source,
      `\`${reference}\` does not lead to a file of this workspace`,
      'write a path relative to the file that declares it; URLs are not fetched',
    );
  if (!SCHEMA_SUFFIX.test(path)) return fail(source, `\`${reference}\` is no .json, .yaml or .yml file`);
  const file = source.files.get(path) ?? { state: 'missing' };
  if (file.state === 'missing')
    return fail(source, `the schema file ${path} does not exist`, `paths are relative to ${source.declaredIn}`);
  if (file.state === 'outside')
    return fail(
      source,
      `the schema file ${path} lies outside the workspace`,
      'a link may not lead out of the workspace: copy the file',
    );
  if (file.problem !== null) return fail(source, `the schema file ${path} cannot be parsed: ${file.problem}`);
  if (!isObject(file.tree)) return fail(source, `the schema file ${path} holds no schema object`);
  return checked(source, file.tree, path);
}

/** An `output_schema` in any of its forms; null also when it failed, which has been reported. */
export function resolveSchema(source: SchemaSource, declared: Json): JsonSchema | null {
  if (declared === null) return null;
  if (typeof declared === 'string') return fromFile(source, declared);
  return isObject(declared) ? checked(source, declared, null) : null;
}

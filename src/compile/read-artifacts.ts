import type { Diagnostic, SourceFile } from '../domain/diagnostic.js';
import type { Lookup } from '../lib/interpolate-text.js';
import { hasErrors } from './diagnostics/sort.js';
import type { Discovery } from './discover/discover.js';
import { parseFiles } from './discover/parse-files.js';
import type { Document } from './document.js';
import { type InterpolatedDocument, interpolateDocument } from './interpolate/interpolate.js';
import { NO_PROPERTIES, type Properties, readProperties } from './interpolate/properties.js';
import { makeReferences, type References } from './interpolate/references.js';
import { withTypedReferences } from './interpolate/typed-references.js';
import type { Art } from './link/registries.js';
import { parseSource } from './parse/parse-source.js';
import { checkSchema, textsOfOtherTypes } from './schema/check-schema.js';

/** What the files say: parsed, interpolated, each fitting the schema of its kind. */
export interface ReadArtifacts {
  readonly references: References;
  /** Null as soon as a phase found an error: the next phase would only report its echoes. */
  readonly artifacts: readonly Art[] | null;
  /**
   * Every document without an error but a name that nothing defines: for what is asked about a
   * workspace that cannot run.
   */
  readonly fitting: readonly Art[];
  readonly diagnostics: readonly Diagnostic[];
  /** Values that must not be shown. */
  readonly secrets: readonly string[];
  /** Every name that stands in a `${...}` of a document. */
  readonly names: ReadonlySet<string>;
}

/** What names in `${...}` stand for. */
export interface Names {
  /** The one property file that holds (docs/design/workspace.md#interpolation); null = none. */
  readonly propertyFile: SourceFile | null;
  readonly environment: Lookup;
}

/** The property file flattened; what is wrong with it is in its diagnostics. */
export function loadProperties(file: SourceFile | null, environment: Lookup): Properties {
  if (file === null) return NO_PROPERTIES;
  const { parsed, diagnostics } = parseSource(file);
  if (parsed !== null) return readProperties(parsed, environment);
  // An empty property file is not a mistake; one that cannot be read is: its names would silently
  // fall back to the environment.
  if (file.text.replace(/^[^\S\r\n]*#.*$/gm, '').trim() === '') return NO_PROPERTIES;
  return {
    ...NO_PROPERTIES,
    diagnostics: diagnostics.map((diagnostic) => ({ ...diagnostic, code: 'interpolation.bad-properties' })),
  };
}

interface Judged {
  readonly artifacts: readonly Art[];
  readonly fitting: readonly Art[];
  readonly diagnostics: readonly Diagnostic[];
  readonly names: ReadonlySet<string>;
}

/** A reference to a number, true or false is one, where the schema asks for it. */
const typed = (
  document: Document,
  interpolated: InterpolatedDocument,
): Pick<InterpolatedDocument, 'value' | 'linked'> =>
  interpolated.names.size === 0
    ? interpolated
    : withTypedReferences(document.value, interpolated, textsOfOtherTypes(document.kind, interpolated.value));

const isMisfit = ({ code, severity }: Diagnostic): boolean =>
  severity === 'error' && code !== 'interpolation.unresolved';

/**
 * Interpolates, then judges by the schema: `permission: ${TIER}` is checked with its real value.
 */
function judge(documents: readonly Document[], references: References): Judged {
  const artifacts: Art[] = [];
  const fitting: Art[] = [];
  const diagnostics: Diagnostic[] = [];
  const names = new Set<string>();
  for (const document of documents) {
    const interpolated = interpolateDocument(document, references);
    for (const name of interpolated.names) names.add(name);
    const { value, linked } = typed(document, interpolated);
    const misfits = checkSchema(document.kind, value, document);
    diagnostics.push(...interpolated.diagnostics, ...misfits);
    const { kind, source, spanOf, keySpanOf } = document;
    const artifact: Art = {
      kind,
      path: source.path,
      value: linked,
      raw: document.value,
      source,
      spanOf,
      keySpanOf,
    };
    artifacts.push(artifact);
    if (![...interpolated.diagnostics, ...misfits].some(isMisfit)) fitting.push(artifact);
  }
  return { artifacts, fitting, diagnostics, names };
}

/**
 * Parses, interpolates and schema-checks what was discovered: all problems of a phase at once, none
 * of the next.
 */
export function readArtifacts(discovery: Discovery, from: Names): ReadArtifacts {
  const parsed = parseFiles(discovery.files);
  const properties = loadProperties(from.propertyFile, from.environment);
  const references = makeReferences(properties, from.environment);
  const first = [...discovery.diagnostics, ...parsed.diagnostics, ...properties.diagnostics];
  if (hasErrors(first))
    return { references, artifacts: null, fitting: [], diagnostics: first, secrets: [], names: new Set() };
  const judged = judge(parsed.documents, references);
  const secrets = references.secretValues(judged.names);
  const diagnostics = [...first, ...judged.diagnostics];
  const artifacts = hasErrors(diagnostics) ? null : judged.artifacts;
  return { references, artifacts, fitting: judged.fitting, diagnostics, secrets, names: judged.names };
}

import type { Diagnostic, Span } from '../../domain/diagnostic.js';
import type { Json } from '../../domain/json.js';
import { interpolateText, type Lookup } from '../../lib/interpolate-text.js';
import { isObject } from '../../lib/json.js';
import { pointerTo } from '../../lib/pointer-to.js';
import type { ParsedSource } from '../parse/parsed-source.js';

/**
 * The property file of a workspace, flattened to dotted names
 * (docs/design/workspace.md#interpolation).
 */
export interface Properties {
  readonly values: ReadonlyMap<string, string>;
  /** Names under the reserved key `secrets`: their values are masked wherever kit writes text. */
  readonly secrets: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

export const NO_PROPERTIES: Properties = { values: new Map(), secrets: new Set(), diagnostics: [] };

const SECRETS_KEY = 'secrets';

function flatten(value: Json, name: string, into: Map<string, string>, lookup: Lookup): void {
  if (isObject(value)) {
    for (const [key, child] of Object.entries(value))
      flatten(child, name === '' ? key : `${name}.${key}`, into, lookup);
  } else if (Array.isArray(value)) {
    value.forEach((child: Json, index) => {
      flatten(child, `${name}.${index}`, into, lookup);
    });
  } else if (value !== null) {
    into.set(name, typeof value === 'string' ? interpolateText(value, lookup).text : String(value));
  }
}

function problem(file: ParsedSource, pointer: string, message: string, help: string): Diagnostic {
  const span: Span = file.spanOf(pointer);
  return {
    code: 'interpolation.bad-properties',
    severity: 'error',
    message,
    path: file.source.path,
    pointer,
    span,
    help,
  };
}

interface Secrets {
  readonly secrets: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

function readSecrets(file: ParsedSource, names: ReadonlyMap<string, string>): Secrets {
  const listed = file.value[SECRETS_KEY];
  if (listed === undefined) return { secrets: new Set(), diagnostics: [] };
  if (!Array.isArray(listed)) {
    return {
      secrets: new Set(),
      diagnostics: [
        problem(
          file,
          `/${SECRETS_KEY}`,
          '`secrets` is not a list',
          'write the dotted names of the secret properties as a list',
        ),
      ],
    };
  }
  const secrets = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  listed.forEach((name: Json, index) => {
    // A misspelt name would leave its value unmasked without a word.
    if (typeof name === 'string' && names.has(name)) secrets.add(name);
    else
      diagnostics.push(
        problem(
          file,
          pointerTo('', SECRETS_KEY, index),
          `\`secrets\` names ${JSON.stringify(name)}, which is not a property of this file`,
          'name a property as it is addressed: `group.name`',
        ),
      );
  });
  return { secrets, diagnostics };
}

/**
 * Flattens a parsed property file. Values may use `${VAR}` of the environment; keys and `secrets`
 * are taken as they stand.
 */
export function readProperties(file: ParsedSource, environment: Lookup): Properties {
  const values = new Map<string, string>();
  const { [SECRETS_KEY]: _listed, ...properties } = file.value;
  flatten(properties, '', values, environment);
  return { values, ...readSecrets(file, values) };
}

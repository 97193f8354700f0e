import { slipOf } from '../../compile/rules/misplaced-key.js';
import type { Artifact } from '../../domain/artifact.js';
import type { Diagnostic } from '../../domain/diagnostic.js';
import type { KitError } from '../../domain/errors.js';
import type { Json, JsonObject } from '../../domain/json.js';
import type { Workspace } from '../../domain/workspace.js';
import { atPointer } from '../../lib/json-pointer.js';
import type { JsonIssue } from '../../lib/json-schema.js';
import { pointerTo } from '../../lib/pointer-to.js';

/** workspace.yaml, as its author wrote it. */
export type Written = Pick<Artifact<JsonObject>, 'path' | 'value' | 'spanOf' | 'keySpanOf'>;

interface Place {
  readonly pointer: string;
  readonly onKey: boolean;
}

/** Beside `governance.config`, in the block itself. */
const BESIDE = '/policy_language';

/**
 * What is wrong with the configuration of the governance provider: a diagnostic for each issue that
 * the error names in `data.issues`, else one. Each points at the key in workspace.yaml; at the
 * nearest one around it where something is missing.
 */
export function badConfig(
  error: KitError,
  { provider, config }: Pick<Workspace['governance'], 'provider' | 'config'>,
  { written, schema }: { readonly written: Written; readonly schema: JsonObject | null },
): readonly Diagnostic[] {
  const diagnosticOf = (message: string, { pointer, onKey }: Place, help?: string): Diagnostic => ({
    code: 'governance.bad-config',
    severity: 'error',
    message,
    path: written.path,
    pointer,
    span: onKey ? written.keySpanOf(pointer) : written.spanOf(pointer),
    ...(help === undefined ? {} : { help }),
  });
  const found = issuesOf(error);
  if (found.length === 0) return [diagnosticOf(error.message, placeOf(written, ''))];
  return found.map((issue) => {
    const slip = slipOf(schema ?? {}, atPointer(config, issue.pointer), issue);
    return diagnosticOf(
      `the configuration does not fit the governance provider \`${provider}\`: ${issue.message}`,
      placeOf(written, slip === null ? issue.pointer : `${issue.pointer}${pointerTo('', slip.key)}`, slip !== null),
      slip === null || slip.meant === null ? undefined : `did you mean \`${slip.meant}\`?`,
    );
  });
}

/** Written by the host, or by a provider of somebody else: looked at before it is believed. */
function issuesOf({ data }: KitError): readonly JsonIssue[] {
  const issues: unknown = data.issues;
  if (!Array.isArray(issues)) return [];
  return issues.flatMap((issue: unknown): readonly JsonIssue[] => {
    if (typeof issue !== 'object' || issue === null) return [];
    const { pointer, rule, message } = issue as Readonly<Record<string, unknown>>;
    if (typeof pointer !== 'string' || typeof message !== 'string') return [];
    return [{ pointer, message, rule: typeof rule === 'string' ? rule : '' }];
  });
}

/** Where what the provider gets stands in workspace.yaml: the way back of `linkGovernance`. */
function placeOf({ value }: Written, pointer: string, isKey = false): Place {
  const isThere = (at: string): boolean => atPointer(value as Json, at) !== undefined;
  const block = '/governance';
  const base =
    atPointer(value as Json, `${block}/provider`) === 'custom' ? `${block}/config/config` : `${block}/config`;
  if (pointer === BESIDE && !isThere(`${base}${pointer}`)) return { pointer: `${block}${BESIDE}`, onKey: false };
  if (pointer !== '' && isThere(`${base}${pointer}`)) return { pointer: `${base}${pointer}`, onKey: isKey };
  const around = [base, `${block}/config`, block].find(isThere) ?? block;
  return { pointer: around, onKey: true };
}

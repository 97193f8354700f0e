import { slipOf } from '../../compile/rules/misplaced-key.js';
import type { Artifact } from '../../domain/artifact.js';
import type { Diagnostic, SourceFile, Span } from '../../domain/diagnostic.js';
import { isKitError, type KitError, messageOf } from '../../domain/errors.js';
import type { PluginHost } from '../../domain/extension-points.js';
import type { Json, JsonObject } from '../../domain/json.js';
import type { PolicyProblem } from '../../domain/ports/governance.js';
import type { Workspace } from '../../domain/workspace.js';
import { atPointer } from '../../lib/json-pointer.js';
import type { JsonIssue } from '../../lib/json-schema.js';
import { indexLines } from '../../lib/line-index.js';
import { pointerTo } from '../../lib/pointer-to.js';
import { policyProblems } from '../policy-workspace.js';

/** workspace.yaml, as its author wrote it. */
type Written = Pick<Artifact<JsonObject>, 'path' | 'value' | 'spanOf' | 'keySpanOf'>;

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
function badConfig(
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

/** What was found, and the text of the policy files that it points into. */
export interface GovernanceFindings {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string>;
}

/** The texts that findings point into. */
export interface GovernanceTexts {
  readonly config: Written;
  readonly textOf: (path: string) => Promise<string | null>;
}

/** What is not here, and how it is installed. */
const HINTED: readonly string[] = ['KIT_PACKAGE_MISSING', 'KIT_PLUGIN_UNKNOWN'];

/**
 * What the governance provider says of its configuration and of its policies here and now: each
 * problem is an error, because a run under such policies is refused. `config` is workspace.yaml:
 * what is wrong with the configuration points at its key there. `textOf` reads a file of the
 * workspace by its path; null = there is no such text, and the line stands in the message.
 */
export async function governanceDiagnostics(
  workspace: Workspace,
  plugins: Pick<PluginHost, 'resolve' | 'find'>,
  { config: written, textOf }: GovernanceTexts,
): Promise<GovernanceFindings> {
  const { provider, config } = workspace.governance;
  const sources = new Map<string, string>();
  try {
    const problems = await policyProblems(await plugins.resolve('governanceProviders', provider, config), workspace);
    for (const { path, line } of problems) {
      if (line === null || sources.has(path)) continue;
      const text = await textOf(path);
      if (text !== null) sources.set(path, text);
    }
    return { diagnostics: problems.map((found) => diagnosticOf(found, sources.get(found.path) ?? null)), sources };
  } catch (error) {
    if (isKitError(error) && error.code === 'KIT_PLUGIN_CONFIG_INVALID')
      return {
        diagnostics: badConfig(error, workspace.governance, {
          written,
          schema: plugins.find('governanceProviders', provider)?.configSchema ?? null,
        }),
        sources,
      };
    const help = isKitError(error) && HINTED.includes(error.code) ? error.hint : undefined;
    const pointer = '/governance';
    return {
      diagnostics: [
        {
          code: 'governance.unavailable',
          severity: 'error',
          message: messageOf(error),
          path: written.path,
          pointer,
          span: written.keySpanOf(pointer),
          ...(help === undefined ? {} : { help }),
        },
      ],
      sources,
    };
  }
}

/**
 * The codes that there are; a plugin that answers with another has still said that its policies
 * cannot be used.
 */
const CODES: Readonly<Record<PolicyProblem['code'], true>> = {
  'policy.missing': true,
  'policy.not-compiled': true,
  'policy.unknown-entity': true,
  'policy.unparsable': true,
};

function diagnosticOf({ code, path, line, message, help }: PolicyProblem, text: string | null): Diagnostic {
  const span = line === null || text === null ? null : spanOf({ path, text }, line);
  return {
    code: Object.hasOwn(CODES, code) ? code : 'policy.unparsable',
    severity: 'error',
    message: line === null || span !== null ? message : `line ${line}: ${message}`,
    path,
    pointer: '',
    ...(span === null ? {} : { span }),
    ...(help === null ? {} : { help }),
  };
}

/** A line without the blanks around it; one that is empty or gone is not a place. */
function spanOf({ path, text }: SourceFile, line: number): Span | null {
  const lines = indexLines(text);
  const shown = lines.lineText(line);
  const start = lines.lineStart(line) + shown.length - shown.trimStart().length;
  const end = start + shown.trim().length;
  return end > start ? { path, start, end } : null;
}

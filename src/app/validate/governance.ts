import type { Diagnostic, SourceFile, Span } from '../../domain/diagnostic.js';
import { isKitError, messageOf } from '../../domain/errors.js';
import type { PluginHost } from '../../domain/extension-points.js';
import type { PolicyProblem } from '../../domain/ports/governance.js';
import type { Workspace } from '../../domain/workspace.js';
import { indexLines } from '../../lib/line-index.js';
import { policyProblems } from '../policy-workspace.js';
import { badConfig, type Written } from './governance-config.js';

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

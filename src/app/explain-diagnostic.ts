import { join } from 'node:path';
import { DIAGNOSTIC_CODES, isDiagnosticCode } from '../compile/diagnostics/codes.js';
import { KitError } from '../domain/errors.js';
import type { Files } from '../domain/ports/system.js';
import { hintFor } from '../lib/nearest.js';

/** What `explainDiagnostic` reads with. */
export interface ExplainDeps {
  readonly files: Pick<Files, 'readText'>;
  /** Directory of the running kit; the pages lie in docs/diagnostics. */
  readonly packageRoot: string;
}

/**
 * The page of a diagnostic code (Markdown). Throws KIT_USAGE for a code that kit does not report.
 */
export async function explainDiagnostic(code: string, deps: ExplainDeps): Promise<string> {
  if (!isDiagnosticCode(code)) {
    throw new KitError('KIT_USAGE', `there is no diagnostic ${code}`, {
      hint: hintFor(code, Object.keys(DIAGNOSTIC_CODES), {
        fallback: 'Codes stand in brackets behind `error`: error[schema.unknown-field].',
      }),
    });
  }
  return (
    (await deps.files.readText(join(deps.packageRoot, 'docs', 'diagnostics', `${code}.md`))) ??
    `# ${code}\n\n${DIAGNOSTIC_CODES[code]}\n`
  );
}

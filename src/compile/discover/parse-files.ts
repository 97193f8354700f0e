import type { Kind } from '../../domain/artifact.js';
import type { Diagnostic } from '../../domain/diagnostic.js';
import type { Document } from '../document.js';
import { parseSource } from '../parse/parse-source.js';
import type { ParsedSource } from '../parse/parsed-source.js';
import type { DiscoveredFile } from './discover.js';
import { replacementOf } from './removed.js';

const KINDS: readonly Kind[] = [
  'Workspace',
  'Topology',
  'Archetype',
  'Skill',
  'Funnel',
  'Contract',
  'RoleRegistry',
  'Trigger',
  'ExecutorAdapter',
  'ModelProvider',
  'EvalSet',
];

const SHOWN_CHARS = 60;
const cut = (found: string): string =>
  found.length <= SHOWN_CHARS ? found : `${found.slice(0, SHOWN_CHARS).toWellFormed()}...`;

function kindMismatch(file: DiscoveredFile, parsed: ParsedSource, found: unknown): Diagnostic {
  const place = { path: file.source.path, pointer: '/kind', span: parsed.spanOf('/kind') };
  const replacement = typeof found === 'string' ? replacementOf(found) : null;
  if (replacement !== null)
    return {
      ...place,
      code: 'workspace.removed-kind',
      severity: 'error',
      message: `the kind \`${String(found)}\` was removed`,
      help: replacement,
    };
  const folder = file.source.path.includes('/') ? file.source.path.replace(/\/.*$/, '/') : 'this place';
  const isOther = KINDS.some((kind) => kind === found);
  const message =
    typeof found === 'string'
      ? `${folder} holds kind ${file.kind}, this file says \`${cut(found)}\``
      : `the file names no kind; ${folder} holds ${file.kind}`;
  // A kind that exists may be right, and the folder wrong.
  const help = `write \`kind: ${file.kind}\`${isOther || typeof found !== 'string' ? ', or move the file' : ''}`;
  return {
    ...place,
    code: 'workspace.kind-mismatch',
    severity: 'error',
    message,
    help,
    ...(isOther || typeof found !== 'string' ? {} : { fix: { do: 'set', pointer: '/kind', value: file.kind } }),
  };
}

/** Parses every discovered file and compares its kind with its place. All problems at once. */
export function parseFiles(files: readonly DiscoveredFile[]): {
  readonly documents: readonly Document[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const documents: Document[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const file of files) {
    const { parsed, diagnostics: found } = parseSource(file.source);
    diagnostics.push(...found);
    if (parsed === null) continue;
    if (parsed.value.kind === file.kind) documents.push({ kind: file.kind, ...parsed });
    else diagnostics.push(kindMismatch(file, parsed, parsed.value.kind));
  }
  return { documents, diagnostics };
}

import type { Diagnostic } from '../../domain/diagnostic.js';
import { isKitError } from '../../domain/errors.js';
import type { KnowledgeBase } from '../../domain/knowledge.js';
import type { Workspace } from '../../domain/workspace.js';
import { pointerTo } from '../../lib/pointer-to.js';
import type { KnowledgeProblem } from '../knowledge/documents.js';
import { indexDocument } from '../knowledge/index-document.js';
import { reasonOf, unreadable } from '../knowledge/list-documents.js';
import { asDecided, type KnowledgeSources, readBase } from '../knowledge/prepare-knowledge.js';

const HELP: Readonly<Record<KnowledgeProblem['code'], string>> = {
  'knowledge.not-text': 'save it as UTF-8, or leave it out with `include`',
  'knowledge.nothing-found': 'correct `path` or `include`',
  'knowledge.outside': 'copy it into the workspace, or leave it out with `include`',
  'knowledge.too-large': 'split it, name a smaller folder, or leave it out with `include`',
  'knowledge.unreadable': 'fix it, or leave it out with `include`',
};

/**
 * Every document of every base is read as a submit would read it: each that cannot be searched is
 * an error, because a run that may search it is refused.
 */
export async function knowledgeDiagnostics(
  workspace: Workspace,
  sources: Omit<KnowledgeSources, 'root'>,
): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  const seen = new Set<string>();
  const place = await asDecided({ ...sources, root: workspace.root });
  for (const { artifact, knowledge } of workspace.topologies.values()) {
    for (const [index, base] of knowledge.entries()) {
      if (base.path === '' || seen.has(base.id)) continue;
      seen.add(base.id);
      const pointer = pointerTo('', 'artifacts', 'knowledge_bases', index, 'path');
      for (const { code, message, help } of await problemsOf(place, base))
        found.push({
          code,
          severity: 'error',
          message,
          path: artifact.path,
          pointer,
          span: artifact.spanOf(pointer),
          help: help ?? HELP[code],
        });
    }
  }
  return found;
}

/** `help`: what to do about this one; left out: what its code says. */
type FoundProblem = KnowledgeProblem & { readonly help?: string };

async function problemsOf(sources: KnowledgeSources, base: KnowledgeBase): Promise<readonly FoundProblem[]> {
  const { documents, problems } = await readBase(sources, base);
  const broken: FoundProblem[] = [];
  for (const { path, realPath, digest, bytes } of documents) {
    // It was read before, and could be.
    if (bytes === null) continue;
    await indexDocument({ path, digest, bytes }, sources.pdfPages).catch((error: unknown) => {
      sources.cache?.known.delete(realPath);
      broken.push({
        ...unreadable(base, path, reasonOf(error)),
        ...(isKitError(error) && error.hint !== undefined ? { help: error.hint } : {}),
      });
    });
  }
  return [...problems, ...broken];
}

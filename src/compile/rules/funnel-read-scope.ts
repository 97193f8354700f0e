import { posix } from 'node:path';
import { pointerTo } from '../../lib/pointer-to.js';
import type { FunnelScope } from './funnel-roles.js';

/** Why a path is none that a reviewer may be shown; null = it is one. */
function problemOf(path: string): string | null {
  if (path.includes('\\') || path.includes('\0')) return 'is not a path with forward slashes';
  const normal = posix.normalize(path);
  if (posix.isAbsolute(normal) || normal === '..' || normal.startsWith('../')) return 'leaves the repository';
  if (/^\.git(\/|$)/.test(normal)) return 'is where git keeps its own files';
  return path.trim() === '' ? 'is empty' : null;
}

/**
 * A reviewer is shown files of the repository and nothing beside it
 * (docs/design/execution.md#reviewer).
 */
export function checkReadScope({ artifact, report }: FunnelScope): void {
  artifact.value.review?.read_scope?.forEach((path, index) => {
    const problem = problemOf(path);
    if (problem === null) return;
    report.add(
      { artifact, pointer: pointerTo('', 'review', 'read_scope', index) },
      {
        code: 'funnel.bad-read-scope',
        message: `the path \`${path}\` ${problem}`,
        help: 'write files and folders relative to the top of the repository',
      },
    );
  });
}

import { sha256Hex } from '../../lib/sha256.js';

/** What stands between the answer of a harness and its diff in the artifact that people sign. */
const BETWEEN = '\n\ndiff --git ';
/** Characters that are hashed before the search is given up: an answer may imitate diffs. */
const MAX_HASHED = 512 * 1024 * 1024;

/**
 * The diff with this digest at the end of what people sign; null = there is none. An answer, and a
 * diff with binary files, may hold what looks like a beginning: the digest decides, from the end.
 */
export function signedDiff(artifact: string, diffSha256: string): string | null {
  if (diffSha256 === sha256Hex('')) return '';
  let hashed = 0;
  let at = artifact.lastIndexOf(BETWEEN);
  while (at >= 0 && hashed < MAX_HASHED) {
    const diff = artifact.slice(at + 2);
    if (sha256Hex(diff) === diffSha256) return diff;
    hashed += diff.length;
    at = at === 0 ? -1 : artifact.lastIndexOf(BETWEEN, at - 1);
  }
  return null;
}

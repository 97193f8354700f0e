import type { ApprovalPolicy } from '../../domain/gates.js';
import type { Json } from '../../domain/json.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { diffFiles, diffSections } from '../../lib/diff-files.js';
import { sha256Hex } from '../../lib/sha256.js';
import { withoutTrailingSlashes } from '../../lib/show-url.js';

/** A draft as it comes before the people. */
export interface GateDraft {
  /** Number of its last step, for events. */
  readonly number: number;
  readonly output: Json;
  readonly diff: string | null;
}

/** The bytes that people decide about. */
export interface DraftArtifact {
  readonly bytes: Uint8Array;
  readonly mediaType: 'text/plain' | 'application/json' | 'text/x-diff';
  readonly sha256: string;
  /** SHA-256 hex of the diff alone; null without one. */
  readonly diffSha256: string | null;
}

/**
 * What is signed is all that goes on. Text is stored as it is; any other value as JSON, indented by
 * two, because people read it. A harness that changed files hands over both, so both are in the
 * artifact: its answer, a blank line, its unified diff, as in a patch that is sent by mail. `git
 * apply` takes it as it is.
 */
export function artifactOf({ output, diff }: Pick<GateDraft, 'output' | 'diff'>): DraftArtifact {
  const isText = typeof output === 'string';
  const answer = isText ? output : JSON.stringify(output, null, 2);
  const hasDiff = diff !== null && diff !== '';
  const bytes = new TextEncoder().encode(hasDiff ? `${answer}\n\n${diff}` : answer);
  return {
    bytes,
    mediaType: hasDiff ? 'text/x-diff' : isText ? 'text/plain' : 'application/json',
    sha256: sha256Hex(bytes),
    diffSha256: diff === null ? null : sha256Hex(diff),
  };
}

/**
 * Digests of the parts that rules cover, for `reconfirm_changed`: rule index -> part -> SHA-256
 * hex. A part that begins with `/` is a top-level field of a JSON answer, any other the files of
 * the diff at or below that path. A field that is not there counts as the whole artifact: a name
 * that is spelled wrongly keeps no decision.
 */
export function partsOf(
  policy: ApprovalPolicy,
  draft: Pick<GateDraft, 'output' | 'diff'>,
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const whole = artifactOf(draft).sha256;
  return Object.fromEntries(
    policy.rules.flatMap(({ covers }, index) =>
      covers === null
        ? []
        : [[String(index), Object.fromEntries(covers.map((part) => [part, partDigest(part, draft, whole)]))] as const],
    ),
  );
}

function partDigest(part: string, { output, diff }: Pick<GateDraft, 'output' | 'diff'>, whole: string): string {
  if (!part.startsWith('/')) return diff === null ? whole : sha256Hex(filesBelow(part, diff));
  const name = part.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
  if (output === null || typeof output !== 'object' || Array.isArray(output) || !Object.hasOwn(output, name))
    return whole;
  return sha256Hex(canonicalJson((output as Readonly<Record<string, Json>>)[name]));
}

/**
 * The sections of a unified diff that touch a path: by old name or new one, so that a file which
 * moves away is noticed. A section that names no file counts as covered by every rule.
 */
function filesBelow(path: string, diff: string): string {
  const prefix = withoutTrailingSlashes(path.replace(/^\.\//, ''));
  const isBelow = (name: string | null): boolean => name !== null && (name === prefix || name.startsWith(`${prefix}/`));
  return diffSections(diff)
    .filter((section) => {
      const files = diffFiles(section);
      return files.length === 0 || files.some((file) => isBelow(file.path) || isBelow(file.oldPath));
    })
    .join('');
}

import { roleDirectory } from '../../compile/link/role-directory.js';
import { KitError } from '../../domain/errors.js';
import { ANONYMOUS, type Submitter } from '../../domain/job.js';
import type { LinkedFunnel } from '../../domain/linked-funnel.js';
import type { Workspace } from '../../domain/workspace.js';
import { authorOf } from '../../govern/approval/people.js';

/**
 * What entry points say of a run whose author may not sign at a gate and is not known
 * (docs/design/decisions.md#author).
 */
export interface AuthorNotice {
  readonly identity: string;
  /** One sentence, without a full stop. */
  readonly message: string;
  readonly hint: string;
  /** Funnels that exclude the author. */
  readonly funnels: readonly string[];
}

/** Null when the author is identified, or no gate of the run excludes one. */
export function authorNotice(
  workspace: Pick<Workspace, 'roles'>,
  funnels: readonly LinkedFunnel[],
  submitter: Submitter,
): AuthorNotice | null {
  const excluding = funnels.filter((funnel) => funnel.approve.excludeAuthor).map((funnel) => funnel.id);
  if (excluding.length === 0 || authorOf(submitter, roleDirectory(workspace.roles)).identified) return null;
  return {
    identity: submitter.identity,
    message: `author not identified: ${whyUnknown(submitter.identity)}, and ${excluding.join(', ')} excludes the author`,
    hint: cureOf(submitter.identity),
    funnels: excluding,
  };
}

/** An anonymous caller is nobody in particular, even where a role lists that name. */
function whyUnknown(identity: string): string {
  if (identity === ANONYMOUS) return 'an anonymous caller is nobody in particular';
  return `${identity === '' ? 'nobody' : identity} stands in no role registry`;
}

const isNobody = (identity: string): boolean => identity === ANONYMOUS || identity === '';

/** Whoever has said who they are is not asked to say it again. */
function cureOf(identity: string): string {
  if (isNobody(identity))
    return 'Submit as a person of the role registry: on the command line with --as <identity>, over HTTP with a key or token of theirs.';
  return `Add ${identity} to a role, or to \`identities\`, of the role registry, or submit as somebody who stands there.`;
}

/**
 * The refusal of such a run, where the workspace asks for it
 * (`governance.require_identified_author`). Nobody in particular gets the hint of the code, which
 * each entry point says in its own words.
 */
export const authorUnidentified = ({ message, hint, identity, funnels }: AuthorNotice): KitError =>
  new KitError('KIT_AUTHOR_UNIDENTIFIED', message, {
    ...(isNobody(identity) ? {} : { hint }),
    data: { identity, funnels: [...funnels] },
  });

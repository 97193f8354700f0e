import type { ReviewState, RoleDirectory } from '../../domain/gates.js';
import { type Author, authorOf, isSamePerson } from './people.js';

/** An author of a run, and the run that this person submitted: the run itself, or one before it. */
export interface RunAuthor extends Author {
  readonly jobId: string;
}

/**
 * Whose work a run is (docs/design/decisions.md#line): whoever submitted it, first, then whoever
 * submitted the runs that it goes on from. Nobody else: who resumes, decides or executes a run has
 * not asked for it.
 */
export const authorsOf = (
  { id, submittedBy, earlier }: Pick<ReviewState['job'], 'id' | 'submittedBy' | 'earlier'>,
  roles: RoleDirectory,
): readonly [RunAuthor, ...RunAuthor[]] => [
  { ...authorOf(submittedBy, roles), jobId: id },
  ...earlier.map((before) => ({ ...authorOf(before.submittedBy, roles), jobId: before.jobId })),
];

/** The author that this name may stand for; null: none of them. */
export const authorCalled = (authors: readonly RunAuthor[], roles: RoleDirectory, name: string): RunAuthor | null =>
  authors.find((author) => isSamePerson(roles, author.identity, name)) ?? null;

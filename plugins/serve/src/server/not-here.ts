/** A path that clients may know from elsewhere, and why it is not here. */
interface Missing {
  readonly path: RegExp;
  readonly hint: string;
}

const MISSING: readonly Missing[] = [
  {
    path: /^(\/api)?\/pipelines(\/|$)/,
    hint: 'Pipelines were removed in 1.189. A topology with children or depends_on does their work: POST /run/{topology}.',
  },
];

/**
 * What to say of a path that other servers of this kind have and this one has not; null = nothing
 * is known of it.
 */
export const hintForMissing = (path: string): string | null =>
  MISSING.find((missing) => missing.path.test(path))?.hint ?? null;

/**
 * Which of these references (`variable:LOCAL_KEY`, `credential:deploy`, `program:git`) something is
 * behind on this machine. It is looked up live, at most once a second each, and no value is read:
 * that a credential's source is there says nothing of what it answers.
 */
export type FindReferences = (references: readonly string[]) => Promise<readonly string[]>;

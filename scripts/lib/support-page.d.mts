/** The text of test/support/README.md. `root`: of the repository, ending with a slash. */
export function supportPage(root: string): string;

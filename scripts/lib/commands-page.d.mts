/** The text of docs/commands.md. `root`: of the repository, ending with a slash. */
export function commandsPage(root: string): Promise<string>;

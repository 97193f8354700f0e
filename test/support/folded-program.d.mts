/** The path of the folded program; `path` is that of its source, from the root. */
export function foldedProgram(path: string): Promise<string>;

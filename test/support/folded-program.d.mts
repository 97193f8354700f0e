/** The path of the folded program; `path` is that of its source, from the root. */
export function foldedProgram(path: string): Promise<string>;
/** Variables of a process of such a program: what was compiled once is there for all of them. */
export function compileCache(): { readonly NODE_COMPILE_CACHE: string };

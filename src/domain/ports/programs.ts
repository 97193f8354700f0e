/**
 * What a program of this machine says of itself when it is called with `--version`: the first lines
 * of stdout, else of stderr. null = it is not there, fails or says nothing in time.
 */
export type AskVersion = (binary: string) => Promise<string | null>;

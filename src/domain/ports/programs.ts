/**
 * What a program of this machine says of itself when it is called with `--version`: the first lines
 * of stdout, else of stderr. null = it is not there, fails or says nothing in time.
 */
export type AskVersion = (binary: string) => Promise<string | null>;

/**
 * How a program ended. `code` null: it could not be started, was ended by a signal, took too long
 * or said too much.
 */
export interface ProgramEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program to its end, without a shell. `timeoutMs` null: however long it takes, as where a
 * person waits who can stop it.
 */
export type RunProgram = (
  argv: readonly [string, ...string[]],
  call: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly timeoutMs: number | null },
) => Promise<ProgramEnd>;

import type { ProcessIo } from './process-io.js';

/**
 * One line from a terminal, asked for on stderr, trimmed; null = Ctrl-C or Ctrl-D. `isSecret`: what
 * is typed is not shown.
 */
export async function askPerson(
  question: string,
  { stdin, stderr }: Pick<ProcessIo, 'stdin' | 'stderr'>,
  { isSecret }: { readonly isSecret: boolean },
): Promise<string | null> {
  const [{ createInterface }, { Writable }] = await Promise.all([
    import('node:readline/promises'),
    import('node:stream'),
  ]);
  const muted = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface(
    isSecret ? { input: stdin, output: muted, terminal: true } : { input: stdin, output: stderr },
  );
  if (isSecret) stderr.write(`${question} `);
  try {
    return (await terminal.question(isSecret ? '' : `${question} `)).trim();
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    if (!isSecret) stderr.write('\n');
    return null;
  } finally {
    if (isSecret) stderr.write('\n');
    terminal.close();
  }
}

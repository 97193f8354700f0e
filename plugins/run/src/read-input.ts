import { KitError } from '@kit-run/kit/command';

/**
 * Told once when stdin has said nothing for this long; an implicit stdin is given up after the
 * second (docs/design/decisions.md#stdin).
 */
const NOTICE_AFTER_MS = 2_000;
const GIVE_UP_AFTER_MS = 30_000;

export interface InputSources {
  /** `--input`; `-` = stdin; undefined = not given. */
  readonly flag: string | undefined;
  /** stdin is a file, a pipe or a socket. */
  readonly isInput: boolean;
  /** Opens stdin; asked for when it is read. */
  readonly stdin: () => NodeJS.ReadableStream;
  /** Tells the user what is being waited for. */
  readonly notice: (text: string) => void;
}

/**
 * The input of a run: `--input TEXT`, `--input -`, or stdin when it is a file or a pipe. Throws
 * KIT_INPUT_MISSING when there is none, and when an implicit stdin ends without a byte or gives
 * none for 30 s.
 */
export async function readInput(sources: InputSources): Promise<string> {
  const { flag } = sources;
  if (flag?.trim() === '') throw missing('--input is empty');
  if (flag !== undefined && flag !== '-') return flag;
  if (flag === undefined && !sources.isInput) throw missing('the run has no input');
  return readStdin(sources, flag === undefined);
}

const missing = (message: string): KitError =>
  new KitError('KIT_INPUT_MISSING', message, { hint: 'Add --input TEXT, or pipe the input.' });

async function readStdin(sources: InputSources, isImplicit: boolean): Promise<string> {
  const { notice } = sources;
  const stdin = sources.stdin();
  const chunks: Buffer[] = [];
  const noticeTimer = setTimeout(
    () => notice('waiting for the input on stdin (end it with Ctrl-D, or use --input TEXT)'),
    NOTICE_AFTER_MS,
  );
  let giveUp: NodeJS.Timeout | undefined;
  try {
    return await new Promise<string>((resolve, reject) => {
      const silence = (): KitError =>
        new KitError('KIT_INPUT_MISSING', `stdin is open, but gave no byte within ${GIVE_UP_AFTER_MS / 1000} s`, {
          hint: 'Add --input TEXT, or close stdin.',
        });
      if (isImplicit) giveUp = setTimeout(() => reject(silence()), GIVE_UP_AFTER_MS);
      stdin.on('data', (chunk: Buffer | string) => {
        clearTimeout(noticeTimer);
        clearTimeout(giveUp);
        chunks.push(Buffer.from(chunk));
      });
      stdin.once('end', () => {
        // A closed pipe that nobody asked for is what a scheduler or CI gives: no input, not an
        // empty one.
        const text = Buffer.concat(chunks).toString('utf8');
        if (isImplicit && chunks.length === 0) reject(missing('the run has no input: stdin ended without a byte'));
        else if (text.trim() === '') reject(missing('the input on stdin is empty'));
        else resolve(text);
      });
      stdin.once('error', reject);
    });
  } finally {
    clearTimeout(noticeTimer);
    clearTimeout(giveUp);
    if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  }
}

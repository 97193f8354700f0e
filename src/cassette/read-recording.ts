import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { KitError } from '../domain/errors.js';

/** A recording is read as a whole; one of a run of 100,000 events is a tenth of this. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Text of a recording. Throws KIT_CASSETTE_INVALID: it is not there, no regular file (a pipe would
 * be waited for, a device has no end), or larger than any recording.
 */
export async function readRecording(file: string, maxBytes = MAX_BYTES): Promise<string> {
  try {
    // Without O_NONBLOCK the opening of a pipe waits for who writes into it.
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { size, isFile } = await handle.stat().then((info) => ({ size: info.size, isFile: info.isFile() }));
      if (!isFile) throw new Error('it is not a regular file');
      if (size > maxBytes) throw new Error(`it has ${size} bytes, and a cassette has ${maxBytes} at most`);
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException; // of a file, or one of the two above
    const problem = code === 'ENOENT' ? 'there is no such file' : message;
    throw new KitError('KIT_CASSETTE_INVALID', `cannot read the cassette ${file}: ${problem}`, {
      hint: 'Name a file that `kit run --record FILE` wrote.',
      cause: error,
    });
  }
}

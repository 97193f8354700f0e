import { isKitError, KitError } from '../domain/errors.js';

/** As `inputRefused` of a submit says them. */
interface Misfit {
  readonly pointer: string;
  readonly message: string;
  readonly code?: string;
}

/**
 * Rethrows; the misfits of an input are said at its place in the request: `/n` of an input at
 * `/body/input` is `/body/input/n`, with the code `input_schema`, whichever route took it.
 */
export function misfitsAt(place: string): (error: unknown) => never {
  return (error) => {
    if (!isKitError(error) || error.code !== 'KIT_INPUT_INVALID') throw error;
    const misfits = (error.data.errors ?? []) as readonly Misfit[];
    const errors = misfits.map(({ pointer, message, code = 'input_schema' }) => ({
      pointer: `${place}${pointer}`,
      message,
      code,
    }));
    throw new KitError(error.code, error.message, { cause: error, data: { errors } });
  };
}

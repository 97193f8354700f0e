import { KitError } from '../../domain/errors.js';

/**
 * Why a process may not write any more that had the store open when another one was moved into it
 * (`kit storage migrate`): it would claim runs whose journal is still on its way, and give their
 * rows to the numbers of its own.
 */
export const movedIn = (): KitError =>
  new KitError('KIT_STORE_UNAVAILABLE', 'another store was moved into this database since this process opened it', {
    hint: 'Start the process again once `kit storage migrate` has ended.',
  });

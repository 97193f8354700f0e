import { expect, it } from 'vitest';
import { failedLook } from '../../../src/app/doctor/checks/check.js';
import { KitError } from '../../../src/domain/errors.js';

it('a check that met a damaged store sends nobody to kit doctor, where they are', () => {
  expect(failedLook('logs', new KitError('KIT_STORE_CORRUPT', 'page 3 is damaged'))).toEqual({
    ...{ id: 'logs', status: 'fail', found: 'page 3 is damaged' },
    fix: 'Restore the store from a backup.',
  });
});

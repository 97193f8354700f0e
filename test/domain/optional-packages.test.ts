import { expect, it } from 'vitest';
import { importOptional } from '../../src/domain/optional-packages.js';

const failing = (code: string) => () => Promise.reject(Object.assign(new Error('no such module'), { code }));

it.each(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'])(
  'says how to install a package that is absent: %s',
  async (code) => {
    await expect(importOptional('unpdf', failing(code))).rejects.toMatchObject({
      code: 'KIT_PACKAGE_MISSING',
      data: { package: 'unpdf' },
    });
  },
);

it.each([failing('EACCES'), () => Promise.reject(new Error('broken'))])('hides no other failure', async (load) => {
  await expect(importOptional('unpdf', load)).rejects.not.toMatchObject({ code: 'KIT_PACKAGE_MISSING' });
});

it('gives what was loaded', async () => {
  expect(await importOptional('unpdf', async () => ({ read: true }))).toEqual({ read: true });
});

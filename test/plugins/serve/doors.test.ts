import { expect, it } from 'vitest';
import { doorOf } from '../../../plugins/serve/src/mounts/review/viewer.js';

it('takes a server for the local machine only where nobody is asked who they are', () => {
  expect(doorOf({ clientName: 'Ann', provider: 'none', assurance: 'asserted' })).toEqual({
    clientName: 'Ann',
    assurance: 'asserted',
    openDoor: true,
  });
  expect(doorOf({ clientName: 'Ann', provider: 'jwt', assurance: 'authenticated' })).toEqual({
    clientName: 'Ann',
    assurance: 'authenticated',
    openDoor: false,
  });
  expect(doorOf({ clientName: 'Ann', provider: 'proxy', assurance: 'asserted' })).toEqual({
    clientName: 'Ann',
    assurance: 'asserted',
    openDoor: false,
  });
});

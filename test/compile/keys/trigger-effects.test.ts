import { test } from 'vitest';
import { showsEffect } from '../../support/shows-effect.js';
import { TRIGGER_PROOFS } from './proofs/trigger-proofs.js';
import { observeTriggers, TRIGGER_DOCUMENTS } from './proofs/trigger-scene.js';

test.for(TRIGGER_PROOFS)(
  '$key changes when a trigger fires, what it starts, or who may fire it',
  ({ key, a, b, given }) =>
    showsEffect(key, a, b, {
      base: TRIGGER_DOCUMENTS,
      observe: observeTriggers,
      ...(given === undefined ? {} : { given }),
    }),
);

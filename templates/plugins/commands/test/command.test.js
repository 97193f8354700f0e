import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SampleCommand } from '../src/commands/sample-name.js';

test('says what it is for', () => {
  assert.match(SampleCommand.summary, /topologies/);
});

import { expect, it } from 'vitest';
import { namingInstalled, withInstalled } from '../../src/app/installed-since.js';
import type { Diagnostic } from '../../src/domain/diagnostic.js';
import { KitError } from '../../src/domain/errors.js';

const wants = { point: 'toolSources', name: 'smoke' } as const;
const refused = new KitError('KIT_TOOL_SERVER_UNKNOWN', 'no installed plugin opens smoke', {
  hint: 'Install a plugin.',
  data: { wants },
});
const found: Diagnostic = {
  ...{ code: 'events.unknown-sink', severity: 'error', message: 'no sink', path: 'workspace.yaml', pointer: '' },
  help: 'known: file',
  wants: { point: 'eventSinks', name: 'smoke' },
};
const later = { installedSince: (point: string) => Promise.resolve(point === 'toolSources' ? 'kit-smoke' : null) };

it('says of a refusal that its plugin was installed since, and leaves the others as they are', async () => {
  const other = new KitError('KIT_USAGE', 'no');

  expect(await namingInstalled(refused, later)).toMatchObject({
    code: 'KIT_TOOL_SERVER_UNKNOWN',
    message:
      'no installed plugin opens smoke; the plugin kit-smoke, which brings it, was installed after this process started',
    hint: 'Start the process again: `kit serve`, `kit mcp serve`, each `kit worker`.',
  });
  expect(await namingInstalled(refused, {})).toBe(refused);
  expect(await namingInstalled(other, later)).toBe(other);
});

it('leaves a diagnostic of what no plugin brings as it is', async () => {
  expect(await withInstalled([found], later)).toEqual([found]);
});

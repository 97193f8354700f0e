import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { EMPTY_RUN, foldRun, fromWireEvent } from '@kit-run/kit/view';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { projectRoot } from '../support/kit-process.js';

/** What a bundler of pages makes of a program that imports the export. */
async function bundled(file: string): Promise<{ readonly code: string; readonly builtins: readonly string[] }> {
  const builtins: string[] = [];
  const bundle = await rolldown({
    input: 'page',
    platform: 'browser',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => {
          if (isBuiltin(id)) builtins.push(id);
          return id === 'page' ? 'page' : null;
        },
        load: (id) => (id === 'page' ? `export * from ${JSON.stringify(file)};` : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  return { code: output[0].code, builtins };
}

it('a page can bundle the export: nothing of Node is in it, from the sources and as it is packed', async () => {
  const { exports } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8'));
  for (const file of [join(projectRoot, 'src/sdk/view.ts'), join(projectRoot, exports['./view'].default)]) {
    const { code, builtins } = await bundled(file);
    expect(builtins, file).toEqual([]);
    expect(code, file).not.toMatch(/from ["']node:|require\(|process\.|Buffer\b/);

    const built: typeof import('@kit-run/kit/view') = await import(
      `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
    );
    const event = fromWireEvent({
      event_id: 'e1',
      run_id: 'r1',
      seq: 1,
      event_type: 'run.started',
      timestamp: '2026-11-26T10:00:00.000Z',
      topology_id: 't',
      payload: {},
    });
    expect(built.foldRun(built.EMPTY_RUN, [event])).toEqual(foldRun(EMPTY_RUN, [event]));
  }
});

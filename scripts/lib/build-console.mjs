// Builds the pages of the console: plugins/console/web into plugins/console/dist/web. Beside them
// lies a list of the modules that they hold.
import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** True where it was built. Vite is loaded only then. */
export async function buildConsole(root) {
  const { build } = await import('vite');
  const folder = join(root, 'plugins', 'console');
  const { output } = await build({
    root: join(folder, 'web'),
    base: '/console/',
    configFile: false,
    logLevel: 'warn',
    // The export that pages of others import, from its sources: the program is folded later.
    resolve: { alias: { '@kit-run/kit/view': join(root, 'src', 'sdk', 'view.ts') } },
    build: {
      outDir: join(folder, 'dist', 'web'),
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
    },
  });
  const modules = output.flatMap(({ moduleIds }) => moduleIds ?? []).map((id) => relative(root, id));
  await writeFile(join(folder, 'dist', 'web-modules.json'), JSON.stringify(modules));
  return true;
}

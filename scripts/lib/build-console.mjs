// Builds the pages of the console: plugins/console/web into plugins/console/dist/web.
import { join } from 'node:path';

/** True where it was built. Vite is loaded only then. */
export async function buildConsole(root) {
  const { build } = await import('vite');
  const folder = join(root, 'plugins', 'console');
  await build({
    root: join(folder, 'web'),
    base: '/console/',
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: join(folder, 'dist', 'web'),
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
    },
  });
  return true;
}

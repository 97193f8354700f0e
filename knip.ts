import { readdirSync, readFileSync } from 'node:fs';
import type { KnipConfig } from 'knip';

/** Modules of plugins that their manifests name: `./dist/mount.js` is `src/mount.ts`. */
const contributed = (plugin: string): readonly string[] => {
  const { kit } = JSON.parse(readFileSync(new URL(`plugins/${plugin}/package.json`, import.meta.url), 'utf8'));
  const contributions = Object.values<readonly { readonly module?: string }[]>(kit.contributes ?? {}).flat();
  return contributions.flatMap(({ module }) =>
    module === undefined ? [] : [module.replace('./dist/', 'src/').replace(/\.js$/, '.ts')],
  );
};

const pluginWorkspace = (plugin: string) => ({
  // commands are found by pattern
  entry: ['src/commands/**/*.ts', 'src/*.ts', 'src/*/main.ts', ...contributed(plugin)],
  ignoreDependencies: ['@kit-run/kit'],
  project: ['src/**/*.ts'],
});

const config: KnipConfig = {
  rules: {
    files: 'error',
    dependencies: 'error',
    devDependencies: 'error',
    unlisted: 'error',
    unresolved: 'error',
    exports: 'error',
    types: 'off', // an exported function's parameter types are part of its readability
    duplicates: 'error',
    binaries: 'error',
  },
  ignoreExportsUsedInFile: true,
  workspaces: {
    '.': {
      entry: [
        'src/boot/main.ts',
        'src/sdk/{plugin,command,testing,view}.ts',
        'src/text/*.ts',
        // started as processes or imported by name
        'src/cli/kit-help.ts',
        'src/host/install/plugin-plugins-child.ts',
        'scripts/site/config.mjs',
        'src/boot/plugin-check/{contract-process,manifest-process,probe-process,map-exports}.ts',
        'src/boot/doctor/crash-process.ts',
        'scripts/*.mjs',
        'test/**/*.test.ts',
        'test/support/*process*.{ts,mjs}',
        'test/support/components/*.mjs',
        // the contribution of a plugin, named in its manifest
        'test/support/scene/echo-source.ts',
        'test/model/model-process.ts',
      ],
      project: ['src/**/*.{ts,tsx}', 'test/**/*.ts', 'scripts/**/*.mjs', '!test/fixtures/**'],
      // run by path from scripts/, or linked for the plugins
      ignoreDependencies: [
        '@kit-run/.*',
        '@biomejs/biome',
        'oxlint(-tsgolint)?',
        'dependency-cruiser',
        'typescript-native',
        '@modelcontextprotocol/(conformance|server-.+)',
        'conformance-next',
      ],
      ignoreBinaries: ['script', 'mkfifo', 'ldd', 'pytest', 'jest', 'fish', 'systemd-analyze'],
    },
    ...Object.fromEntries(
      readdirSync(new URL('plugins', import.meta.url)).map((plugin) => [`plugins/${plugin}`, pluginWorkspace(plugin)]),
    ),
    'plugins/console': {
      // pages for a browser are entered where their HTML says
      entry: ['src/mount.ts', 'web/src/main.tsx'],
      ignoreDependencies: ['@kit-run/kit'],
      project: ['src/**/*.ts', 'web/src/**/*.{ts,tsx}'],
    },
  },
};

export default config;

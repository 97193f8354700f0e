import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const src = (path: string): string => fileURLToPath(new URL(`src/${path}`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: {
      '@kit-run/kit/plugin': src('sdk/plugin.ts'),
      '@kit-run/kit/command': src('sdk/command.ts'),
      '@kit-run/kit/testing': src('sdk/testing.ts'),
    },
  },
  test: {
    include: ['test/**/*.test.ts', 'plugins/*/test/**/*.test.ts'],
    exclude: ['test/fixtures/**', '**/node_modules/**'],
    globalSetup: ['test/support/components/postgres-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    reporters: ['default', ['json', { outputFile: '.test-report.json' }]],
  },
});

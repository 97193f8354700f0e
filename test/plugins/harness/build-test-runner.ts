import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The wrapper program as the build makes it, in a private folder that stands for the plugin's. */
export function buildTestRunner(into: string): string {
  const source = join(root, 'plugins/harness/src/test-runner');
  mkdirSync(join(into, 'dist/test-runner'), { recursive: true });
  writeFileSync(join(into, 'package.json'), '{"type":"module"}');
  symlinkSync(join(root, 'node_modules'), join(into, 'node_modules'));
  for (const name of readdirSync(source)) {
    const { outputText } = transpileModule(readFileSync(join(source, name), 'utf8'), {
      compilerOptions: { module: ModuleKind.ESNext, target: ScriptTarget.ES2024 },
    });
    writeFileSync(join(into, 'dist/test-runner', name.replace(/\.ts$/, '.js')), outputText);
  }
  return into;
}

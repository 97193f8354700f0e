import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The file of a program of our own that is started by itself, by its source: folded or compiled in
 * a build, TypeScript in a checkout, where Node strips the types.
 */
export function runnableFile(source: URL): string {
  const file = fileURLToPath(source);
  const built = ['.cjs', '.js'].map((ending) => file.replace(/\.ts$/, ending));
  return built.find((path) => existsSync(path)) ?? file;
}

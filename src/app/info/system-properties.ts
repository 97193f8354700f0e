import type { SourceFile } from '../../domain/diagnostic.js';
import { withoutPasswords } from '../../lib/show-url.js';
import type { SystemProperty } from '../../view/system-report.js';
import { SET } from './system-environment.js';

/**
 * The properties of `workspace.env.yaml`, sorted by name. Secret is what `secrets:` lists and what
 * its name says is one: declaring adds to the masked set and never takes away. A file that cannot
 * be read has none; `kit validate` says why.
 */
export async function systemProperties(
  file: SourceFile | null,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly SystemProperty[]> {
  if (file === null) return [];
  const { loadProperties, looksSecret } = await import('../../compile/compile-workspace.js');
  const { values, secrets } = loadProperties(file, (name) => environment[name]);
  return [...values]
    .map(([name, value]): SystemProperty => {
      const isSensitive = secrets.has(name) || looksSecret(name);
      return { name, value: isSensitive ? SET : (withoutPasswords(value) ?? SET), isSensitive };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

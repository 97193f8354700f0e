import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A private directory for the time of `work`; whoever is compared works in it too, on the same file
 * system.
 */
export async function inDirectory(work) {
  const directory = mkdtempSync(join(tmpdir(), 'kit-bench-'));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

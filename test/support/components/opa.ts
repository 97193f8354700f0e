import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** An OPA that evaluates these rules; `url` is what a workspace names as `opa_url`. */
export interface Opa {
  readonly url: string;
  /** What it answers with in place of OPA's answer; null = OPA's. */
  behave(instead: { readonly status: number; readonly body: string } | null): Promise<void>;
  close(): Promise<void>;
}

/** Starts the component of the same name. */
export async function startOpa(rules: string): Promise<Opa> {
  const dir = await mkdtemp(join(tmpdir(), 'kit-opa-'));
  const path = join(dir, 'rules.rego');
  await writeFile(path, rules);
  const script = fileURLToPath(new URL('opa.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, path, '--with-parent'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    url,
    behave: async (instead) => {
      await fetch(new URL('/behave', url), { method: 'POST', body: JSON.stringify(instead) });
    },
    close: async () => {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

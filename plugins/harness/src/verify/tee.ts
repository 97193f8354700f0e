import { chmod, mkdir, realpath, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/**
 * A PATH on which the program is a script that keeps what it prints in the file `raw`, to compare
 * what it says of itself with what kit makes of it.
 */
export async function teeOf(of: {
  readonly base: string;
  readonly program: string;
  readonly path: string;
}): Promise<string> {
  const { base, program, path } = of;
  const folder = join(base, 'tee');
  await mkdir(folder, { recursive: true });
  const file = join(folder, program);
  const real = await whereIs(program, path);
  await writeFile(join(base, 'raw'), '');
  // The script has no ending: without this the package that holds the folder says what it is.
  await writeFile(join(folder, 'package.json'), '{"type":"commonjs"}');
  await writeFile(file, textOf(real, join(base, 'raw')));
  await chmod(file, 0o700);
  return `${folder}${delimiter}${path}`;
}

async function whereIs(program: string, path: string): Promise<string> {
  for (const folder of path.split(delimiter)) {
    const found = await realpath(join(folder, program)).catch(() => null);
    if (found !== null) return join(folder, program);
  }
  throw new Error(`${program} is not on PATH`);
}

const textOf = (real: string, raw: string): string => `#!${process.execPath}
const { spawn } = require('node:child_process');
const { appendFileSync } = require('node:fs');
const child = spawn(${JSON.stringify(real)}, process.argv.slice(2), { stdio: ['inherit', 'pipe', 'inherit'] });
child.stdout.on('data', (part) => {
  appendFileSync(${JSON.stringify(raw)}, part);
  process.stdout.write(part);
});
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {});
child.on('close', (code) => process.exit(code ?? 1));
`;

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Versions of kit that differ in what they say, or in that they do not run. */
const VERSIONS = [
  { version: '0.1.0' },
  { version: '0.2.0' },
  { version: '0.3.0', program: 'process.exit(7);\n' },
  { version: '0.4.0', runtime: { engines: [999] } },
];
export const NEWEST = '0.2.0';

const npm = (args, cwd) => {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${stderr}`);
  const answer = JSON.parse(stdout);
  return Array.isArray(answer) ? answer[0] : Object.values(answer)[0];
};

/** Packs what this checkout packs, once a version. Answers package.json and tarball of each. */
export function packVersions(root, base) {
  const { files } = npm(['pack', '--dry-run', '--json', '--ignore-scripts'], root);
  return VERSIONS.map(({ version, program, runtime = {} }) => {
    const folder = join(base, 'sources', version);
    for (const { path } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      copyFileSync(join(root, path), join(folder, path));
    }
    const pjson = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const own = { ...pjson, version, kitRuntime: { ...pjson.kitRuntime, ...runtime }, scripts: {} };
    delete own.devDependencies;
    delete own.workspaces;
    writeFileSync(join(folder, 'package.json'), JSON.stringify(own, null, 2));
    const manifest = JSON.parse(readFileSync(join(folder, 'oclif.manifest.json'), 'utf8'));
    writeFileSync(join(folder, 'oclif.manifest.json'), JSON.stringify({ ...manifest, version }));
    if (program !== undefined) writeFileSync(join(folder, 'bin/kit.js'), `#!/usr/bin/env node\n${program}`);
    const { filename, integrity, shasum } = npm(['pack', '--json', '--ignore-scripts'], folder);
    return { pjson: own, archive: readFileSync(join(folder, filename)), integrity, shasum };
  });
}

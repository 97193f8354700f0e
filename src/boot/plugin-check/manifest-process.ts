// Writes to its parent what oclif.manifest.json of a plugin has to hold: argv[2] = its directory.
// Imports every command.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Plugin } from '@oclif/core/config';
import { messageOf } from '../../domain/errors.js';

const root = process.argv[2] ?? '';
const pjson = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const plugin = new Plugin({
  root,
  pjson,
  isRoot: true,
  ignoreManifest: true,
  errorOnManifestCreate: true,
  respectNoCacheDefault: true,
});
const answer = await plugin.load().then(
  () => ({ manifest: plugin.manifest }),
  (error: unknown) => ({ error: messageOf(error) }),
);
process.send?.(answer, () => process.exit(0));

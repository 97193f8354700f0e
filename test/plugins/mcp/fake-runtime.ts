import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A program that answers `version`, and runs on this machine what stands after the image. */
export function writeProgram(directory: string, name: string, image: string): void {
  const path = join(directory, name);
  writeFileSync(
    path,
    `#!/bin/sh
case "$1" in
  version|rm) exit 0 ;;
  run)
    while [ "$1" != "${image}" ]; do shift; done
    shift
    exec "$@" ;;
esac
exit 64
`,
  );
  chmodSync(path, 0o755);
}

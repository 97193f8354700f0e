import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A `docker` that answers `version`, and carries out `run` on this machine: it tells its options as
 * a line of a stream, but for those that differ each time, then becomes what stands after the
 * image. Of an image that it built it tells what from: a text, or the end of a path.
 */
export function writeFakeDocker(directory: string): void {
  const path = join(directory, 'docker');
  writeFileSync(
    path,
    `#!/bin/sh
case "$1" in
  version|rm) exit 0 ;;
  build)
    { cat; echo "$6" | sed 's#.*/\\([^/]*/[^/]*\\)$#\\1#'; } | tr '\\n' ' ' > "\${0%/*}/$4"
    exit 0 ;;
  run)
    shift
    options=""
    while [ $# -gt 0 ]; do
      case "$1" in
        tools:*) options="$options $1"; shift; break ;;
        kit-harness:*) options="$options $(cat "\${0%/*}/$1")"; shift; break ;;
        --name=*|--user=*|*,target=/workspace) ;;
        *) options="$options $1" ;;
      esac
      shift
    done
    echo "{\\"type\\":\\"say\\",\\"text\\":\\"container$options\\"}"
    exec "$@" ;;
esac
exit 64
`,
  );
  chmodSync(path, 0o755);
}

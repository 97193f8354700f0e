import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRepository } from './repository.js';

export interface CountedGit {
  /** Given to whoever calls git. */
  readonly path: string;
  /** The commands that it was told since the last look; its settings are left out. */
  take(): readonly string[];
}

/** Git that writes down what it is told: each call is a process that somebody waits for. */
export function countedGit(repository: TestRepository): CountedGit {
  const log = join(repository.base, 'calls');
  repository.write('../counted-git', `#!/bin/sh\nprintf '%s\\n' "$*" >> '${log}'\nexec git "$@"\n`, 0o755);
  repository.write('../calls', '');
  return {
    path: join(repository.base, 'counted-git'),
    take: () => {
      const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1);
      repository.write('../calls', '');
      return lines.map((line) => /^(?:--\S+ |-c \S+ )*(\S+)/.exec(line)?.[1] ?? line);
    },
  };
}

/** Codes of the stores; see `ERROR_REGISTRY`. */
export const STORE_ERRORS = {
  KIT_STORE_BUSY: { exit: 1, http: 503, hint: 'Try again: another process is writing the store.' },
  KIT_STORE_UNAVAILABLE: { exit: 2, http: 503, hint: 'Check the storage settings of the workspace.' },
  KIT_STORE_REFUSED: {
    exit: 1,
    http: 500,
    hint: 'Check the size of the input and the results of the run, and the log of the database.',
  },
  KIT_STORE_CORRUPT: {
    exit: 1,
    http: 503,
    hint: 'Run `kit doctor` to see what is damaged, and restore the store from a backup.',
  },
  KIT_STORE_FULL: {
    exit: 1,
    http: 503,
    hint: 'Make room on the disk of the store; what was recorded is kept, and runs go on from it.',
  },
  KIT_STORE_READ_ONLY: {
    exit: 1,
    http: 503,
    hint: 'Make the store writable for this user, or name the server that takes writes; then run it again.',
  },
  KIT_STORE_GONE: {
    exit: 1,
    http: 503,
    hint: 'Stop what works on the workspace, put its state directory back, and start again: kit docs back-up-and-restore',
  },
  KIT_TOO_MANY_FILES: {
    exit: 1,
    http: 503,
    hint: 'Raise the limit of open files (`ulimit -n 4096`) and run it again.',
  },
  KIT_STORE_NEWER: { exit: 2, http: 503, hint: 'Upgrade kit: a newer version wrote the store.' },
} as const;

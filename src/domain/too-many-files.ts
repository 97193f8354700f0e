import { KitError } from './errors.js';

/**
 * The system gave no more file descriptors, to this process (EMFILE) or to any (ENFILE). The path
 * that such an error names has nothing to do with it: KIT_TOO_MANY_FILES says so. Anything else is
 * handed back as it came.
 */
export function asTooManyFiles(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.code !== 'EMFILE' && error.code !== 'ENFILE') return error;
  const whose = error.code === 'EMFILE' ? 'this process' : 'this machine';
  return new KitError('KIT_TOO_MANY_FILES', `${whose} may open no more files`, {
    cause: error,
    data: { system: error.code },
  });
}

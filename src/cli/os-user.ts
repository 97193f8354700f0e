import { userInfo } from 'node:os';

/**
 * Name of the OS user; `uid:<n>` where the system knows none for it, as in a container that runs
 * under any number.
 */
export function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid:${process.getuid?.() ?? 'unknown'}`;
  }
}

import type { CrashReport, DoctorReport } from '../../view/doctor-report.js';
import type { CrashRequest } from './crash/enumerate-crashes.js';

/**
 * Use cases of who wants to know whether this machine can run a workspace. Nothing of the
 * workspace's own is written.
 */
export interface DoctorApp {
  /**
   * Looks at the machine, the workspace and everything that it uses; each check has 5 s. With
   * `full` (default: false) the store is read through and the logs of all runs are checked, however
   * long it takes. Never throws for what it finds: a workspace that is broken, or none, is one
   * failing check.
   */
  check(workspace: string, asked?: { readonly full?: boolean }): Promise<DoctorReport>;
  /**
   * Kills a small built-in run at each of its fault points, in scratch stores of the kind and on
   * the server that the workspace keeps its runs in, and compares what comes of it. The scratch
   * stores are removed, also when `signal` ends it early.
   *
   * Throws KIT_WORKSPACE_NOT_FOUND, KIT_WORKSPACE_INVALID, and KIT_STORE_UNAVAILABLE for a store
   * that cannot be opened or where no scratch store can be made.
   */
  crash(workspace: string, request: CrashRequest): Promise<CrashReport>;
}

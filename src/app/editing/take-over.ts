import { messageOf } from '../../domain/errors.js';
import type { Log } from '../../domain/ports/system.js';
import type { ReloadReport } from '../serve/serve-app.js';

/** Who is told that the files of a workspace are others now. */
export interface TakeOverDeps {
  /** Lets the server take the files over. Throws KIT_NOT_READY where none runs. */
  readonly reload: (workspace: string) => Promise<ReloadReport>;
  readonly log: Pick<Log, 'warn'>;
}

/** The change is made: that the server did not take it over is told, not thrown. */
export async function takeOver(workspace: string, { reload, log }: TakeOverDeps): Promise<boolean> {
  try {
    return (await reload(workspace)).valid;
  } catch (error) {
    log.warn('the server did not take an edit over', {
      error: messageOf(error),
    });
    return false;
  }
}

import type { Scene } from './scene.js';

/** One situation as a run comes into it, and what becomes of it. */
export interface Row {
  readonly code: string;
  /** Kind of who can act, and the names that are told of them. */
  readonly actor: string;
  readonly names?: readonly string[];
  /** Brings a run into it; gives its id. */
  readonly make: (scene: Scene) => Promise<string>;
  /** Makes the fact come true that is named; absent: none is named. */
  readonly fix?: (scene: Scene) => void | Promise<void>;
  /** Code after the printed line was pasted; absent: it stays, and somebody else is asked. */
  readonly becomes?: string;
}

const OK = { do: 'answer', text: 'ok' } as const;

/** A run that fails; its printed line runs the work again, and the run that did takes its place. */
export const failed = (
  code: string,
  actor: string,
  row: Pick<Row, 'make'> & {
    readonly fact?: (scene: Scene) => void | Promise<void>;
    readonly names?: readonly string[];
  },
): Row => ({
  code: `failed.${code}`,
  actor,
  ...(row.names === undefined ? {} : { names: row.names }),
  make: row.make,
  ...(row.fact === undefined ? {} : { fix: row.fact }),
  becomes: 'failed.superseded',
});

export const fixed = (scene: Scene): void => {
  scene.reply = OK;
};

/** The model says this, once; from then on it is well. */
export const once =
  (reply: Exclude<Scene['reply'], (...args: never) => unknown>) =>
  async (scene: Scene): Promise<string> => {
    scene.server.script(reply);
    return scene.run();
  };

/** The model says this until the scene is fixed. */
export const always =
  (reply: Scene['reply'], ...flags: readonly string[]) =>
  async (scene: Scene): Promise<string> => {
    scene.reply = reply;
    return scene.run(...flags);
  };

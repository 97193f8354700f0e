import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import type { TopOptions } from '../app/screens.js';
import { isKitError } from '../domain/errors.js';
import type { Clock } from '../domain/ports/system.js';
import { assertNever } from '../lib/assert-never.js';
import { topFrame } from '../text/top/top-frame.js';
import { OPEN_TOP, reduceTop, type TopInput, type TopState, type TopWish } from '../text/top/top-state.js';
import { FullScreen, type FullScreenParts } from './full-screen.js';

export interface TopScreenParts extends FullScreenParts {
  readonly clock: Pick<Clock, 'sleep'>;
}

/**
 * Shows a fleet on the terminal's alternate screen until it is left. However it ends, the terminal
 * is as it was found.
 */
export async function runTop(parts: TopScreenParts, options: TopOptions): Promise<'quit' | 'interrupted'> {
  const left = Promise.withResolvers<'quit' | 'interrupted'>();
  const over = new AbortController();
  let state: TopState = OPEN_TOP;
  const screen = new FullScreen(parts, {
    view: (size) => {
      const frame = topFrame(state, { workspace: options.workspace, color: options.color, size });
      state = reduceTop(state, { kind: 'drawn', size: frame.size, rows: frame.targets });
      return <Lines lines={frame.lines} columns={size.columns} />;
    },
    onKey: (key) => take({ kind: 'key', key }),
    isLeft: () => state.left !== null,
  });
  const take = (input: TopInput): void => {
    if (state.left !== null) return;
    state = reduceTop(state, input);
    if (state.left !== null) {
      left.resolve(state.left);
      return;
    }
    const { wish } = state;
    if (wish !== null) {
      state = reduceTop(state, { kind: 'taken' });
      // What is broken ends the screen, as a look that is broken does.
      grant(wish).catch((error: unknown) => left.reject(error));
    }
    screen.draw();
  };
  const grant = async (wish: TopWish): Promise<void> => {
    try {
      switch (wish.kind) {
        case 'open':
          return take({ kind: 'opened', title: wish.what, text: await options.why(wish.what) });
        case 'stop':
          return take({ kind: 'noted', text: await options.stop(wish.run) });
        default:
          return assertNever(wish);
      }
    } catch (error) {
      if (!isKitError(error) || error.code === 'KIT_INTERNAL') throw error;
      take({ kind: 'noted', text: error.message });
    }
  };
  /**
   * What passes is shown and looked at again; what is broken ends the screen and goes on to the
   * command.
   */
  const look = async (): Promise<void> => {
    while (!over.signal.aborted) {
      try {
        take({ kind: 'seen', overview: await options.read() });
      } catch (error) {
        if (!isKitError(error) || error.code === 'KIT_INTERNAL') throw error;
        take({ kind: 'failed', message: error.message });
      }
      await parts.clock.sleep(options.refreshMs, over.signal).catch(() => undefined);
    }
  };
  return screen.during(options.signal, async () => {
    const reading = look();
    reading.catch((error: unknown) => left.reject(error));
    try {
      return await left.promise;
    } finally {
      over.abort('left');
    }
  });
}

function Lines({ lines, columns }: { readonly lines: readonly string[]; readonly columns: number }): ReactNode {
  return (
    <Box flexDirection="column" width={columns}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line of a screen has no identity but its place
        <Text key={index} wrap="truncate-end">
          {line === '' ? ' ' : line}
        </Text>
      ))}
    </Box>
  );
}

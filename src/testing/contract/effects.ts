import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** Channels of Node itself: whatever library a contribution uses, it ends here. */
const CHANNELS: Readonly<Record<string, string>> = {
  child_process: 'a process',
  'net.client.socket': 'a connection',
  'undici:request:create': 'a request',
  'udp.socket': 'a UDP socket',
};

export interface EffectWatch {
  /** What was started since the watch began, by name. */
  readonly seen: () => readonly string[];
  readonly stop: () => void;
}

/**
 * Watches this process for network and child processes, past every library. Synchronous child
 * processes are not seen, and what somebody else in the process starts meanwhile is seen too: do
 * not run such cases side by side.
 */
export function watchEffects(): EffectWatch {
  const seen: string[] = [];
  const listeners = Object.entries(CHANNELS).map(([channel, what]) => ({
    channel,
    listen: () => void seen.push(what),
  }));
  for (const { channel, listen } of listeners) subscribe(channel, listen);
  return {
    seen: () => [...new Set(seen)],
    stop: () => {
      for (const { channel, listen } of listeners) unsubscribe(channel, listen);
    },
  };
}

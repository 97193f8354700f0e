import type { Client } from '../sdk/parts.js';

/** One session with a server: a process, or a session over HTTP. */
export interface Connection {
  readonly client: Client;
  /** False once the session is gone; a new one is needed then. */
  isOpen(): boolean;
  /** What the server wrote last on stderr, when it has ended; [] over HTTP, and while it lives. */
  stderr(): Promise<readonly string[]>;
  /** Called when the server says that its tools changed. */
  onToolsChanged(listener: () => void): void;
  /** Idempotent; nothing of the session is left when it resolves. */
  close(): Promise<void>;
}

/** Marks a client as closed when its session ends, and passes on what it says of its tools. */
export function watch(client: Client, onClose: () => void): Pick<Connection, 'isOpen' | 'onToolsChanged'> {
  let isOpen = true;
  let changed: () => void = () => {};
  client.onclose = () => {
    isOpen = false;
    onClose();
  };
  client.setNotificationHandler('notifications/tools/list_changed', () => changed());
  return {
    isOpen: () => isOpen,
    onToolsChanged: (listener) => {
      changed = listener;
    },
  };
}

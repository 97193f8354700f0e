import { chown, copyFile, readdir } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { basename, join } from 'node:path';
import type { ContainerWay, ContainerWayRequest } from '@kit-run/kit/plugin';
import { DOOR_INSIDE, openDoor } from '../gate/door.js';
import { Egress } from './proxy.js';

/**
 * Opens the way of a container in which no harness works: the same door, the same script and the
 * same proxy as for one.
 */
export async function openWay(
  { allow, addressesOf, onAnswer, user }: ContainerWayRequest,
  /** The file of the script that is the proxy inside. */
  script: string,
): Promise<ContainerWay> {
  const egress = new Egress({ allow, addressesOf, onAnswer });
  const door = await openDoor({ onEgress: (socket: Socket) => egress.take(socket) });
  const close = async (): Promise<void> => {
    await egress.close();
    await door.close();
  };
  const inside = (path: string): string => `${DOOR_INSIDE}/${basename(path)}`;
  try {
    await copyFile(script, join(door.folder, basename(script)));
    if (user !== undefined) await handOver(door.folder, user);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    mount: { source: door.folder, target: DOOR_INSIDE, isWritable: false },
    behind: ['node', inside(script), inside(door.file), 'egress'],
    close,
  };
}

/** The folder stays closed to everybody but the one who works in the container. */
async function handOver(folder: string, { uid, gid }: NonNullable<ContainerWayRequest['user']>): Promise<void> {
  for (const name of await readdir(folder)) await chown(join(folder, name), uid, gid);
  await chown(folder, uid, gid);
}

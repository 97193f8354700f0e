import { chown, readdir } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { ContainerWay, ContainerWayRequest } from '@kit-run/kit/plugin';
import { behindSocket, entryInside, openLaunchSocket } from '../gate/launch-socket.js';
import { Egress } from './proxy.js';

/**
 * Opens the way of a container in which no harness works: the same socket, the same script and the
 * same proxy as for one.
 */
export async function openWay(
  { allow, addressesOf, onAnswer, user }: ContainerWayRequest,
  /** The file of the script that is the proxy inside. */
  script: string,
): Promise<ContainerWay> {
  const egress = new Egress({ allow, addressesOf, onAnswer });
  const launchSocket = await openLaunchSocket({ onEgress: (socket: Socket) => egress.take(socket) });
  const close = async (): Promise<void> => {
    await egress.close();
    await launchSocket.close();
  };
  try {
    const entry = await entryInside(launchSocket, script);
    if (user !== undefined) await handOver(launchSocket.folder, user);
    const mount = { source: launchSocket.folder, target: entry.folder, isWritable: false };
    return { mount, behind: behindSocket(entry), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The folder stays closed to everybody but the one who works in the container. */
async function handOver(folder: string, { uid, gid }: NonNullable<ContainerWayRequest['user']>): Promise<void> {
  for (const name of await readdir(folder)) await chown(join(folder, name), uid, gid);
  await chown(folder, uid, gid);
}

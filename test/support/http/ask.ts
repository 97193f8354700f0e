import { expect } from 'vitest';
import { as } from './serve-group.js';
import type { ServeScene } from './serve-scene.js';

type Headers = Readonly<Record<string, string>>;

/** A submit over HTTP. */
export const submitted = (
  scene: Pick<ServeScene, 'server'>,
  topology: string,
  payload: object,
  headers: Headers = as('run'),
) => scene.server.inject({ method: 'POST', url: `/run/${encodeURIComponent(topology)}`, headers, payload });

/** A look at an address. */
export const read = (scene: Pick<ServeScene, 'server'>, url: string, headers: Headers = as('read')) =>
  scene.server.inject({ url, headers });

/** Something is done with a job. */
export const act = (scene: Pick<ServeScene, 'server'>, url: string, headers: Headers = as('run')) =>
  scene.server.inject({ method: 'POST', url, headers });

/** The record of a job once it has this status. */
export async function untilStatus(
  scene: Pick<ServeScene, 'server'>,
  id: string,
  status: string,
): Promise<Record<string, unknown>> {
  await expect.poll(async () => (await read(scene, `/jobs/${id}`)).json().status, { interval: 25 }).toBe(status);
  return (await read(scene, `/jobs/${id}`)).json();
}

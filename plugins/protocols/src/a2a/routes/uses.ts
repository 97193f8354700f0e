import { type App, baseUrlOf, hintFor, type Offered } from '@kit-run/kit/command';
import { KitError } from '@kit-run/kit/plugin';
import type { FastifyRequest } from 'fastify';

/** The use cases behind the A2A server; the manifest names the same. */
export type A2aUses = Pick<App, 'serve' | 'jobs' | 'review' | 'info'>;

/** What the routes are made over. */
export interface A2aParts extends A2aUses {
  readonly workspace: string;
  /** The server shuts down: every stream ends. */
  readonly closing: AbortSignal;
}

/** Where a request came from, and whom it asks. */
export interface Reached {
  readonly offered: Offered;
  /** Where people and agents find this server, without a slash at its end. */
  readonly base: string;
}

/**
 * What is offered now: a reload turns the whole endpoint on and off. Throws KIT_ROUTE_UNKNOWN while
 * `server.a2a.enabled` is not true, and KIT_TOPOLOGY_UNKNOWN for a topology that there is not.
 */
export async function reachedBy(
  { info, workspace }: A2aParts,
  request: FastifyRequest,
  topology: string | null,
): Promise<Reached> {
  const offered = await info.offered(workspace);
  if (!offered.server.a2a.enabled)
    throw new KitError('KIT_ROUTE_UNKNOWN', 'this server does not support A2A', {
      hint: 'Set server.a2a.enabled: true and reload.',
    });
  if (topology !== null && !offered.topologies.some(({ name }) => name === topology))
    throw new KitError('KIT_TOPOLOGY_UNKNOWN', `there is no topology ${topology.slice(0, 200)}`, {
      hint: hintFor(
        topology,
        offered.topologies.map(({ name }) => name),
        { fallback: 'GET /.well-known/agent-card.json lists the topologies.' },
      ),
    });
  return { offered, base: baseUrlOf(offered.server, request.raw) };
}

import type { FastifyInstance } from 'fastify';
import { contribution } from '../../../plugins/serve/src/mounts/review/mount.js';
import { createArtifactsApp } from '../../../src/app/artifacts/create-artifacts-app.js';
import type { ReviewDeps } from '../../../src/app/review/deps.js';
import { openReviewWorld, type ReviewWorld } from '../review-world.js';
import { as, serveGroup } from './serve-group.js';

/** The routes of gates, items and artifacts over the real use cases and a real store. */
export interface ReviewServer {
  readonly world: ReviewWorld;
  readonly server: FastifyInstance;
  get(url: string): Promise<Answer>;
  post(url: string, body?: object, client?: string): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export async function openReviewServer(over: Partial<ReviewDeps> = {}): Promise<ReviewServer> {
  const world = await openReviewWorld(over);
  const artifacts = createArtifactsApp({ openStores: async () => world.sqlite.stores });
  const server = await serveGroup(contribution, { review: world.app, artifacts });
  return {
    world,
    server,
    get: async (url) => {
      const answer = await server.inject({ url, headers: as('read') });
      return { status: answer.statusCode, body: answer.json() };
    },
    post: async (url, body, client = 'qa-1') => {
      const answer = await server.inject({
        method: 'POST',
        url,
        headers: as('run', client),
        ...(body === undefined ? {} : { payload: body }),
      });
      return { status: answer.statusCode, body: answer.json() };
    },
  };
}

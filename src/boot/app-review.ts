import type { ReviewDeps } from '../app/review/create-review-app.js';
import type { ReviewApp } from '../app/review/review-app.js';

/** Wires the use cases around reviews; every part is imported when it is first used. */
export function createReview(deps: () => Promise<ReviewDeps>): ReviewApp {
  let built: Promise<ReviewApp> | undefined;
  const app = (): Promise<ReviewApp> => (built ??= build(deps));
  return {
    list: async (query) => (await app()).list(query),
    show: async (ask) => (await app()).show(ask),
    gate: async (ask) => (await app()).gate(ask),
    resolve: async (decision) => (await app()).resolve(decision),
    answer: async (decision) => (await app()).answer(decision),
    inbox: async (query) => (await app()).inbox(query),
    inboxItem: async (ask) => (await app()).inboxItem(ask),
    simulate: async (simulation) => (await app()).simulate(simulation),
    why: async (ask) => (await app()).why(ask),
  };
}

async function build(deps: () => Promise<ReviewDeps>): Promise<ReviewApp> {
  const { createReviewApp } = await import('../app/review/create-review-app.js');
  return createReviewApp(await deps());
}

import { afterEach, beforeEach, describe } from 'vitest';
import type { StoreWorld, World } from '../../support/store-world.js';
import { admissionLaws } from './admission.js';
import { artifactLaws } from './artifacts.js';
import { auditGrowthLaws } from './audit-growth.js';
import { auditRetentionLaws } from './audit-retention.js';
import { batchLaws } from './batches.js';
import { begunLaws } from './begun.js';
import { blobLaws } from './blobs.js';
import { canaryLaws } from './canary.js';
import { conversationReaders } from './conversation-readers.js';
import { conversationLaws } from './conversations.js';
import { coordinationLaws } from './coordination.js';
import { endedUsageLaws } from './ended-usage.js';
import { eventIdLaws } from './event-ids.js';
import { eventLaws } from './events.js';
import { familyLaws } from './family.js';
import { figureLaws } from './figures.js';
import { fleetLaws } from './fleet.js';
import { gateLaws } from './gates.js';
import { jobListLaws } from './job-lists.js';
import { jobLaws } from './jobs.js';
import { knowledgeLaws } from './knowledge.js';
import { leaseLaws } from './leases.js';
import { lineLaws } from './lines.js';
import { lookBackLaws } from './look-back.js';
import { memoryLaws } from './memory.js';
import { memoryOwnerLaws } from './memory-owners.js';
import { needsLaws } from './needs.js';
import { newestLaws } from './newest.js';
import { onceLaws } from './once.js';
import { parkingLaws } from './parking.js';
import { producedLaws } from './produced.js';
import { promptLaws } from './prompts.js';
import { queueLaws } from './queue.js';
import { remoteWaitLaws } from './remote-waits.js';
import { retentionLaws } from './retention.js';
import { reviewListLaws } from './review-lists.js';
import { reviewLaws } from './reviews.js';
import { runEndLaws } from './run-ends.js';
import { runLaws } from './runs.js';
import { sealedLaws } from './sealed.js';
import { togetherLaws } from './together.js';
import { ungatedLaws } from './ungated.js';
import { usageLaws } from './usage.js';
import { waitingLaws } from './waiting.js';

/**
 * Everything that the store ports promise, run on every implementation. `open` makes an empty store
 * of its own; the suite disposes of it. SQL, files and processes are not looked at here: those have
 * tests of their own per implementation.
 */
export function storeConformance(name: string, open: () => Promise<StoreWorld>): void {
  describe(`${name} keeps the laws of the store ports`, () => {
    let world: StoreWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.dispose());
    const given: World = () => world;

    describe('jobs', () => jobLaws(given));
    describe('lists of jobs', () => jobListLaws(given));
    describe('runs that begin with a journal', () => begunLaws(given));
    describe('jobs of an idempotency key', () => onceLaws(given));
    describe('a bound on the runs that wait', () => admissionLaws(given));
    describe('leases and recovery', () => leaseLaws(given));
    describe('needs of jobs', () => needsLaws(given));
    describe('lines of runs', () => lineLaws(given));
    describe('gates that nobody was asked about', () => ungatedLaws(given));
    describe('figures of ended runs', () => figureLaws(given));
    describe('journal', () => runLaws(given));
    describe('batches of a run', () => batchLaws(given));
    describe('what a run used so far', () => producedLaws(given));
    describe('runs asked about together', () => togetherLaws(given));
    describe('ends of runs', () => runEndLaws(given));
    describe('retention', () => retentionLaws(given));
    describe('retention of audit', () => auditRetentionLaws(given));
    describe('growth of a store', () => auditGrowthLaws(given));
    describe('event log', () => eventLaws(given));
    describe('ids of events', () => eventIdLaws(given));
    describe('event log, newest first', () => newestLaws(given));
    describe('event log, looked back part by part', () => lookBackLaws(given));
    describe('blobs', () => blobLaws(given));
    describe('artifacts', () => artifactLaws(given));
    describe('gates of runs', () => gateLaws(given));
    describe('parking', () => parkingLaws(given));
    describe('runs that wait for runs', () => familyLaws(given));
    describe('waits for agents elsewhere', () => remoteWaitLaws(given));
    describe('reviews', () => reviewLaws(given));
    describe('lists of reviews', () => reviewListLaws(given));
    describe('what is kept of logins', () => sealedLaws(given));
    describe('canary routes', () => canaryLaws(given));
    describe('conversations', () => conversationLaws(given));
    describe('readers of conversations', () => conversationReaders(given));
    describe('what servers agree on and write down', () => coordinationLaws(given));
    describe('figures of the queue', () => queueLaws(given));
    describe('kinds of jobs that wait', () => waitingLaws(given));
    describe('rows of a fleet', () => fleetLaws(given));
    describe('memory', () => {
      memoryLaws(given);
      memoryOwnerLaws(given);
    });
    describe('knowledge bases', () => knowledgeLaws(given));
    describe('calls of models', () => promptLaws(given));
    describe('usage of models', () => usageLaws(given));
    describe('usage of runs that have ended', () => endedUsageLaws(given));
  });
}

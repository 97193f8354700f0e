import { type ArtifactRecords, type ArtifactRow, addArtifact, artifactReads } from '../artifact-row.js';
import { runLater } from '../program.js';
import { leaseLost } from '../refusals.js';
import type { PostgresDeps } from './deps.js';
import { postgresPrograms } from './programs.js';
import type { Transaction } from './transaction.js';

/** Records of artifacts in PostgreSQL. */
export const createPostgresArtifactRecords = (deps: PostgresDeps): ArtifactRecords => ({
  ...artifactReads(postgresPrograms(deps)),
  add: (row, fence) => {
    const work = async (tx: Transaction): Promise<ArtifactRow> => {
      if (fence !== undefined && (await tx.fenced(fence)) === undefined) throw leaseLost(fence);
      return runLater(tx, addArtifact(row, tx.now));
    };
    return deps.queue.run({ writes: ['artifact.put'], jobs: fence === undefined ? [] : [fence.jobId], work });
  },
});

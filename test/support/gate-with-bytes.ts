import type { GateRound } from '../../src/domain/gates.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import { gateOf } from './review-samples.js';

/** A round of a run whose artifact is there to be read. */
export async function gateWithBytes(
  { artifacts }: Pick<Stores, 'artifacts'>,
  runId: string,
  over: Partial<GateRound>,
): Promise<GateRound> {
  const bytes = Buffer.from('text');
  const { sha256 } = await artifacts.put({ correlation: runId, runId, name: 'writer', mediaType: 'text/plain', bytes });
  return gateOf(runId, { ...over, sha256 });
}

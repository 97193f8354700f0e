import type { GateElsewhere, RemoteWaitStore } from '../../domain/ports/remote-waits.js';
import { remoteNoteOf } from '../../engine/skills/remote-note.js';

/** More are not shown at once. */
const MAX_GATES = 100;

/** Where people of other systems decide what runs wait for, those of the oldest run first. */
export async function gatesElsewhere(waits: Pick<RemoteWaitStore, 'gated'>): Promise<readonly GateElsewhere[]> {
  const gated = await waits.gated(MAX_GATES);
  return gated.flatMap(({ jobId, topology, notes }): readonly GateElsewhere[] => {
    const note = remoteNoteOf(notes);
    if (note?.state !== 'input-required' || note.gateUrl == null) return [];
    return [{ jobId, topology, agent: note.name ?? note.agent.cardUrl, gateUrl: note.gateUrl }];
  });
}

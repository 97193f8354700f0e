import type { RunFacilities } from '../worker/facilities.js';
import { recordCommands } from './record-command.js';
import { recordHarnesses } from './record-harness.js';
import { recordMemory } from './record-memory.js';
import { recordModels } from './record-model.js';
import { recordTools } from './record-tools.js';
import type { CassetteWriter } from './write-cassette.js';

/**
 * The outside of a run, with every answer of a model, a command, a tool server, a memory and a
 * harness kept on its way in. Governance stays as it is.
 */
export function recordFacilities(real: RunFacilities, writer: CassetteWriter): RunFacilities {
  writer.maskWith(real.mask);
  return {
    ...real,
    provider: recordModels(real, writer),
    ...recordCommands(real, writer),
    ...recordTools(real, writer),
    ...recordMemory(writer),
    ...recordHarnesses(real, writer),
  };
}

import type { RunFacilities } from '../../worker/facilities.js';
import { recordCommands } from './record-command.js';
import { recordHarnesses } from './record-harness.js';
import { recordModels } from './record-model.js';
import { recordTools } from './record-tools.js';
import type { CassetteWriter } from './write-cassette.js';

/** The outside of a run, with every answer of a model, a command, a tool server and a harness kept on its way in. Governance stays as it is. */
export function recordFacilities(real: RunFacilities, writer: CassetteWriter): RunFacilities {
  writer.maskWith(real.mask);
  return {
    ...real,
    provider: recordModels(real, writer),
    toolServer: recordTools(real, writer),
    ...recordCommands(real, writer),
    ...recordHarnesses(real, writer),
  };
}

import { type PastePlace, toWireGate, toWireItem, type WhyReport } from '@kit-run/kit/command';

/** What a parked run waits for, as members of its JSON. */
export const waitingToWire = (waiting: WhyReport | null, workspaceArgument: PastePlace) =>
  waiting === null
    ? {}
    : { gates: waiting.gates.map((gate) => toWireGate(gate, workspaceArgument)), items: waiting.items.map(toWireItem) };

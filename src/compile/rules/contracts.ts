import { pointerTo } from '../../lib/pointer-to.js';
import type { Linked } from '../link/link-workspace.js';
import { didYouMean, type Report } from '../report.js';

/** Contracts name distinct parties, and a lock names a contract. */
export function checkContracts(linked: Linked, report: Report): void {
  const { contracts } = linked.registries;
  for (const artifact of contracts.values()) {
    const { parties } = artifact.value;
    parties.forEach((party, index) => {
      if (parties.indexOf(party) === index) return;
      report.add(
        { artifact, pointer: pointerTo('', 'parties', index) },
        {
          code: 'contract.same-party',
          message: `the party \`${party}\` is named twice`,
          help: 'a contract binds distinct parties',
        },
      );
    });
  }
  for (const topology of linked.topologies.values()) {
    topology.locks.forEach((lock, index) => {
      if (contracts.has(lock)) return;
      report.add(
        { artifact: topology.artifact, pointer: pointerTo('', 'locks', index) },
        {
          code: 'topology.unknown-contract',
          message: `the lock \`${lock}\` names no contract`,
          help: didYouMean(lock, contracts.keys()) ?? 'add it under contracts/',
        },
      );
    });
  }
}

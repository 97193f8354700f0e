import { expect, it } from 'vitest';
import { type ContainerFacts, checkContainers } from '../../../src/app/doctor/checks/machine.js';

const NOTHING: ContainerFacts = { answering: [], silent: [], neededBy: [], removed: 0 };
const PODMAN = { answering: [{ name: 'podman', version: '5.0' }], silent: ['docker'], neededBy: ['a'] };

it.each<[Partial<ContainerFacts>, readonly unknown[]]>([
  [PODMAN, ['ok containers: podman 5.0 answers => null']],
  [{}, [expect.stringMatching(/^warn containers: neither/)]],
  [
    { silent: ['docker'], neededBy: ['boxed'] },
    [expect.stringMatching(/^fail .*boxed.*=> sudo systemctl start docker/)],
  ],
  [
    { ...PODMAN, removed: 2 },
    [expect.stringMatching(/^ok containers/), expect.stringMatching(/^warn containers\.left: 2 that a dead process/)],
  ],
])('says which runtime answers, and what dead processes had left: row %#', (facts, expected) => {
  const checks = checkContainers({ ...NOTHING, ...facts });

  expect(checks.map(({ id, status, found, fix }) => `${status} ${id}: ${found} => ${fix}`)).toEqual(expected);
});

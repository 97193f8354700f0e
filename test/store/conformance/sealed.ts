import { expect, it } from 'vitest';
import type { SealedRow } from '../../../src/domain/ports/sealed-rows.js';
import type { World } from '../../support/store-world.js';
import { MANUAL_START_MS } from '../../support/store-world.js';

const row = (over: Partial<SealedRow> = {}): SealedRow => ({
  space: 'oauth',
  kind: 'token',
  name: 'notes',
  owner: 'ada',
  keyId: 'key-1',
  revision: 1,
  writtenAt: '2026-01-02T03:04:05.000Z',
  sealed: 'c2VhbGVk',
  ...over,
});

/** What is kept of logins: rows that the store cannot read, and the leases of those who refresh. */
export function sealedLaws(world: World): void {
  const sealed = () => world().stores.sealed;

  it('keeps a row as it was sealed, over a restart', async () => {
    const odd = row({ name: 'ünïcode \u0000 "x"', owner: "o'brien@example.org" });
    expect(await sealed().put(odd)).toBe(true);
    const id = await sealed().id();

    await world().reopen();

    expect(await sealed().get(odd)).toEqual(odd);
    expect(await sealed().get(row())).toBeNull();
    expect(await sealed().id()).toBe(id);
    expect(id).not.toBe('');
  });

  it('writes in the place of the revision before alone', async () => {
    expect(await sealed().put(row({ revision: 2 }))).toBe(false);
    expect(await sealed().put(row())).toBe(true);
    expect(await sealed().put(row({ sealed: 'bGF0ZXI=' }))).toBe(false);
    expect(await sealed().put(row({ revision: 2, sealed: 'Mg==', keyId: 'key-2' }))).toBe(true);
    expect(await sealed().put(row({ revision: 2, sealed: 'bG9zdA==' }))).toBe(false);

    expect(await sealed().get(row())).toEqual(row({ revision: 2, sealed: 'Mg==', keyId: 'key-2' }));
  });

  it('lets one of many win a revision', async () => {
    await sealed().put(row());
    const won = await Promise.all(
      Array.from({ length: 20 }, (_, n) => sealed().put(row({ revision: 2, sealed: `${n}` }))),
    );

    expect(won.filter(Boolean)).toHaveLength(1);
  });

  it('lists by name and owner, of one kind of one plugin or of all', async () => {
    const rows = [
      row({ name: 'b' }),
      row({ name: 'a', owner: 'bob' }),
      row({ name: 'a', owner: 'ada' }),
      row({ kind: 'login', name: 'x' }),
      row({ space: 'other', name: 'y' }),
    ];
    for (const one of rows) await sealed().put(one);

    const names = (listed: readonly SealedRow[]) => listed.map(({ name, owner }) => `${name}/${owner}`);
    expect(names(await sealed().list({ space: 'oauth', kind: 'token' }))).toEqual(['a/ada', 'a/bob', 'b/ada']);
    expect(names(await sealed().list(null))).toHaveLength(5);
  });

  it('gives what is taken to one of many', async () => {
    await sealed().put(row());
    const taken = await Promise.all(Array.from({ length: 20 }, () => sealed().take(row())));

    expect(taken.filter((one) => one !== null)).toEqual([row()]);
    expect(await sealed().get(row())).toBeNull();
  });

  it('drops what is older, of that kind of that plugin alone', async () => {
    const old = '2026-01-02T03:00:00.000Z';
    await sealed().put(row({ name: 'old', writtenAt: old }));
    await sealed().put(row({ name: 'new' }));
    await sealed().put(row({ kind: 'login', name: 'old', writtenAt: old }));

    await sealed().drop({ space: 'oauth', kind: 'token', before: '2026-01-02T03:04:05.000Z' });

    expect((await sealed().list(null)).map(({ kind, name }) => `${kind} ${name}`)).toEqual(['login old', 'token new']);
  });

  it('gives a lease to one, by its own clock, and tells that a holder died', async () => {
    expect(await sealed().now()).toBe(new Date(MANUAL_START_MS).toISOString());
    const holders = Array.from({ length: 20 }, (_, n) => `holder-${n}`);
    const got = await Promise.all(holders.map((holder) => sealed().lease('refresh notes', holder, 1000)));
    expect(got.filter((one) => one === 'taken')).toHaveLength(1);
    expect(got.filter((one) => one === 'held')).toHaveLength(19);

    await world().elapse(999);
    expect(await sealed().lease('refresh notes', 'late', 1000)).toBe('held');
    await world().elapse(1);
    expect(await sealed().lease('refresh notes', 'late', 1000)).toBe('left');
    expect(await sealed().lease('refresh notes', 'late', 1000)).toBe('taken');
    expect(await sealed().leaseHolder('refresh notes')).toBe('late');
    expect(await sealed().leaseHolder('refresh others')).toBeNull();

    await sealed().letGo('refresh notes', 'somebody else');
    expect(await sealed().lease('refresh notes', 'other', 1000)).toBe('held');
    await sealed().letGo('refresh notes', 'late');
    expect(await sealed().lease('refresh notes', 'other', 1000)).toBe('taken');
  });
}

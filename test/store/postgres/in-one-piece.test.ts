import { Writable } from 'node:stream';
import type { Client } from 'pg';
import { expect, it } from 'vitest';
import { inOnePiece } from '../../../src/store/postgres/in-one-piece.js';

/** A driver that writes each query to the network, which counts what arrives together. */
function wired() {
  const arrived: string[][] = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (piece: string, _, done) => {
      arrived.push([piece]);
      done();
    },
    writev: (pieces, done) => {
      arrived.push(pieces.map(({ chunk }) => String(chunk)));
      done();
    },
  });
  const client = { connection: { stream }, query: async (text: string) => void stream.write(text) };
  // Of the driver no more is used than stands here.
  return { client: inOnePiece(client as unknown as Client), arrived };
}

it('writes the queries of one turn together, and those of the next one for themselves', async () => {
  const { client, arrived } = wired();

  await Promise.all([client.query('BEGIN'), client.query('lock'), client.query('look')]);
  await client.query('COMMIT');

  expect(arrived).toEqual([['BEGIN', 'lock', 'look'], ['COMMIT']]);
});

import { expect, test } from 'vitest';
import { KEY_TABLE } from '../../../src/compile/keys/key-table.js';
import { openSceneApp } from '../../support/scene/scene-app.js';
import { observedWith } from '../../support/shows-effect.js';
import { VERDICTS } from './proofs/verdict-scene.js';

/** What a value needs beside it to be legal. */
const COMPANIONS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'ExecutorAdapter.spec.on_unanswerable "relay"': { 'ExecutorAdapter.spec.interaction': { driver: 'park-resume' } },
};

const VALUES = KEY_TABLE.flatMap((row) =>
  row.state === 'in-force'
    ? Object.entries(row.notYetValues ?? {}).map(([value, mark]) => ({ key: row.key, value, mark }))
    : [],
);

test.each(VALUES)('$key: $value is reported as $mark', async ({ key, value, mark }) => {
  const observe = async (directory: string) => {
    const app = openSceneApp(directory, { env: { PATH: process.env.PATH ?? '' } });
    const { workspace, notYet, diagnostics } = await app.validate();
    await app.close();
    return {
      diagnostics: workspace === null ? diagnostics : [],
      uses: notYet.map((use) => ({ key: use.key, mark: use.mark })),
    };
  };

  const seen = await observedWith(
    { ...COMPANIONS[`${key} ${value}`], [key]: JSON.parse(value) },
    { base: VERDICTS, observe },
  );

  expect(JSON.parse(seen)).toMatchObject({ diagnostics: [], uses: expect.arrayContaining([{ key, mark }]) });
});

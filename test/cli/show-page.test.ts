import { expect, it } from 'vitest';
import { showPage } from '../../src/cli/show-page.js';

const BASE = 'http://127.0.0.1:8080';
const PAGE = `${BASE}/console/`;

/** What `kit open` does where somebody answers, and with a browser that can be opened or not. */
async function shown(who: 'kit' | 'other' | 'nobody', { opens = true, isThere = true } = {}) {
  const [lines, notes, opened]: readonly string[][] = [[], [], []];
  const answer = await showPage(
    {
      kit: { info: { address: async () => BASE } as never },
      browser: {
        open: async ({ href }) => {
          opened?.push(href);
          return isThere;
        },
        whoAnswers: async (base) => (base === BASE ? who : 'nobody'),
      },
      out: { log: (line) => lines?.push(line), logToStderr: (line) => notes?.push(line) },
    },
    { workspace: '/work', page: (links) => links.home, opens },
  );
  return { answer, lines, notes, opened };
}

it('opens the page of a server of kit', async () => {
  expect(await shown('kit')).toEqual({
    answer: { url: PAGE, opened: true },
    lines: [PAGE],
    notes: [],
    opened: [PAGE],
  });
});

it('opens nothing where nobody answers, and says what to start', async () => {
  expect(await shown('nobody')).toEqual({
    answer: { url: PAGE, opened: false },
    lines: [PAGE],
    notes: [`nothing answers at ${BASE}: start the server with \`kit serve\``],
    opened: [],
  });
});

it('opens what does not say that it is kit, and tells that', async () => {
  const { notes, opened } = await shown('other');
  expect(notes).toEqual([`what answers at ${BASE} does not say that it is kit`]);
  expect(opened).toEqual([PAGE]);
});

it('says that there is no browser only where it tried one', async () => {
  expect((await shown('kit', { isThere: false })).notes).toEqual(['no browser could be opened: open this address']);
  expect(await shown('kit', { opens: false })).toMatchObject({ lines: [PAGE], notes: [], opened: [] });
});

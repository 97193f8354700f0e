import { expect, test } from 'vitest';
import { reportScene } from '../../support/scene/report-scene.js';
import { showsEffect } from '../../support/shows-effect.js';
import { VERDICT_PROOFS } from './proofs/verdict-proofs.js';
import { VERDICTS } from './proofs/verdict-scene.js';

test.concurrent.for(VERDICT_PROOFS)(
  '$key changes the report of a workspace',
  async ({ key, a, b, at, given, bySchema }) => {
    const codes = new Set<string>();
    const observe = async (directory: string) => {
      const report = await reportScene(directory);
      for (const { code } of report.said) codes.add(code);
      return report;
    };

    await showsEffect(key, a, b, {
      base: VERDICTS,
      observe,
      ...(at === undefined ? {} : { at }),
      ...(given === undefined ? {} : { given }),
    });

    // A value that does not fit the schema differs for any key; that is an effect only where the
    // schema is all that judges it.
    expect([...codes].some((code) => /schema/.test(code))).toBe(bySchema === true);
  },
);

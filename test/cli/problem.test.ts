import { expect, it } from 'vitest';
import { renderError } from '../../src/cli/problem.js';

it.each([false, true])('writes nothing that steers a terminal, whoever chose the words (verbose: %s)', (verbose) => {
  const words = 'a\u001b]52;c;QQ==\u0007b\u001b[31mc\u009b2Jd\u202ee\rf\ng';

  const text = renderError(
    { code: 'KIT_USAGE', message: words, hint: words, exit: 2, data: {}, trace: words, silent: false },
    { verbose },
  );

  expect(text).toMatch(/^error\[KIT_USAGE\]: a\\u\{1b\}\]52;c;QQ==\\u\{7\}b.*.*\ng\n {2}hint: a/);
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
});

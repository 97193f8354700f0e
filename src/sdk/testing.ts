// What a plugin's own tests import as `@kit-run/kit/testing`. Runs under any test runner.
export { createTestContext, type TestContextOptions } from '../domain/testing.js';

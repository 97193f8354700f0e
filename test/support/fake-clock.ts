/** A clock that stands still until a test lets it go on; plugins test with the same. */
export { TestClock as FakeClock } from '../../src/testing/test-clock.js';

// For the commands that print what to type next.
export { shellWord } from '../lib/shell-word.js';

// For the commands whose user names one of a known set.
export { hintFor } from '../lib/nearest.js';

// Preloaded (`node --import`) into a process that runs a plugin's code: gives it the exports of
// this kit.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mapKitModules } from '../module-map.js';

mapKitModules(dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url))))));

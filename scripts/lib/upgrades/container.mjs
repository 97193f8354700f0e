// Loaded before kit: says of this machine whether it is a container as KIT_UPGRADES_CONTAINER does.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { existsSync } = fs;
const SIGNS = ['/.dockerenv', '/run/.containerenv'];
fs.existsSync = (path) => (SIGNS.includes(path) ? process.env.KIT_UPGRADES_CONTAINER === '1' : existsSync(path));
syncBuiltinESMExports();

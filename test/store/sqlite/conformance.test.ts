import { openSqliteWorld } from '../../support/store-world.js';
import { storeConformance } from '../conformance/index.js';

storeConformance('SQLite', () => openSqliteWorld());

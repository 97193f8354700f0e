import { openPostgresWorld } from '../../support/postgres-world.js';
import { storeConformance } from '../conformance/index.js';

storeConformance('PostgreSQL', () => openPostgresWorld());

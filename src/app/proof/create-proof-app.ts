import { KitError } from '../../domain/errors.js';
import type { DecisionSignature } from '../../domain/gates.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Clock, Files } from '../../domain/ports/system.js';
import type { ShapeCheck } from '../../govern/proof/read-proof.js';
import { proofText } from '../../govern/proof/seal.js';
import { verifyProof } from '../../govern/proof/verify-proof.js';
import { publicKeyOf } from '../../lib/ed25519.js';
import { loadJsonSchemas } from '../../lib/json-schema.js';
import { unknownGate } from '../review/find-item.js';
import { exportProof } from './export-proof.js';
import type { ProofApp } from './proof-app.js';

/** Signs decisions and exports; the key stays inside. */
export interface ProofSigner {
  /** Base64 of the 32 raw bytes; what `kit verify --key` takes. */
  readonly publicKey: string;
  readonly keyId: string;
  /** Where the key came from, for people: `KIT_SIGNING_KEY`, or the path of the file. */
  readonly source: string;
  sign(body: string): DecisionSignature;
}

/** Real parts behind the use cases. */
export interface ProofDeps {
  readonly clock: Clock;
  readonly files: Files;
  /** Opens the store of a workspace; null when it has none yet. Throws KIT_WORKSPACE_NOT_FOUND. */
  readonly openStores: (workspace: string) => Promise<Stores | null>;
  /** Throws KIT_SIGNING_KEY_INVALID. */
  readonly openSigner: () => ProofSigner;
  /** Absolute path of schemas/proof.schema.json. */
  readonly schemaPath: string;
}

/** Writing and judging proofs, over parts that `boot` hands in. */
export function createProofApp(deps: ProofDeps): ProofApp {
  return {
    export: async ({ workspace, gate }) => {
      const stores = await deps.openStores(workspace);
      if (stores === null) throw unknownGate(gate);
      const proof = await exportProof({ stores, clock: deps.clock, sign: deps.openSigner().sign }, gate);
      return { text: proofText(proof), proof };
    },
    verify: async ({ path, keys }) => {
      const bytes = await deps.files.readBytes(path);
      if (bytes === null) throw new KitError('KIT_PROOF_UNREADABLE', `there is no file ${path}`);
      const known = await Promise.all(keys.map((key) => readKey(deps.files, key)));
      const verdict = verifyProof(bytes, { keys: known, misfit: await shapeCheck(deps) });
      if (verdict.kind === 'unreadable') throw new KitError('KIT_PROOF_UNREADABLE', `${path}: ${verdict.message}`);
      return verdict;
    },
    key: async () => {
      const { publicKey, keyId, source } = deps.openSigner();
      return { publicKey, keyId, source };
    },
  };
}

async function shapeCheck({ files, schemaPath }: ProofDeps): Promise<ShapeCheck> {
  const [text, schemas] = await Promise.all([files.readText(schemaPath), loadJsonSchemas()]);
  const schema: object = JSON.parse(text ?? 'null') as object;
  return (value) => {
    const [first] = schemas.validate(schema, value);
    return first === undefined
      ? null
      : `${first.pointer === '' ? 'the proof' : first.pointer} has another shape: ${first.message}`;
  };
}

/** A key as it is printed, or a file that holds it. */
async function readKey(files: Files, key: string): Promise<string> {
  if (publicKeyOf(key) !== null) return key;
  const text = (await files.readText(key))?.trim();
  if (text !== undefined && publicKeyOf(text) !== null) return text;
  throw new KitError('KIT_SIGNING_KEY_INVALID', `${key} is not an Ed25519 public key, and no file that holds one`, {
    hint: 'Give the line that `kit review key` prints on the machine that signed.',
  });
}

import {
  AccountCreateContract,
  CreateSmartContract,
  SmartContract,
  SmartContractABI,
  SmartContractABIEntry,
  Transaction,
  TransferContract,
} from '../../../../src/codec/generated/messages.js';
import { concatBytes } from '../../../../src/primitives/bytes.js';
import { rich } from '../actors.js';
import { RandomChoices } from '../random-choices.js';
import type { Family, Scene } from '../scene.js';
import { type Draft, draft, seal } from '../sealed-transaction.js';

/** Maximum size of a transaction, in bytes. Since 4.7.5, this size includes `RESULTS_BYTES` for results. */
const TRANSACTION_BYTES_MAX = 500 * 1024;
const RESULTS_BYTES = 128;
/**
 * Sizes in bytes of a transaction that creates an account, without signatures. These are the initial value of the
 * parameter and its bounds.
 */
const CREATING_BYTES = [1000, 500, 10_000];
const SIGNATURE_BYTES = 67;
const FEE_LIMIT = 1_000_000_000n;

/**
 * Returns the draft with a memo. The length of the memo is chosen so that the transaction has `bytes` bytes with one
 * signature and without results.
 */
function ofSize(scene: Scene, made: Draft, bytes: number): Draft {
  let memo = new Uint8Array(Math.max(0, bytes - 300));
  // The size of the length prefixes depends on the size of the memo, so the target is reached in up to three steps.
  for (let at = 0; at < 3; at++) {
    const { length } = Transaction.encode(seal(scene.chain, new RandomChoices(7), { ...made, memo }));
    memo = new Uint8Array(Math.max(0, memo.length + bytes - length));
  }
  return { ...made, memo };
}

/** Creates a transfer near the maximum size, in most cases at most two bytes larger or smaller. */
export const largeTransfer: Family = (scene) => {
  const { random } = scene;
  const owner = random.pick(rich);
  const fields = { ownerAddress: owner.bytes, toAddress: random.pick(rich).bytes, amount: 1n };
  const made = draft('TransferContract', TransferContract, fields, owner);
  const most = TRANSACTION_BYTES_MAX - random.pick([0, RESULTS_BYTES]);
  return ofSize(scene, made, most + (random.chance(0.8) ? random.between(-2, 2) : -random.below(100_000)));
};

/** Creates an account with a transaction near the maximum size. */
export const largeCreation: Family = (scene) => {
  const { random } = scene;
  const owner = random.pick(rich);
  const newcomer = Uint8Array.of(0x41, ...random.bytes(20));
  const made = random.chance(0.5)
    ? draft('TransferContract', TransferContract, { ownerAddress: owner.bytes, toAddress: newcomer, amount: 1n }, owner)
    : draft(
        'AccountCreateContract',
        AccountCreateContract,
        { ownerAddress: owner.bytes, accountAddress: newcomer },
        owner,
      );
  return ofSize(scene, made, random.pick(CREATING_BYTES) + SIGNATURE_BYTES + random.between(-3, 3));
};

/** Deploys a contract with large code, large init code, a long name or a large ABI. */
export const largeContract: Family = (scene) => {
  const { random } = scene;
  const owner = random.pick(rich);
  const size = random.pick([24_576, 24_577, 49_152, 49_153, 65_536, 1_000_000, 3_145_728]) + random.between(-1, 1);
  // Init code that returns `size` zero bytes as the code of the contract. Some transactions have additional zero
  // bytes after the init code.
  const code = Uint8Array.of(0x62, size >> 16, (size >> 8) & 0xff, size & 0xff, 0x60, 0, 0xf3);
  const padding = new Uint8Array(random.chance(0.5) ? 0 : random.pick([24_576, 49_152, 49_153, 100_000]));
  const entry = Object.assign(new SmartContractABIEntry(), { name: 'f'.repeat(random.pick([1, 300])), type: 2 });
  const abi = new SmartContractABI();
  abi.entrys = new Array<SmartContractABIEntry>(random.pick([0, 1, 500])).fill(entry);
  const newContract = Object.assign(new SmartContract(), {
    originAddress: owner.bytes,
    abi,
    bytecode: concatBytes(code, padding),
    consumeUserResourcePercent: 100n,
    name: random.pick([
      '',
      'n'.repeat(32),
      'n'.repeat(33),
      '\u00e9'.repeat(16),
      '\u00e9'.repeat(17),
      '\u{1f600}'.repeat(8),
    ]),
    originEnergyLimit: 10_000_000n,
  });
  const fields = { ownerAddress: owner.bytes, newContract };
  return draft('CreateSmartContract', CreateSmartContract, fields, owner, { feeLimit: FEE_LIMIT });
};

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
import { Dice } from '../dice.js';
import type { Family, Scene } from '../scene.js';
import { type Draft, draft, seal } from '../sealed-transaction.js';

/** Bytes of a transaction at most; since 4.7.5 with space for two results. */
const TRANSACTION_BYTES_MAX = 500 * 1024;
const RESULTS_BYTES = 128;
/**
 * Price of a transaction that creates an account, without its signatures: the initial value, and the limits of the
 * parameter.
 */
const CREATING_BYTES = [1000, 500, 10_000];
const SIGNATURE_BYTES = 67;
const FEE_LIMIT = 1_000_000_000n;

/** The draft with a memo that extends it to N bytes, signed once and without results. */
function ofSize(scene: Scene, made: Draft, bytes: number): Draft {
  let memo = new Uint8Array(Math.max(0, bytes - 300));
  // How many bytes lengths take changes with them.
  for (let at = 0; at < 3; at++) {
    const { length } = Transaction.encode(seal(scene.chain, new Dice(7), { ...made, memo }));
    memo = new Uint8Array(Math.max(0, memo.length + bytes - length));
  }
  return { ...made, memo };
}

/** A transfer about as large as one may be, often by a byte. */
export const largeTransfer: Family = (scene) => {
  const { dice } = scene;
  const owner = dice.pick(rich);
  const fields = { ownerAddress: owner.bytes, toAddress: dice.pick(rich).bytes, amount: 1n };
  const made = draft('TransferContract', TransferContract, fields, owner);
  const most = TRANSACTION_BYTES_MAX - dice.pick([0, RESULTS_BYTES]);
  return ofSize(scene, made, most + (dice.chance(0.8) ? dice.between(-2, 2) : -dice.below(100_000)));
};

/** One that makes an account, about as large as it may be. */
export const largeCreation: Family = (scene) => {
  const { dice } = scene;
  const owner = dice.pick(rich);
  const newcomer = Uint8Array.of(0x41, ...dice.bytes(20));
  const made = dice.chance(0.5)
    ? draft('TransferContract', TransferContract, { ownerAddress: owner.bytes, toAddress: newcomer, amount: 1n }, owner)
    : draft(
        'AccountCreateContract',
        AccountCreateContract,
        { ownerAddress: owner.bytes, accountAddress: newcomer },
        owner,
      );
  return ofSize(scene, made, dice.pick(CREATING_BYTES) + SIGNATURE_BYTES + dice.between(-3, 3));
};

/** A contract with much code, much init code, a long name or a long interface. */
export const largeContract: Family = (scene) => {
  const { dice } = scene;
  const owner = dice.pick(rich);
  const size = dice.pick([24_576, 24_577, 49_152, 49_153, 65_536, 1_000_000, 3_145_728]) + dice.between(-1, 1);
  // Appends a number of zero bytes, and sometimes adds more of them later.
  const code = Uint8Array.of(0x62, size >> 16, (size >> 8) & 0xff, size & 0xff, 0x60, 0, 0xf3);
  const padding = new Uint8Array(dice.chance(0.5) ? 0 : dice.pick([24_576, 49_152, 49_153, 100_000]));
  const entry = Object.assign(new SmartContractABIEntry(), { name: 'f'.repeat(dice.pick([1, 300])), type: 2 });
  const abi = new SmartContractABI();
  abi.entrys = new Array<SmartContractABIEntry>(dice.pick([0, 1, 500])).fill(entry);
  const newContract = Object.assign(new SmartContract(), {
    originAddress: owner.bytes,
    abi,
    bytecode: concatBytes(code, padding),
    consumeUserResourcePercent: 100n,
    name: dice.pick([
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

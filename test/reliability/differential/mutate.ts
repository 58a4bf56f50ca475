import {
  TransactionContractContractType as ContractType,
  type Transaction,
  type TransactionRaw,
  TransactionResult,
} from '../../../src/codec/generated/messages.js';
import { concatBytes, utf8 } from '../../../src/primitives/bytes.js';
import type { RandomChoices } from './random-choices.js';

const TYPES = Object.values(ContractType);

/** Makes one part of the signed data invalid. */
export function mutateRaw(raw: TransactionRaw, random: RandomChoices): void {
  const [contract] = raw.contract;
  const parameter = contract?.parameter;
  if (contract === undefined || parameter === undefined) return;
  const { value } = parameter;
  switch (random.below(12)) {
    case 0:
      contract.type = random.pick([...TYPES, 7, 99, -1]);
      return;
    case 1:
      parameter.typeUrl = random.pick([
        '',
        'x/protocol.TransferContract',
        'type.googleapis.com/protocol.Nothing',
        'protocol.VoteWitnessContract',
      ]);
      return;
    case 2:
      parameter.value = value.subarray(0, random.below(value.length + 1));
      return;
    case 3:
      // Appends a field that no contract type has.
      parameter.value = concatBytes(value, Uint8Array.of(0xf8, 0x07, random.below(128)));
      return;
    case 4: {
      const other = Uint8Array.from(value);
      other[random.below(other.length)] = random.below(256);
      parameter.value = other;
      return;
    }
    case 5:
      raw.contract = random.chance(0.5) ? [] : [contract, contract];
      return;
    case 6:
      contract.parameter = undefined;
      return;
    case 7:
      contract.permissionId = random.pick([1, 2, 3, -1, 2_147_483_647]);
      return;
    case 8:
      raw.data = random.bytes(random.pick([1, 100, 2000]));
      return;
    case 9:
      raw.refBlockBytes = random.bytes(random.pick([0, 1, 2, 3]));
      return;
    case 10:
      raw.scripts = utf8('scripts');
      contract.provider = random.bytes(3);
      contract.contractName = random.bytes(3);
      return;
    default:
      raw.feeLimit = random.amount(10n ** 10n);
  }
}

/** Makes one part of a transaction invalid that its signature does not cover. */
export function mutateSigned(transaction: Transaction, random: RandomChoices): void {
  const [signature = new Uint8Array(65)] = transaction.signature;
  const result = Object.assign(new TransactionResult(), { contractRet: random.below(16), fee: random.amount(9n) });
  switch (random.below(6)) {
    case 0:
      transaction.signature = [];
      return;
    case 1:
      transaction.signature = [signature, signature];
      return;
    case 2:
      transaction.signature = [concatBytes(signature, random.bytes(random.between(1, 5)))];
      return;
    case 3:
      transaction.signature = [signature.subarray(0, random.below(65))];
      return;
    case 4:
      transaction.signature = [concatBytes(signature.subarray(0, 64), Uint8Array.of(random.below(256)))];
      return;
    default:
      transaction.ret = random.chance(0.5) ? [result] : [result, result];
  }
}

import t from 'tap';
import { EMPTY_BYTES, fromHex } from '../../../../src/primitives/bytes.js';
import { callConstant } from '../../../../src/vm/smart-contract/constant.js';
import { contractAt, worldWith } from '../../../support/vm/vm-world.js';

const OWNER = '41'.repeat(33);
const TEXT = `Data word can't exceed 32 bytes: ${OWNER}`;
const BLOCK = { number: 1, timeMs: 3000, witness: EMPTY_BYTES, parentId: new Uint8Array(32), isSigned: false };

function call(contractAddress: Uint8Array, callValue = 0n): void {
  callConstant(
    worldWith([fromHex('00')]),
    {
      owner: fromHex(OWNER),
      contractAddress,
      data: fromHex('00'),
      callValue,
      tokenValue: 0n,
      tokenId: 0n,
      feeLimit: 0n,
      transactionId: () => new Uint8Array(32),
    },
    { block: BLOCK, blockId: () => undefined },
    { energy: 1000n },
  );
}

function failureOf(run: () => void): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

// The error texts are those of java-tron 4.7.2.
t.test('rejects a caller address longer than a word', async (t) => {
  const invalid = { exception: 'ContractValidateException', text: TEXT };
  t.match(
    failureOf(() => call(EMPTY_BYTES)),
    invalid,
    'a creation',
  );
  t.match(
    failureOf(() => call(EMPTY_BYTES, 5n)),
    invalid,
    'before the value is transferred',
  );
  t.match(
    failureOf(() => call(fromHex(contractAt(0)))),
    { exception: 'RuntimeException', text: TEXT },
    'a call',
  );
});

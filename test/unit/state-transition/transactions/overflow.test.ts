import t from 'tap';
import {
  Any,
  TransactionContractContractType as ContractType,
  Transaction,
  TransactionContract,
  TransactionRaw,
  TransferContract,
} from '../../../../src/codec/generated/messages.js';
import { ChainError } from '../../../../src/state-transition/errors.js';
import { release482 } from '../../../../src/state-transition/releases/release-4.8.2.js';
import { addFrozenV2, ResourceCode } from '../../../../src/state-transition/resources/stake.js';
import { decodeTransaction } from '../../../../src/state-transition/transactions/decode-transaction.js';
import {
  type Executor,
  executeTransaction,
} from '../../../../src/state-transition/transactions/execute-transaction.js';
import { addAccount, addressOf, bytesOf, stateWith } from '../../../support/vm/state-with.js';

const [OWNER, RECEIVER] = [1, 2];
const executor = {
  chain: { recentBlockId: () => new Uint8Array(32), hasTransaction: () => false },
} as unknown as Executor;

function transfer() {
  const fields = { ownerAddress: bytesOf(OWNER), toAddress: bytesOf(RECEIVER), amount: 1n };
  const value = TransferContract.encode(Object.assign(new TransferContract(), fields));
  const parameter = Object.assign(new Any(), { typeUrl: 'type.googleapis.com/protocol.TransferContract', value });
  const contract = Object.assign(new TransactionContract(), { type: ContractType.TransferContract, parameter });
  const refBlock = { refBlockBytes: new Uint8Array(2), refBlockHash: new Uint8Array(8) };
  const rawData = Object.assign(new TransactionRaw(), { contract: [contract], expiration: 60_000n, ...refBlock });
  return decodeTransaction(Object.assign(new Transaction(), { rawData }));
}

// Found by a comparison with java-tron 4.8.2: such an error must reject a transaction, not end the node. Reference:
// ResourceProcessor.calculateGlobalLimitV2.
t.test('rejects a transaction with an unchecked exception if the bandwidth of the owner exceeds 64 bits', async (t) => {
  const limits = { UNFREEZE_DELAY_DAYS: 1n, TOTAL_NET_WEIGHT: 1n, TOTAL_NET_LIMIT: 10n ** 12n };
  const run = (properties: Parameters<typeof stateWith>[0]): unknown => {
    const state = stateWith({ ...limits, ...properties }, release482);
    addAccount(state, RECEIVER);
    addAccount(state, OWNER, 10n ** 9n);
    const account = state.accountToWrite(addressOf(OWNER));
    if (account !== undefined) addFrozenV2(account, ResourceCode.BANDWIDTH, 10n ** 15n);
    return executeTransaction(executor, state, { transaction: transfer(), block: undefined }, { isVerified: true });
  };
  t.doesNotThrow(() => run({}));
  try {
    run({ ALLOW_HARDEN_RESOURCE_CALCULATION: 1n });
    t.fail('the transaction is accepted');
  } catch (error) {
    t.ok(error instanceof ChainError && !error.checked);
    t.match(error, { exception: 'ArithmeticException', text: 'BigInteger out of long range' });
  }
});

import secp256k1 from 'secp256k1';
import t from 'tap';
import type { ChainView } from '../../../../src/api/context/api-context.js';
import { approvedList, signWeight } from '../../../../src/api/operations/signatures.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import {
  Any,
  Transaction,
  TransactionContract,
  TransactionContractContractType,
  TransactionRaw,
  TransferContract,
} from '../../../../src/codec/generated/messages.js';
import { sha256 } from '../../../../src/crypto/hash.js';
import { release482 } from '../../../../src/state-transition/releases/release-4.8.2.js';
import { defaultOwnerPermission } from '../../../../src/state-transition/state/permissions.js';
import { newAccount } from '../../../../src/state-transition/state/state.js';
import { recoverSigner } from '../../../../src/state-transition/transactions/recover-signer.js';
import { addressOf, bytesOf, stateWith } from '../../../support/vm/state-with.js';

const OLD = apiRelease('4.7.2');
const NEW = apiRelease('4.8.2');
const KEY = new Uint8Array(32).fill(3);

function transfer(permissionId = 0): Transaction {
  const contract = Object.assign(new TransferContract(), {
    ownerAddress: bytesOf(1),
    toAddress: bytesOf(2),
    amount: 1n,
  });
  const parameter = Object.assign(new Any(), {
    typeUrl: 'type.googleapis.com/protocol.TransferContract',
    value: TransferContract.encode(contract),
  });
  const rawData = Object.assign(new TransactionRaw(), {
    contract: [
      Object.assign(new TransactionContract(), {
        type: TransactionContractContractType.TransferContract,
        parameter,
        permissionId,
      }),
    ],
  });
  return Object.assign(new Transaction(), { rawData });
}

function sign(transaction: Transaction, extraBytes = 0): Transaction {
  const { signature, recid } = secp256k1.ecdsaSign(sha256(TransactionRaw.encode(transaction.rawData!)), KEY);
  const bytes = new Uint8Array(65 + extraBytes).fill(9);
  bytes.set(signature);
  bytes[64] = recid;
  transaction.signature.push(bytes);
  return transaction;
}

/** Returns a view with an account whose owner key is `KEY`. */
function view(): ChainView {
  const state = stateWith({}, release482);
  const signed = sign(transfer());
  const signer = recoverSigner(sha256(TransactionRaw.encode(signed.rawData!)), signed.signature[0]!, 0x41);
  state.putAccount(addressOf(1), newAccount(addressOf(1), { ownerPermission: defaultOwnerPermission(signer) }));
  return { state } as unknown as ChainView;
}

t.test('checks that a permission allows the signers since 4.8.2', async (t) => {
  const twice = sign(sign(transfer()));
  t.equal(approvedList({ view: view(), release: OLD }, twice).approvedList.length, 2);
  t.match(
    approvedList({ view: view(), release: NEW }, twice).result?.message,
    /PermissionException : Signature count is 2 more than key/,
  );
  t.equal(approvedList({ view: view(), release: NEW }, sign(transfer())).approvedList.length, 1);
  const named = approvedList({ view: view(), release: NEW }, sign(transfer(9)));
  t.match(named.result?.message, /Permission for this, does not exist!/);
  t.equal(approvedList({ view: view(), release: OLD }, sign(transfer(9))).approvedList.length, 1);
});

t.test('truncates long signatures and limits their number since 4.8.2', async (t) => {
  const long = sign(transfer(), 3);
  const lengthsOf = (release: typeof NEW) =>
    signWeight({ view: view(), release }, long).transaction?.transaction?.signature.map(({ length }) => length);
  t.same(lengthsOf(OLD), [68]);
  t.same(lengthsOf(NEW), [65]);
  t.equal(long.signature[0]?.length, 68, 'the request is unchanged');
  const many = transfer();
  for (let count = 0; count < 6; count++) sign(many);
  for (const list of [signWeight, approvedList]) {
    t.match(list({ view: view(), release: NEW }, many).result?.message, /^too many signatures$/);
    t.equal(list({ view: view(), release: NEW }, many).transaction, undefined);
    t.not(list({ view: view(), release: OLD }, many).transaction, undefined);
  }
});

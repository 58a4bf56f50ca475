import t from 'tap';
import {
  TransactionContractContractType as ContractType,
  ShieldedTransferContract,
  TransactionInfo,
  TransferContract,
  WithdrawBalanceContract,
} from '../../../../src/codec/generated/messages.js';
import {
  contractAmount,
  contractParties,
  contractRecipient,
  namesParties,
} from '../../../../src/encoding/contract-types/read-contract.js';
import { utf8 } from '../../../../src/primitives/bytes.js';
import type { DecodedTransaction } from '../../../../src/state-transition/transaction.js';
import { addressOf, bytesOf, stateWith } from '../../../support/vm/state-with.js';

t.test('returns the recipient and value of a contract', async (t) => {
  const state = stateWith();
  const owner = addressOf(1);
  const noReceipt = () => undefined;
  const of = (name: keyof typeof ContractType, parameter: object) =>
    ({ contractType: ContractType[name], parameter, owner }) as DecodedTransaction;
  const transfer = of('TransferContract', Object.assign(new TransferContract(), { toAddress: bytesOf(2), amount: 7n }));
  t.same(contractRecipient(transfer), bytesOf(2));
  t.equal(contractAmount(transfer, noReceipt, state), 7n);
  const withdrawal = of('WithdrawBalanceContract', new WithdrawBalanceContract());
  t.same(contractRecipient(withdrawal), new Uint8Array(0));
  t.equal(contractAmount(withdrawal, noReceipt, state), 0n, 'only the receipt contains the amount');
  t.equal(
    contractAmount(withdrawal, () => Object.assign(new TransactionInfo(), { withdrawAmount: 9n }), state),
    9n,
  );
  const shielded = (fields: object) =>
    of('ShieldedTransferContract', Object.assign(new ShieldedTransferContract(), fields));
  t.equal(contractAmount(shielded({ fromAmount: 3n, toAmount: 4n }), noReceipt, state), 3n);
  t.equal(contractAmount(shielded({ toAmount: 4n }), noReceipt, state), 4n);
  t.equal(contractAmount(of('VoteAssetContract', {}), noReceipt, state), 0n, 'no release executes this type');
});

t.test('returns the addresses for events and histories', async (t) => {
  const [from, to] = [bytesOf(1), bytesOf(2)];
  const of = (name: keyof typeof ContractType, parameter: object | undefined, info?: TransactionInfo) =>
    contractParties(ContractType[name], parameter, info);
  const fields = { ownerAddress: from, toAddress: to, amount: 7n };
  t.same(of('TransferContract', fields), { kind: 'transfer', from, to, amount: 7n });
  t.same(of('TransferContract', undefined), undefined, 'a malformed parameter');
  const asset = { ...fields, assetName: utf8('1000001') };
  t.same(of('TransferAssetContract', asset), { kind: 'transfer', from, to, amount: 7n, asset: '1000001' });
  const call = { ownerAddress: from, contractAddress: to, callValue: 3n, tokenId: 5n, callTokenValue: 4n };
  const token = { id: 5n, amount: 4n };
  t.same(of('TriggerSmartContract', call), { kind: 'call', from, to, callValue: 3n, token });
  t.same(of('CreateSmartContract', { ownerAddress: from }), { kind: 'call', from, callValue: 0n });
  const receipt = Object.assign(new TransactionInfo(), { withdrawExpireAmount: 9n });
  t.same(of('WithdrawExpireUnfreezeContract', { ownerAddress: from }, receipt), { kind: 'stake', from, amount: 9n });
  t.same(of('VoteWitnessContract', { ownerAddress: from }), undefined);
  t.notOk(namesParties(ContractType.VoteWitnessContract) || namesParties(999));
  t.ok(namesParties(ContractType.FreezeBalanceV2Contract));
});

import t from 'tap';
import type { ApiContext, ChainView } from '../../../../src/api/context/api-context.js';
import { answerCall } from '../../../../src/api/grpc/answer-call.js';
import { grpcServices } from '../../../../src/api/grpc/services.js';
import { RememberedIds } from '../../../../src/api/operations/broadcast.js';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import {
  Any,
  TransactionContractContractType as ContractType,
  FreezeBalanceV2Contract,
  ShieldedTransferContract,
  Transaction,
  TransactionContract,
  TransactionExtention,
  TransactionRaw,
  TransferContract,
  TriggerSmartContract,
} from '../../../../src/codec/generated/messages.js';

// Parts of the error texts with which java-tron 4.7.2 answers the requests of this test.
const REAL = 'real type[class com.google.protobuf.Any]';
const PREFIX = 'Contract validate error : ';

interface Requested {
  readonly type: number;
  readonly url?: string;
  readonly value?: Uint8Array;
  /** Value of every chain property. With 1, all contract types are enabled. */
  readonly properties?: bigint;
}

async function query({
  type,
  url,
  value = new Uint8Array(0),
  properties = 1n,
}: Requested): Promise<TransactionExtention> {
  const view = {
    state: { properties: { get: () => properties } },
    blockIdAt: () => new Uint8Array(32),
  } as unknown as ChainView;
  const api = {
    settings: { refersToSolid: true, expirationMs: 60_000n },
    now: () => 5,
    validate: () => undefined,
  } as unknown as ApiContext;
  const contract = Object.assign(new TransactionContract(), { type });
  if (url !== undefined) contract.parameter = Object.assign(new Any(), { typeUrl: url, value });
  const rawData = Object.assign(new TransactionRaw(), { contract: [contract] });
  const request = Transaction.encode(Object.assign(new Transaction(), { rawData }));
  const reply = await answerCall(
    grpcServices('fullnode', { release: apiRelease('4.7.2') }),
    'protocol.Wallet/CreateCommonTransaction',
    request,
    () => ({
      api,
      view,
      remembered: new RememberedIds(),
    }),
  );
  t.equal(reply.status, 0);
  return TransactionExtention.decode(reply.bytes);
}

async function refusalOf(request: Requested): Promise<string> {
  return Buffer.from((await query(request)).result!.message).toString();
}

t.test('rejects a parameter of another message type with the error text of each contract type', async (t) => {
  const cases: readonly (readonly [type: keyof typeof ContractType, text: string])[] = [
    ['AccountCreateContract', `contract type error,expected type [AccountCreateContract],${REAL}`],
    ['WitnessUpdateContract', `contract type error, expected type [WitnessUpdateContract],${REAL}`],
    ['VoteWitnessContract', `contract type error, expected type [VoteWitnessContract], ${REAL}`],
    ['UnfreezeBalanceV2Contract', `contract type error, expected type [UnfreezeBalanceContract], ${REAL}`],
    ['ShieldedTransferContract', 'Type of the Any message does not match the given class.'],
    [
      'TransferContract',
      'contract type error, expected type [TransferContract], real type [class com.google.protobuf.Any]',
    ],
  ];
  for (const [type, text] of cases) {
    t.equal(await refusalOf({ type: ContractType[type], url: 'x/protocol.Account' }), PREFIX + text, type);
  }
});

t.test('checks first, for some contract types, whether the type is enabled', async (t) => {
  const refusal = 'multi sign is not allowed, need to be opened by the committee';
  const { AccountPermissionUpdateContract: type, TransferContract: other } = ContractType;
  t.equal(await refusalOf({ type, properties: 0n }), PREFIX + refusal);
  t.match(await refusalOf({ type }), /expected type/);
  t.match(await refusalOf({ type: other, properties: 0n }), /expected type/);
  t.match(await refusalOf({ type: ContractType.DelegateResourceContract, properties: 0n }), /expected type/);
});

t.test('rejects a malformed parameter', async (t) => {
  const type = ContractType.FreezeBalanceV2Contract;
  const url = `x/${FreezeBalanceV2Contract.$name}`;
  const value = Uint8Array.of(0x0a);
  t.match(await refusalOf({ type, url, value }), /the input ended unexpectedly/);
  const refusal = 'Not support FreezeV2 transaction, need to be opened by the committee';
  t.equal(await refusalOf({ type, url, value, properties: 0n }), PREFIX + refusal);
  const shielded = `x/${ShieldedTransferContract.$name}`;
  const request = { type: ContractType.ShieldedTransferContract, url: shielded, value, properties: 0n };
  t.match(
    await refusalOf(request),
    /the input ended unexpectedly/,
    'the parameter is decoded before the permission is checked',
  );
});

t.test('keeps the encoded parameter unchanged', async (t) => {
  const value = Uint8Array.of(0x12, 0, 0x0a, 0);
  const url = `any.where/${TransferContract.$name}`;
  const parameterOf = ({ transaction }: TransactionExtention) => transaction?.rawData?.contract[0]?.parameter;
  t.match(parameterOf(await query({ type: ContractType.TransferContract, url, value })), { typeUrl: url, value });
  const call = await query({ type: ContractType.TriggerSmartContract, url, value });
  t.match(parameterOf(call), { typeUrl: url, value }, 'the transaction of a contract call is not validated');
  t.not(parameterOf(await query({ type: ContractType.TriggerSmartContract })), undefined, TriggerSmartContract.$name);
});

t.test('accepts contract types without rules', async (t) => {
  const nothing = 'class java.lang.NullPointerException : null';
  t.equal(await refusalOf({ type: ContractType.VoteAssetContract }), nothing);
  t.equal(await refusalOf({ type: ContractType.CreateSmartContract, url: 'x' }), nothing);
  const unknown = "class java.lang.IllegalArgumentException : Can't get the number of an unknown enum value.";
  t.equal(await refusalOf({ type: 999 }), unknown);
});

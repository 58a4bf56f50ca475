import type { MessageType } from '../../../codec/descriptor.js';
import * as messages from '../../../codec/generated/messages.js';
import {
  TransactionContractContractType as ContractType,
  CreateSmartContract,
  SmartContract,
  SmartContractABI,
  type Transaction,
} from '../../../codec/generated/messages.js';
import { addressOfText } from '../../../content/address-text.js';
import { intOf, longOf, textOf } from '../../../content/json/json-casts.js';
import type { JsonObject } from '../../../content/json/json-value.js';
import { printNewTransaction } from '../../../content/json/print-transaction.js';
import { readMessage } from '../../../content/json/read-message.js';
import { EMPTY_BYTES, utf8 } from '../../../domain/bytes.js';
import { illegalArgument, nullPointer } from '../../../java/error.js';
import { bytesOfHex } from '../../../java/hex.js';
import { buildTransaction, messageOfType, setPermission } from '../../operations/build-transaction.js';
import type { HttpCall } from '../http-call.js';
import { type Answer, type Posted, parsedBody, posted, type Route, readPosted } from '../route.js';

type TypeName = keyof typeof ContractType;
/** Whether GET is defined (and answers nothing), and whether the body may carry `extra_data`. */
type Row = readonly [name: string, family: string, type: TypeName, hasGet: boolean, takesData?: true];

const rows: readonly Row[] = [
  ['createtransaction', 'Transfer', 'TransferContract', true, true],
  ['transferasset', 'TransferAsset', 'TransferAssetContract', true, true],
  ['marketsellasset', 'MarketSellAsset', 'MarketSellAssetContract', true, true],
  ['marketcancelorder', 'MarketCancelOrder', 'MarketCancelOrderContract', true, true],
  ['accountpermissionupdate', 'AccountPermissionUpdate', 'AccountPermissionUpdateContract', true],
  ['cancelallunfreezev2', 'CancelAllUnfreezeV2', 'CancelAllUnfreezeV2Contract', false],
  ['clearabi', 'ClearABI', 'ClearABIContract', true],
  ['createaccount', 'CreateAccount', 'AccountCreateContract', false],
  ['createassetissue', 'CreateAssetIssue', 'AssetIssueContract', true],
  ['createwitness', 'CreateWitness', 'WitnessCreateContract', true],
  ['delegateresource', 'DelegateResource', 'DelegateResourceContract', false],
  ['exchangecreate', 'ExchangeCreate', 'ExchangeCreateContract', false],
  ['exchangeinject', 'ExchangeInject', 'ExchangeInjectContract', false],
  ['exchangetransaction', 'ExchangeTransaction', 'ExchangeTransactionContract', false],
  ['exchangewithdraw', 'ExchangeWithdraw', 'ExchangeWithdrawContract', false],
  ['freezebalance', 'FreezeBalance', 'FreezeBalanceContract', false],
  ['freezebalancev2', 'FreezeBalanceV2', 'FreezeBalanceV2Contract', false],
  ['participateassetissue', 'ParticipateAssetIssue', 'ParticipateAssetIssueContract', true],
  ['proposalapprove', 'ProposalApprove', 'ProposalApproveContract', true],
  ['proposalcreate', 'ProposalCreate', 'ProposalCreateContract', true],
  ['proposaldelete', 'ProposalDelete', 'ProposalDeleteContract', true],
  ['setaccountid', 'SetAccountId', 'SetAccountIdContract', true],
  ['undelegateresource', 'UnDelegateResource', 'UnDelegateResourceContract', true],
  ['unfreezeasset', 'UnFreezeAsset', 'UnfreezeAssetContract', true],
  ['unfreezebalance', 'UnFreezeBalance', 'UnfreezeBalanceContract', true],
  ['unfreezebalancev2', 'UnFreezeBalanceV2', 'UnfreezeBalanceV2Contract', true],
  ['updateBrokerage', 'UpdateBrokerage', 'UpdateBrokerageContract', false],
  ['updateaccount', 'UpdateAccount', 'AccountUpdateContract', true],
  ['updateasset', 'UpdateAsset', 'UpdateAssetContract', true],
  ['updateenergylimit', 'UpdateEnergyLimit', 'UpdateEnergyLimitContract', true],
  ['updatesetting', 'UpdateSetting', 'UpdateSettingContract', true],
  ['updatewitness', 'UpdateWitness', 'WitnessUpdateContract', true],
  ['votewitnessaccount', 'VoteWitnessAccount', 'VoteWitnessContract', true],
  ['withdrawbalance', 'WithdrawBalance', 'WithdrawBalanceContract', true],
  ['withdrawexpireunfreeze', 'WithdrawExpireUnfreeze', 'WithdrawExpireUnfreezeContract', true],
];

/** Unsigned transactions. */
export const buildRoutes: readonly Route[] = [
  ...rows.map(builder),
  { name: 'deploycontract', family: 'DeployContract', servers: 'F', get: 'empty', post: deploy },
  { name: 'createCommonTransaction', family: 'CreateCommonTransaction', servers: 'F', post: createCommon },
];

/** A builder reads its contract from the body, checks it and prints the transaction. */
function builder([name, family, typeName, hasGet, takesData]: Row): Route {
  const type = ContractType[typeName];
  const messageType = (messages as unknown as Record<string, MessageType<object>>)[typeName]!;
  const post: Answer = (call) => {
    const body = posted(call);
    const message = readPosted(call, body, messageType);
    const transaction = buildTransaction(call.api, call.view, type, message);
    const object = requireObject(body);
    applyPermission(object, transaction);
    if (takesData === true) applyExtraData(object, transaction, body.visible);
    return printNewTransaction(transaction, call.print(body.visible));
  };
  return { name, family, servers: 'F', ...(hasGet ? { get: 'empty' as const } : {}), post };
}

/** Reference: Util.setTransactionPermissionId. @throws {JavaError} */
export function applyPermission(object: JsonObject, transaction: Transaction): void {
  if (object.has('Permission_id')) setPermission(transaction, intOf(object, 'Permission_id'));
}

/** Reference: Util.setTransactionExtraData. @throws {JavaError} */
export function applyExtraData(object: JsonObject, transaction: Transaction, visible: boolean): void {
  if (!object.has('extra_data')) return;
  const data = textOf(object, 'extra_data');
  if (data === null) throw nullPointer();
  if (data.length > 0) transaction.rawData!.data = visible ? utf8(data) : bytesOfHex(data);
}

/** @throws {JavaError} NullPointerException for a body that holds nothing */
function requireObject(body: Posted): JsonObject {
  const object = parsedBody(body);
  if (object === null) throw nullPointer();
  return object;
}

/** Reference: CreateCommonTransactionServlet. */
function createCommon(call: HttpCall): string {
  const body = posted(call);
  const name = textOf(requireObject(body), 'contractType');
  if (name === null) throw nullPointer('Name is null');
  if (!Object.hasOwn(ContractType, name) && name !== 'UNRECOGNIZED') {
    const enumeration = 'org.tron.protos.Protocol.Transaction.Contract.ContractType';
    throw illegalArgument(`No enum constant ${enumeration}.${name}`);
  }
  const type = ContractType[name as TypeName];
  const message = readPosted(call, body, messageOfType(type, name));
  const transaction = buildTransaction(call.api, call.view, type, message);
  applyPermission(requireObject(body), transaction);
  return printNewTransaction(transaction, call.print(body.visible));
}

/** Reference: DeployContractServlet. */
function deploy(call: HttpCall): string {
  const body = posted(call);
  const { visible } = body;
  const object = requireObject(body);
  const ownerText = textOf(object, 'owner_address');
  const owner = visible ? ownerOfText(call, ownerText) : bytesOfHex(ownerText);
  const create = new CreateSmartContract();
  create.ownerAddress = owner;
  create.callTokenValue = longOf(object, 'call_token_value');
  create.tokenId = longOf(object, 'token_id');
  const abi = object.has('abi')
    ? readMessage(`{"entrys":${textOf(object, 'abi')}}`, SmartContractABI, call.print(visible))
    : new SmartContractABI();
  const contract = new SmartContract();
  contract.abi = abi;
  contract.callValue = longOf(object, 'call_value');
  contract.consumeUserResourcePercent = longOf(object, 'consume_user_resource_percent');
  contract.originEnergyLimit = longOf(object, 'origin_energy_limit');
  contract.originAddress = owner;
  let code = textOf(object, 'bytecode');
  // Java's `+` writes the word null.
  if (object.has('parameter')) code = `${code}${textOf(object, 'parameter')}`;
  contract.bytecode = bytesOfHex(code);
  contract.name = textOf(object, 'name') ?? '';
  const feeLimit = longOf(object, 'fee_limit');
  create.newContract = contract;
  const transaction = buildTransaction(call.api, call.view, ContractType.CreateSmartContract, create);
  transaction.rawData!.feeLimit = feeLimit;
  applyPermission(object, transaction);
  return printNewTransaction(transaction, call.print(visible));
}

function ownerOfText(call: HttpCall, text: string | null): Uint8Array {
  return addressOfText(text, call.api.settings) ?? EMPTY_BYTES;
}

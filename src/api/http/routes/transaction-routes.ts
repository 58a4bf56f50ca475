import {
  ReturnResponse_code as Code,
  EstimateEnergyMessage,
  Return,
  Transaction,
  TriggerSmartContract,
} from '../../../codec/generated/messages.js';
import { keccak256 } from '../../../crypto/hash.js';
import { enumNames } from '../../../encoding/json/enum-names.js';
import { longOf, textOf } from '../../../encoding/json/json-casts.js';
import { type JsonObject, jsonObject } from '../../../encoding/json/json-value.js';
import { parseJsonObject } from '../../../encoding/json/parse-json.js';
import { messageToJson } from '../../../encoding/json/print-message.js';
import { printExtention, printSigned } from '../../../encoding/json/print-transaction.js';
import { readTransaction } from '../../../encoding/json/read-transaction.js';
import { bytesOfHex } from '../../../java-compat/hex.js';
import { JavaError, nullPointer } from '../../../java-compat/java-error.js';
import { present } from '../../../primitives/assert.js';
import { toHex, toUtf8, utf8 } from '../../../primitives/bytes.js';
import { decodeTransaction } from '../../../state-transition/transactions/decode-transaction.js';
import type { transactionEndpoints } from '../../endpoints/transaction-endpoints.js';
import { broadcastTransaction } from '../../operations/broadcast.js';
import {
  type CallReply,
  callConstantContract,
  estimateCall,
  newCallReply,
  noteFailure,
  triggerContract,
} from '../../operations/call-contract.js';
import { decodeRequest } from '../../operations/decode-request.js';
import { approvedList, requestedSignatures, signWeight } from '../../operations/signatures.js';
import type { HttpCall } from '../http-call.js';
import { type HandlersOf, type Posted, posted, readPosted, visibleIn } from '../route.js';
import { applyExtraData, applyPermission } from './build-routes.js';

/** HTTP handlers that broadcast transactions, check signatures and call smart contracts. */
export const transactionHandlers: HandlersOf<typeof transactionEndpoints> = {
  Broadcast: { post: broadcast },
  BroadcastHex: { post: broadcastHex },
  GetTransactionSignWeight: {
    get: 'empty',
    post: (call) => {
      const body = posted(call);
      return printSigned(
        signWeight(requestedSignatures(call), signedTransaction(call, body)),
        call.print(body.visible),
      );
    },
  },
  GetTransactionApprovedList: {
    get: 'empty',
    post: (call) => {
      const body = posted(call);
      return printSigned(
        approvedList(requestedSignatures(call), signedTransaction(call, body)),
        call.print(body.visible),
      );
    },
  },
  TriggerSmartContract: {
    get: 'empty',
    post: trigger,
  },
  TriggerConstantContract: {
    get: 'empty',
    post: constant,
  },
  EstimateEnergy: {
    get: 'empty',
    post: estimate,
  },
};

/** Reads a signed transaction from the body. @throws {JavaError} NullPointerException: the transaction is invalid */
function signedTransaction(call: HttpCall, { text, visible }: Posted): Transaction {
  const transaction = readTransaction(text, call.print(visible));
  if (transaction === undefined) throw nullPointer();
  return transaction;
}

/** Broadcasts a transaction in JSON form. Reference: BroadcastServlet. */
async function broadcast(call: HttpCall): Promise<string> {
  const body = posted(call);
  const transaction = decodeTransaction(signedTransaction(call, body));
  const reply = await broadcastTransaction(call.api, transaction, call.services.remembered);
  const object = messageToJson(reply, body.visible, call.json);
  object.set('txid', transaction.idHex);
  return call.show(object);
}

/** Broadcasts a transaction that is encoded as hex. Reference: BroadcastHexServlet. */
async function broadcastHex(call: HttpCall): Promise<string> {
  const object = parseJsonObject(call.bodyUnchecked(), call.json);
  const transaction = decodeTransaction(decodeRequest(bytesOfHex(textOf(object, 'transaction')), Transaction));
  const reply = await broadcastTransaction(call.api, transaction, call.services.remembered);
  return call.show(
    jsonObject({
      result: reply.result,
      code: present(enumNames(Code).byNumber.get(reply.code), 'a reply has a code of the schema'),
      message: toUtf8(reply.message),
      transaction: call.showMessage(transaction.message, true),
      txid: transaction.idHex,
    }),
  );
}

/** Builds a transaction that calls a smart contract. Reference: TriggerSmartContractServlet. */
function trigger(call: HttpCall): string {
  return answerCall(call, requireContract, (message, object, reply) => {
    message.callTokenValue = longOf(object, 'call_token_value');
    message.tokenId = longOf(object, 'token_id');
    message.callValue = longOf(object, 'call_value');
    const feeLimit = longOf(object, 'fee_limit');
    const transaction = triggerContract(call.api, call.view, { message, feeLimit, reply });
    applyPermission(object, transaction);
    return transaction;
  });
}

/** Runs a constant call. Reference: TriggerConstantContractServlet. */
function constant(call: HttpCall): string {
  return answerCall(call, requireCallOrDeployment, (message, object, reply, visible) => {
    const transaction = callConstantContract(call.api, call.view, message, reply);
    applyPermission(object, transaction);
    applyExtraData(object, transaction, visible);
    return transaction;
  });
}

/** Estimates the energy of a call. Reference: EstimateEnergyServlet. */
function estimate(call: HttpCall): string {
  const reply = { estimate: new EstimateEnergyMessage(), result: new Return() };
  const options = { visible: false };
  try {
    const { message } = readCall(call, options, requireCallOrDeployment);
    estimateCall(call.api, call.view, message, reply);
  } catch (error) {
    noteFailure(reply.result, error);
  }
  reply.estimate.result = reply.result;
  return call.showMessage(reply.estimate, options.visible);
}

type Run = (message: TriggerSmartContract, object: JsonObject, reply: CallReply, visible: boolean) => Transaction;

/** Responds to a call of a smart contract. If the call fails, the response contains the failure. */
function answerCall(call: HttpCall, check: (object: JsonObject) => void, run: Run): string {
  const reply = newCallReply();
  const options = { visible: false };
  try {
    const { message, object } = readCall(call, options, check);
    reply.extention.transaction = run(message, object, reply, options.visible);
    reply.result.result = true;
    reply.result.code = Code.SUCCESS;
  } catch (error) {
    noteFailure(reply.result, error);
  }
  reply.extention.result = reply.result;
  return printExtention(reply.extention, call.print(options.visible));
}

/**
 * Reads a call from the body.
 * @param options object whose `visible` is set after the body is parsed, even if a later step fails
 * @throws {JavaError} the body is malformed, or lacks members
 */
function readCall(call: HttpCall, options: { visible: boolean }, check: (object: JsonObject) => void) {
  const text = call.body();
  const object = parseJsonObject(text, call.json);
  if (object === null) throw nullPointer();
  options.visible = visibleIn(object);
  const body = { text, visible: options.visible };
  check(object);
  const message = readPosted(call, body, TriggerSmartContract);
  const selector = textOf(object, 'function_selector');
  if (selector !== null && selector !== '') {
    const method = toHex(keccak256(utf8(selector)).subarray(0, 4));
    message.data = bytesOfHex(method + (textOf(object, 'parameter') ?? ''));
  }
  return { message, object };
}

/**
 * Checks that a body has the members of a contract call. Reference: TriggerSmartContractServlet.validateParameter.
 * @throws {JavaError} a member is missing
 */
function requireContract(object: JsonObject): void {
  if (isEmpty(textOf(object, 'owner_address'))) throw invalidParameter("owner_address isn't set.");
  if (isEmpty(textOf(object, 'contract_address'))) throw invalidParameter("contract_address isn't set.");
}

/**
 * Checks that a body has the members of a contract call or of a contract creation. Reference: Util.validateParameter.
 * @throws {JavaError} a member is missing
 */
function requireCallOrDeployment(object: JsonObject): void {
  if (isEmpty(textOf(object, 'owner_address'))) throw invalidParameter("owner_address isn't set.");
  if (!isEmpty(textOf(object, 'contract_address'))) return;
  if (isEmpty(textOf(object, 'data'))) {
    throw invalidParameter('At least one of contract_address and data must be set.');
  }
  if (!isEmpty(textOf(object, 'function_selector'))) {
    throw invalidParameter('While trying to deploy, function_selector and data can not be both set.');
  }
}

function isEmpty(text: string | null): boolean {
  return text === null || text === '';
}

function invalidParameter(text: string): JavaError {
  return new JavaError('java.security.InvalidParameterException', text);
}

import {
  BytesMessage,
  type DecryptNotesTRC20,
  IvkDecryptAndMarkParameters,
  IvkDecryptParameters,
  IvkDecryptTRC20Parameters,
  NfTRC20Parameters,
  NoteParameters,
  OutputPointInfo,
  OvkDecryptParameters,
  OvkDecryptTRC20Parameters,
  PrivateShieldedTRC20Parameters,
  PrivateShieldedTRC20ParametersWithoutAsk,
  ShieldedTRC20TriggerContractParameters,
  SpendAuthSigParameters,
} from '../../../codec/generated/messages.js';
import { HASH_BYTES } from '../../../crypto/hash.js';
import { textOf } from '../../../encoding/json/json-casts.js';
import type { JsonObject } from '../../../encoding/json/json-value.js';
import { messageToJson } from '../../../encoding/json/print-message.js';
import { bytesOfHex } from '../../../java-compat/hex.js';
import { badItem, illegalArgument, JavaError } from '../../../java-compat/java-error.js';
import { parseLong } from '../../../java-compat/number.js';
import { itemAt } from '../../../primitives/assert.js';
import { toHex } from '../../../primitives/bytes.js';
import type { shieldedEndpoints } from '../../endpoints/shielded-endpoints.js';
import {
  checkRange,
  eventsRefusal,
  type ScanRange,
  scanByOutgoingKey,
  scanByViewingKey,
} from '../../operations/shielded/scan-notes.js';
import {
  akFromAsk,
  checkShieldedAllowed,
  expandedSpendingKey,
  incomingViewingKey,
  isNoteSpent,
  newDiversifier,
  newRcm,
  newShieldedAddress,
  newSpendingKey,
  nkFromNsk,
  paymentAddress,
  spendAuthSig,
  zksnark,
} from '../../operations/shielded/shielded.js';
import { shieldedParameters, shieldedTriggerInput } from '../../operations/shielded/shielded-contracts.js';
import { decodePaymentAddress } from '../../shielded/payment-address.js';
import { addressOrHex } from '../get-arguments.js';
import type { HttpCall } from '../http-call.js';
import {
  both,
  type HandlersOf,
  type Posted,
  parsedBody,
  plain,
  posted,
  type RouteAnswer,
  readPosted,
} from '../route.js';

/** Returns a body with `visible: true`, for handlers that ignore the value in the body. */
const asVisible = ({ text, json }: Posted): Posted => ({ text, json, visible: true });

const valueArguments = {
  get: (call: HttpCall) => bytesOfHex(call.parameter('value')),
  post: (call: HttpCall, body: Posted) => readPosted(call, asVisible(body), BytesMessage).value,
};

const nothing = { get: () => undefined, post: () => undefined };

type ViewingScan = Parameters<typeof scanByViewingKey>[2];
type OutgoingScan = Parameters<typeof scanByOutgoingKey>[2];

/** HTTP handlers for keys and notes of shielded contracts. */
export const shieldedHandlers: HandlersOf<typeof shieldedEndpoints> = {
  GetSpendingKey: both({
    ...nothing,
    run: (call, _args, visible) => call.showMessage(newSpendingKey(call.api), visible),
  }),
  GetDiversifier: both({
    ...nothing,
    run: (call, _args, visible) => call.showMessage(newDiversifier(call.api), visible),
  }),
  GetNewShieldedAddress: both({
    ...nothing,
    run: (call, _args, visible) => call.showMessage(newShieldedAddress(call.api), visible),
  }),
  GetRcm: plain((call, visible) => call.showMessage(newRcm(call.api), visible)),
  GetExpandedSpendingKey: both({
    ...valueArguments,
    run: (call, key, visible) => call.showMessage(expandedSpendingKey(call.api, key), visible),
  }),
  GetAkFromAsk: both({
    ...valueArguments,
    run: (call, ask, visible) => call.showMessage(akFromAsk(call.api, ask), visible),
  }),
  GetNkFromNsk: both({
    ...valueArguments,
    run: (call, nsk, visible) => call.showMessage(nkFromNsk(call.api, nsk), visible),
  }),
  GetIncomingViewingKey: both({
    ...texts('ak', 'nk'),
    run: (call, [ak, nk], visible) =>
      call.showMessage(incomingViewingKey(call.api, bytesOfHex(ak), bytesOfHex(nk)), visible),
  }),
  GetZenPaymentAddress: both({
    ...texts('ivk', 'd'),
    run: (call, [ivk, d], visible) =>
      call.showMessage(paymentAddress(call.api, bytesOfHex(ivk), bytesOfHex(d)), visible),
  }),
  CreateSpendAuthSig: {
    get: 'empty',
    post: (call) => {
      const body = posted(call);
      const { ask, alpha, txHash } = readPosted(call, asVisible(body), SpendAuthSigParameters);
      return call.showMessage(spendAuthSig(call.api, ask, alpha, txHash), body.visible);
    },
  },
  CreateShieldedContractParameters: {
    get: 'empty',
    post: (call) => {
      const body = posted(call);
      const request = readPosted(call, body, PrivateShieldedTRC20Parameters);
      const parameters = shieldedParameters(call.api, call.view, request, 'invalid from_amount or to_amount');
      return call.showMessage(parameters, body.visible);
    },
  },
  CreateShieldedContractParametersWithoutAsk: {
    get: 'empty',
    post: (call) => {
      const body = posted(call);
      const request = readPosted(call, body, PrivateShieldedTRC20ParametersWithoutAsk);
      const parameters = shieldedParameters(call.api, call.view, request, 'invalid_from amount or to_amount');
      return call.showMessage(parameters, body.visible);
    },
  },
  GetTriggerInputForShieldedTRC20Contract: {
    get: 'empty',
    post: (call) => {
      const body = posted(call);
      const request = readPosted(call, body, ShieldedTRC20TriggerContractParameters);
      return call.showMessage(shieldedTriggerInput(call.api, request), body.visible);
    },
  },
  IsShieldedTRC20ContractNoteSpent: {
    get: 'empty',
    post: (call) => {
      const body = posted(call);
      const request = readPosted(call, body, NfTRC20Parameters);
      return call.showMessage(isNoteSpent(call.api, call.view, request), body.visible);
    },
  },
  ScanShieldedTRC20NotesByIvk: both({
    get: (call, visible): ViewingScan => {
      refuseEvents(call, call.parameterValues('events'));
      const range = rangeOf(call);
      const contract = addressTextOf(call, visible);
      return {
        ...range,
        shieldedTRC20ContractAddress: bytesOfHex(contract),
        ivk: bytesOfHex(call.parameter('ivk')),
        ak: bytesOfHex(call.parameter('ak')),
        nk: bytesOfHex(call.parameter('nk')),
        events: [],
      };
    },
    post: (call, body): ViewingScan => withoutEvents(call, readPosted(call, body, IvkDecryptTRC20Parameters)),
    run: (call, request, visible) => printNotes(call, scanByViewingKey(call.api, call.view, request), visible),
  }),
  ScanShieldedTRC20NotesByOvk: both({
    get: (call, visible): OutgoingScan => {
      refuseEvents(call, call.parameterValues('events'));
      const range = rangeOf(call);
      const contract = addressTextOf(call, visible);
      const ovk = bytesOfHex(call.parameter('ovk'));
      return { ...range, shieldedTRC20ContractAddress: bytesOfHex(contract), ovk, events: [] };
    },
    post: (call, body): OutgoingScan => withoutEvents(call, readPosted(call, body, OvkDecryptTRC20Parameters)),
    run: (call, request, visible) => printNotes(call, scanByOutgoingKey(call.api, call.view, request), visible),
  }),
  ScanNoteByIvk: both(scanOf(['ivk'], IvkDecryptParameters)),
  ScanNoteByOvk: both(scanOf(['ovk'], OvkDecryptParameters)),
  ScanAndMarkNoteByIvk: both(scanOf(['ivk', 'ak', 'nk'], IvkDecryptAndMarkParameters)),
  IsSpend: { get: 'empty', post: isSpend },
  GetMerkleTreeVoucherInfo: {
    get: 'empty',
    post: (call) => {
      const body = posted(call);
      return vouchers(call, readPosted(call, asVisible(body), OutputPointInfo));
    },
  },
};

/**
 * Returns functions that read two texts. The texts are query parameters of a GET request, or members of the body of a
 * POST request.
 */
function texts(first: string, second: string) {
  return {
    get: (call: HttpCall) => [call.parameter(first), call.parameter(second)] as const,
    post: (_call: HttpCall, body: Posted) => {
      const object = parsedBody(body);
      return [textOf(object, first), textOf(object, second)] as const;
    },
  };
}

/**
 * Rejects a request with event signatures. This rejection has HTTP status 400. All other rejections of these handlers
 * have status 200. Reference: Util.rejectIfEventsPresent.
 * @throws {JavaError} the request has event signatures, and the release rejects them
 */
function refuseEvents(call: HttpCall, events: readonly string[]): void {
  const refusal = eventsRefusal(call.api, events);
  if (refusal === undefined) return;
  call.status = 400;
  throw illegalArgument(refusal);
}

/**
 * Returns the request if the release accepts its event signatures, or if it has none.
 * @throws {JavaError} the release rejects event signatures
 */
function withoutEvents<T extends { readonly events: readonly string[] }>(call: HttpCall, request: T): T {
  refuseEvents(call, request.events);
  return request;
}

function rangeOf(call: HttpCall): ScanRange {
  const startBlockIndex = parseLong(call.parameter('start_block_index'));
  return { startBlockIndex, endBlockIndex: parseLong(call.parameter('end_block_index')) };
}

function addressTextOf(call: HttpCall, visible: boolean): string | null {
  const text = call.parameter('shielded_TRC20_contract_address');
  return visible ? toHex(addressOrHex(call, text, true)) : text;
}

/** Returns notes as JSON text. Always includes the member `index`, even if it is 0. */
function printNotes(call: HttpCall, notes: DecryptNotesTRC20, visible: boolean): string {
  if (notes.noteTxs.length === 0) return call.showMessage(notes, visible);
  const object = messageToJson(notes, visible, call.json);
  for (const [at, item] of (object.get('noteTxs') as JsonObject[]).entries()) {
    item.set('index', BigInt(itemAt(notes.noteTxs, at).index));
  }
  return call.show(object);
}

/**
 * Creates the handler of a scan for notes of shielded TRC10 transfers. The scan always finds no notes, because no
 * network has ever enabled that contract type. Reference: Wallet.scanNoteByIvk, scanNoteByOvk, scanAndMarkNoteByIvk.
 */
function scanOf<T extends object & ScanRange>(
  keys: readonly string[],
  type: Parameters<typeof readPosted<T>>[2],
): Parameters<typeof both<ScanRange>>[0] {
  return {
    get: (call) => {
      const range = rangeOf(call);
      for (const key of keys) bytesOfHex(call.parameter(key));
      return range;
    },
    post: (call, body) => readPosted(call, asVisible(body), type),
    run: (call, range) => {
      checkShieldedAllowed(call.api);
      checkRange(range);
      return '{}';
    },
  };
}

const POINTS_MAX = 10;
/** Maximum number of blocks between the first output in the request and the output in the highest block. */
const VOUCHER_BLOCKS_MAX = 100;

/**
 * Validates a request for Merkle tree vouchers of shielded outputs. Then fails, because no transaction has such
 * outputs. Reference: Wallet.getMerkleTreeVoucherInfo, createWitness.
 * @throws {JavaError} always
 */
function vouchers(call: HttpCall, { outPoints, blockNum }: OutputPointInfo): string {
  checkShieldedAllowed(call.api);
  if (blockNum < 0 || blockNum > 1000) badItem('request.BlockNum must be specified with range in [0, 1000]');
  if (outPoints.length < 1 || outPoints.length > POINTS_MAX) {
    badItem('request.OutPointsCount must be speccified with range in [1, 10]');
  }
  for (const { index } of outPoints) {
    if (index >= POINTS_MAX || index < 0) badItem('outPoint.getIndex() > 10 || outPoint.getIndex() < 0');
  }
  const heights = outPoints.map(({ hash }) => {
    const number = hash.length === HASH_BYTES ? (call.view.transactionAt(hash)?.number ?? 0) : 0;
    return number > 0 ? number : failed(`tx is not found:${toHex(hash)}`);
  });
  const [first = 0, largest] = [heights[0], Math.max(...heights)];
  if (first + VOUCHER_BLOCKS_MAX < largest)
    failed(`blockNum:${first} + ${VOUCHER_BLOCKS_MAX} < largeBlockNum:${largest}`);
  if (first === 1) failed('treeRoot is null, blockNumber:0');
  return failed('cm not found');
}

/** Throws a RuntimeException with a text. @throws {JavaError} always */
function failed(text: string): never {
  throw new JavaError('java.lang.RuntimeException', text);
}

/**
 * Validates a request that queries if a shielded note is spent. Then always fails, because no transaction has shielded
 * outputs. Reference: Wallet.isSpend.
 * @throws {JavaError} always
 */
function isSpend(...[call]: Parameters<RouteAnswer>): string {
  const body = posted(call);
  const { note, txid, index } = readPosted(call, body, NoteParameters);
  checkShieldedAllowed(call.api);
  if (decodePaymentAddress(note?.paymentAddress ?? '') === undefined) zksnark('paymentAddress format is wrong');
  const info = Object.assign(new OutputPointInfo(), { outPoints: [{ hash: txid, index }], blockNum: 1 });
  return vouchers(call, info);
}

import { BytesMessage, NumberMessage } from '../../../codec/generated/messages.js';
import { int64Text } from '../../../encoding/json/int64-form.js';
import { longOf } from '../../../encoding/json/json-casts.js';
import { jsonObject } from '../../../encoding/json/json-value.js';
import { messageToJson } from '../../../encoding/json/print-message.js';
import { printPlain, printPretty } from '../../../encoding/json/print-plain.js';
import { JavaHashMap, javaHashOfText } from '../../../java-compat/hash-map.js';
import { nullPointer } from '../../../java-compat/java-error.js';
import { parseLong } from '../../../java-compat/number.js';
import { toHex, toUtf8 } from '../../../primitives/bytes.js';
import type { BytesProperty } from '../../../state-transition/parameters/property-table.js';
import type { chainEndpoints } from '../../endpoints/chain-endpoints.js';
import {
  chainParameters,
  exchange,
  exchangePage,
  exchanges,
  proposal,
  proposalPage,
  proposals,
  witnesses,
  witnessPage,
} from '../../operations/governance.js';
import { listNodes } from '../../operations/list-nodes.js';
import { nodeInfo } from '../../operations/node-info.js';
import { transactionIdHex } from '../../operations/pending-transactions.js';
import { contract, contractInfo } from '../../operations/smart-contracts.js';
import { statistics } from '../../operations/statistics.js';
import { addressOrHex } from '../get-arguments.js';
import type { HttpCall } from '../http-call.js';
import { both, type Handler, type HandlersOf, type Posted, parsedBody, plain, posted, readPosted } from '../route.js';
import { pageArguments } from './asset-routes.js';
import { readAddressValue } from './stake-routes.js';

const idArguments = {
  get: (call: HttpCall) => parseLong(call.parameter('id')),
  post: (_call: HttpCall, body: Posted) => longOf(parsedBody(body), 'id', true),
};

const contractArguments = {
  get: (call: HttpCall, visible: boolean) => addressOrHexMember(call, call.parameter('value'), visible),
  post: readAddressValue,
};

/** HTTP handlers for witnesses, proposals, exchanges, contracts, pending transactions and the node. */
export const chainHandlers: HandlersOf<typeof chainEndpoints> = {
  ListWitnesses: plain((call, visible) => call.showMessage(witnesses(call.view), visible)),
  GetPaginatedNowWitnessList: both({
    ...pageArguments,
    run: (call, page, visible) => call.showMessage(witnessPage(call.view, page, call.isHead), visible),
  }),
  ListProposals: plain((call, visible) => call.showMessage(proposals(call.view), visible)),
  GetProposalById: both({
    ...idArguments,
    run: (call, id, visible) => call.showMessage(proposal(call.view, id), visible),
  }),
  GetPaginatedProposalList: both({
    ...pageArguments,
    run: (call, { offset, limit }, visible) => call.showMessage(proposalPage(call.view, offset, limit), visible),
  }),
  ListExchanges: plain((call, visible) => call.showMessage(exchanges(call.view), visible)),
  GetExchangeById: both({
    ...idArguments,
    run: (call, id, visible) => {
      const found = exchange(call.view, id);
      if (found === undefined) throw nullPointer();
      return call.showMessage(found, visible);
    },
  }),
  GetPaginatedExchangeList: both({
    ...pageArguments,
    run: (call, { offset, limit }, visible) => call.showMessage(exchangePage(call.view, offset, limit), visible),
  }),
  GetChainParameters: plain((call, visible) => call.showMessage(chainParameters(call.view), visible)),
  GetNextMaintenanceTime: plain((call, visible) => {
    const num = call.view.state.properties.get('NEXT_MAINTENANCE_TIME');
    return call.showMessage(Object.assign(new NumberMessage(), { num }), visible);
  }),
  GetBurnTrx: unseen((call) => {
    return `{"burnTrxAmount": ${int64Text(call.view.state.properties.get('BURN_TRX_AMOUNT'))}}`;
  }),
  GetEnergyPrices: prices('ENERGY_PRICE_HISTORY'),
  GetBandwidthPrices: prices('BANDWIDTH_PRICE_HISTORY'),
  GetMemoFeePrices: prices('MEMO_FEE_HISTORY'),
  GetContract: both({
    ...contractArguments,
    run: (call, address, visible) => treeOrEmpty(call, contract(call.view, address), visible),
  }),
  GetContractInfo: both({
    ...contractArguments,
    run: (call, address, visible) => treeOrEmpty(call, contractInfo(call.view, address), visible),
  }),
  GetPendingSize: unseen((call) => `{"pendingSize": ${int64Text(call.api.pending.count)}}`),
  GetTransactionListFromPending: {
    get: (call) => {
      call.parameter('visible');
      return pendingIds(call);
    },
    post: (call) => {
      posted(call);
      return pendingIds(call);
    },
  },
  ListNodes: plain((call, visible) => call.showMessage(listNodes(call.api.peers), visible)),
  GetNodeInfo: unseen((call) => printPlain(nodeInfo(call.api, call.view), call.json)),
  Metrics: {
    get: (call) => {
      const seconds = Math.trunc((call.api.now() - call.services.startedMs) / 1000);
      return printPretty(statistics(call.api, call.view, seconds, call.services.gate), call.json);
    },
  },
};

/** Creates a handler that ignores all arguments of a request. */
function unseen(run: (call: HttpCall) => string): Handler {
  return { get: run, post: run };
}

function prices(property: BytesProperty): Handler {
  return unseen((call) => {
    const text = toUtf8(call.view.state.properties.bytes(property));
    return call.api.settings.release.pricesAreMessage
      ? `{"prices": ${call.show(text)}}`
      : call.show(jsonObject({ prices: text }));
  });
}

function treeOrEmpty(call: HttpCall, message: object | undefined, visible: boolean): string {
  return message === undefined ? '{}' : call.show(messageToJson(message, visible, call.json));
}

function addressOrHexMember(call: HttpCall, text: string | null, visible: boolean): Uint8Array {
  const object = jsonObject({ value: text === null ? null : visible ? hexOfAddress(call, text) : text });
  return readPosted(call, { text: call.show(object), visible }, BytesMessage).value;
}

function hexOfAddress(call: HttpCall, text: string): string {
  return toHex(addressOrHex(call, text, true));
}

/** Returns the ids of the pending transactions as JSON text, in the order of a Java hash set. */
function pendingIds(call: HttpCall): string {
  const ids = new JavaHashMap<string, null>(javaHashOfText);
  for (const transaction of call.api.pending.all()) ids.set(transactionIdHex(transaction), null);
  const txId = ids.entries().map(([id]) => id);
  return call.show(txId.length === 0 ? jsonObject({}) : jsonObject({ txId }));
}

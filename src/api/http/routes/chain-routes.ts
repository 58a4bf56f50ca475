import { BytesMessage, NumberMessage } from '../../../codec/generated/messages.js';
import { int64Text } from '../../../content/json/int64-form.js';
import { longOf } from '../../../content/json/json-casts.js';
import { jsonObject } from '../../../content/json/json-value.js';
import { messageToJson, printMessage } from '../../../content/json/print-message.js';
import { printPlain } from '../../../content/json/print-plain.js';
import { toHex, toUtf8 } from '../../../domain/bytes.js';
import { nullPointer } from '../../../java/error.js';
import { JavaHashMap, javaHashOfText } from '../../../java/hash-map.js';
import { parseLong } from '../../../java/number.js';
import type { BytesProperty } from '../../../vm/parameters/property-table.js';
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
import { contract, contractInfo } from '../../operations/smart-contracts.js';
import { statistics } from '../../operations/statistics.js';
import { transactionIdHex } from '../../operations/waiting.js';
import { addressOrHex } from '../get-arguments.js';
import type { HttpCall } from '../http-call.js';
import { both, type Posted, parsedBody, plain, posted, printOrEmpty, type Route, readPosted } from '../route.js';
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

/** Witnesses, proposals, exchanges, contracts, the pool, the node. */
export const chainRoutes: readonly Route[] = [
  plain({ name: 'listwitnesses', family: 'ListWitnesses', servers: 'FSP' }, (call, visible) =>
    printMessage(witnesses(call.view), visible),
  ),
  both(
    { name: 'getpaginatednowwitnesslist', family: 'GetPaginatedNowWitnessList', servers: '', laterServers: 'FS' },
    {
      ...pageArguments,
      run: (call, page, visible) => printOrEmpty(witnessPage(call.view, page, call.isHead), visible),
    },
  ),
  plain({ name: 'listproposals', family: 'ListProposals', servers: 'F' }, (call, visible) =>
    printMessage(proposals(call.view), visible),
  ),
  both(
    { name: 'getproposalbyid', family: 'GetProposalById', servers: 'F' },
    { ...idArguments, run: (call, id, visible) => printOrEmpty(proposal(call.view, id), visible) },
  ),
  both(
    { name: 'getpaginatedproposallist', family: 'GetPaginatedProposalList', servers: 'F', ignoresForms: true },
    {
      ...pageArguments,
      run: (call, { offset, limit }, visible) => printOrEmpty(proposalPage(call.view, offset, limit), visible),
    },
  ),
  plain({ name: 'listexchanges', family: 'ListExchanges', servers: 'FSP' }, (call, visible) =>
    printMessage(exchanges(call.view), visible),
  ),
  both(
    { name: 'getexchangebyid', family: 'GetExchangeById', servers: 'FSP' },
    {
      ...idArguments,
      run: (call, id, visible) => {
        const found = exchange(call.view, id);
        if (found === undefined) throw nullPointer();
        return printMessage(found, visible);
      },
    },
  ),
  both(
    { name: 'getpaginatedexchangelist', family: 'GetPaginatedExchangeList', servers: 'F' },
    {
      ...pageArguments,
      run: (call, { offset, limit }, visible) => printOrEmpty(exchangePage(call.view, offset, limit), visible),
    },
  ),
  plain({ name: 'getchainparameters', family: 'GetChainParameters', servers: 'F' }, (call, visible) =>
    printMessage(chainParameters(call.view), visible),
  ),
  plain({ name: 'getnextmaintenancetime', family: 'GetNextMaintenanceTime', servers: 'F' }, (call, visible) => {
    const num = call.view.state.properties.get('NEXT_MAINTENANCE_TIME');
    return printMessage(Object.assign(new NumberMessage(), { num }), visible);
  }),
  unseen('getburntrx', 'GetBurnTrx', 'FSP', (call) => {
    return `{"burnTrxAmount": ${int64Text(call.view.state.properties.get('BURN_TRX_AMOUNT'))}}`;
  }),
  prices('getenergyprices', 'GetEnergyPrices', 'FSP', 'ENERGY_PRICE_HISTORY'),
  { ...prices('getbandwidthprices', 'GetBandwidthPrices', 'F', 'BANDWIDTH_PRICE_HISTORY'), laterServers: 'FSP' },
  prices('getmemofee', 'GetMemoFeePrices', 'F', 'MEMO_FEE_HISTORY'),
  both(
    { name: 'getcontract', family: 'GetContract', servers: 'F' },
    {
      ...contractArguments,
      run: (call, address, visible) => treeOrEmpty(call, contract(call.view, address), visible),
    },
  ),
  both(
    { name: 'getcontractinfo', family: 'GetContractInfo', servers: 'F' },
    {
      ...contractArguments,
      run: (call, address, visible) => treeOrEmpty(call, contractInfo(call.view, address), visible),
    },
  ),
  unseen('getpendingsize', 'GetPendingSize', 'F', (call) => `{"pendingSize": ${int64Text(call.api.waiting.count)}}`),
  {
    name: 'gettransactionlistfrompending',
    family: 'GetTransactionListFromPending',
    servers: 'F',
    get: (call) => {
      call.parameter('visible');
      return waitingIds(call);
    },
    post: (call) => {
      posted(call);
      return waitingIds(call);
    },
  },
  plain({ name: 'listnodes', family: 'ListNodes', servers: 'F' }, (call, visible) =>
    printMessage(listNodes(call.api.peers), visible),
  ),
  unseen('getnodeinfo', 'GetNodeInfo', 'FSP', (call) => printPlain(nodeInfo(call.api, call.view), call.json)),
];

/** Paths outside of `/wallet`. */
export const otherRoutes: readonly (Route & { readonly path: string })[] = [
  { ...chainRoutes.find(({ name }) => name === 'listnodes')!, path: '/net/listnodes' },
  { ...chainRoutes.find(({ name }) => name === 'getnodeinfo')!, path: '/monitor/getnodeinfo' },
  {
    path: '/monitor/getstatsinfo',
    name: 'getstatsinfo',
    family: 'Metrics',
    servers: 'F',
    get: (call) => {
      const seconds = Math.trunc((call.api.now() - call.services.startedMs) / 1000);
      return printPlain(statistics(call.api, call.view, seconds, call.services.gate), call.json, '');
    },
  },
];

/** A handler that does not look at the request. */
function unseen(name: string, family: string, servers: string, run: (call: HttpCall) => string): Route {
  return { name, family, servers, get: run, post: run };
}

function prices(name: string, family: string, servers: string, property: BytesProperty): Route {
  return unseen(name, family, servers, (call) => {
    const text = toUtf8(call.view.state.properties.bytes(property));
    return call.api.settings.release.pricesAreMessage
      ? `{"prices": ${call.show(text)}}`
      : call.show(jsonObject({ prices: text }));
  });
}

function treeOrEmpty(call: HttpCall, message: object | undefined, visible: boolean): string {
  return message === undefined ? '{}' : call.show(messageToJson(message, visible));
}

function addressOrHexMember(call: HttpCall, text: string | null, visible: boolean): Uint8Array {
  const object = jsonObject({ value: text === null ? null : visible ? hexOfAddress(call, text) : text });
  return readPosted(call, { text: call.show(object), visible }, BytesMessage).value;
}

function hexOfAddress(call: HttpCall, text: string): string {
  return toHex(addressOrHex(call, text, true));
}

/** Ids of what waits, in the order of a Java hash set. */
function waitingIds(call: HttpCall): string {
  const ids = new JavaHashMap<string, null>(javaHashOfText);
  for (const transaction of call.api.waiting.all()) ids.set(transactionIdHex(transaction), null);
  const txId = ids.entries().map(([id]) => id);
  return call.show(txId.length === 0 ? jsonObject({}) : jsonObject({ txId }));
}

import { genesisRow } from './genesis.js';
import { type Described, describedKeys, type RowTree } from './row.js';
import {
  actuatorRow,
  blockKeys,
  cryptoRows,
  energyLimitRow,
  networkRows,
  transactionKeys,
  vmRows,
} from './rows/chain-rows.js';
import { committeeRows } from './rows/committee-rows.js';
import { dnsRows } from './rows/dns-rows.js';
import { contractParseRow, eventSubscribeRow } from './rows/event-rows.js';
import { peerRows, seedRow } from './rows/peer-rows.js';
import { rateLimiterRows } from './rows/rate-limiter-rows.js';
import { serviceRows } from './rows/service-rows.js';
import { storageRows } from './rows/storage-rows.js';
import { tronicleRows } from './rows/tronicle-rows.js';
import { shutdownRows } from './stop-conditions.js';
import { witnessKeys } from './witness.js';

/** All keys, in the structure of the typed configuration and in reading order. */
export const configTable = {
  net: networkRows,
  crypto: cryptoRows,
  vm: vmRows,
  storage: storageRows,
  seedNodes: seedRow(),
  genesis: genesisRow,
  block: blockKeys,
  node: { ...peerRows, dns: dnsRows, ...serviceRows, shutdown: shutdownRows },
  transaction: transactionKeys,
  energyLimitBlockNum: energyLimitRow,
  actuatorWhitelist: actuatorRow,
  committee: committeeRows,
  contractParse: contractParseRow,
  eventSubscribe: eventSubscribeRow,
  rateLimiter: rateLimiterRows,
  tronicle: tronicleRows,
} as const satisfies RowTree;

/** Descriptions of all configuration keys, each only once. */
export const knownKeys: readonly Described[] = [...describedKeys(configTable), ...witnessKeys];

import { actuatorRow, blockRows, cryptoRows, energyLimitRow, networkRows, transactionRows, vmRows, } from './chain-rows.js';
import { committeeRows } from './committee-rows.js';
import { dnsRows } from './dns-rows.js';
import { contractParseRow, eventSubscribeRow } from './event-rows.js';
import { genesisRow } from './genesis.js';
import { peerRows, seedRow } from './peer-rows.js';
import { rateLimiterRows } from './rate-limiter-rows.js';
import { describedKeys } from './row.js';
import { serviceRows } from './service-rows.js';
import { shutdownRows } from './stop-conditions.js';
import { storageRows } from './storage-rows.js';
import { tronicleRows } from './tronicle-rows.js';
import { witnessKeys } from './witness.js';
/** Every key, in the shape of the typed configuration and in the order of reading. */
export const configTable = {
    net: networkRows,
    crypto: cryptoRows,
    vm: vmRows,
    storage: storageRows,
    seedNodes: seedRow(),
    genesis: genesisRow,
    block: blockRows,
    node: { ...peerRows, dns: dnsRows, ...serviceRows, shutdown: shutdownRows },
    transaction: transactionRows,
    energyLimitBlockNum: energyLimitRow,
    actuatorWhitelist: actuatorRow,
    committee: committeeRows,
    contractParse: contractParseRow,
    eventSubscribe: eventSubscribeRow,
    rateLimiter: rateLimiterRows,
    tronicle: tronicleRows,
};
/** All keys with their description, each once. */
export const knownKeys = [...describedKeys(configTable), ...witnessKeys];
//# sourceMappingURL=config-table.js.map
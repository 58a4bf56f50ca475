import { NO_LATENCY } from './latency-window.js';
import { NO_RATE } from './meter.js';
/** Connections that this node has ended. */
export function disconnectionCount({ disconnections }) {
    return disconnections.reduce((sum, { count }) => sum + count, 0);
}
export const NO_PEER_STATISTICS = {
    tcpIn: NO_RATE,
    tcpOut: NO_RATE,
    udpOut: NO_RATE,
    errorProtoCount: 0,
    disconnections: [],
    latency: NO_LATENCY,
    witnessLatencies: [],
    versions: [],
    duplicates: [],
    failed: { number: 0, reason: '' },
};
//# sourceMappingURL=peer-statistics.js.map
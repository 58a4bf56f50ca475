import { NO_STATISTICS } from '../api/metrics/chain-metrics.js';
/** ms between two looks at what is told unasked. */
const PROGRESS_MS = 200;
/** ms between two tellings of statistics. */
const STATISTICS_MS = 1000;
/** A deciding thread that does not answer within this time, ms, is shown without its counters. */
const PATIENCE_MS = 5000;
/** Answers questions of another thread from the counters of this one. */
export function answerMetrics(port, metrics) {
    port.on('message', async ({ ticket }) => {
        port.postMessage({ ticket, snapshot: await metrics.snapshot() });
    });
    let told = { sinks: [], replica: undefined };
    const tell = () => {
        const news = { sinks: metrics.sinks(), replica: metrics.replica() };
        if (isSame(news, told))
            return;
        told = news;
        port.postMessage(news);
    };
    const tellStatistics = () => port.postMessage({ statistics: metrics.statistics() });
    tell();
    tellStatistics();
    const timers = [setInterval(tell, PROGRESS_MS), setInterval(tellStatistics, STATISTICS_MS)];
    for (const timer of timers)
        timer.unref();
    port.once('close', () => {
        for (const timer of timers)
            clearInterval(timer);
    });
    port.unref();
}
function isSame({ sinks, replica }, told) {
    return (replica?.lagRecords === told.replica?.lagRecords &&
        replica?.lagSeconds === told.replica?.lagSeconds &&
        replica?.isConnected === told.replica?.isConnected &&
        // Each status is an object of its own, made when something changed.
        sinks.length === told.sinks.length &&
        sinks.every((status, at) => status === told.sinks[at]));
}
/** Counters of the deciding thread, asked over a port. */
export class RemoteMetrics {
    port;
    asked = new Map();
    known = NO_STATISTICS;
    progress = { sinks: [], replica: undefined };
    tickets = 0;
    constructor(port) {
        this.port = port;
        port.on('message', (told) => {
            if ('sinks' in told)
                this.progress = told;
            else if ('statistics' in told)
                this.known = told.statistics;
            else
                this.asked.get(told.ticket)?.(told);
        });
        port.unref();
    }
    async snapshot() {
        return (await this.ask())?.snapshot ?? [];
    }
    statistics() {
        return this.known;
    }
    sinks() {
        return this.progress.sinks;
    }
    replica() {
        return this.progress.replica;
    }
    close() {
        this.port.close();
    }
    ask() {
        const ticket = ++this.tickets;
        return new Promise((resolve) => {
            const end = (answer) => {
                clearTimeout(timer);
                this.asked.delete(ticket);
                resolve(answer);
            };
            const timer = setTimeout(() => end(undefined), PATIENCE_MS);
            this.asked.set(ticket, end);
            this.port.postMessage({ ticket });
        });
    }
}
//# sourceMappingURL=metrics-port.js.map
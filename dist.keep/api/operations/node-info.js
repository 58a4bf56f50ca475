import { cpus, freemem, loadavg, release, totalmem, type } from 'node:os';
import { toHex } from '../../log/domain/bytes.js';
/** Node, chain and machine; members as the reference declares them. Reference: NodeInfoService.getNodeInfo. */
export function nodeInfo(api, view) {
    const { settings, peers } = api;
    const solid = Number(view.state.properties.get('LATEST_SOLIDIFIED_BLOCK_NUM'));
    return {
        beginSyncNum: BigInt(Math.max(0, view.headNumber - api.openBlocks)),
        block: nameOfBlock(view, view.headNumber),
        solidityBlock: nameOfBlock(view, solid),
        currentConnectCount: BigInt(peers.active),
        activeConnectCount: BigInt(peers.dialled ?? 0),
        passiveConnectCount: BigInt(peers.active - (peers.dialled ?? 0)),
        totalFlow: 0n,
        peerList: peers.details ?? [],
        configNodeInfo: settings.nodeInfo,
        machineInfo: machineInfo(),
        cheatWitnessInfoMap: {},
    };
}
function nameOfBlock(view, number) {
    return `Num:${number},ID:${toHex(view.blockIdAt(number))}`;
}
/** What the machine is, in the words of the reference; memory in bytes. */
function machineInfo() {
    const memory = process.memoryUsage();
    const count = cpus().length;
    return {
        cpuCount: BigInt(count),
        cpuRate: Math.min(1, (loadavg()[0] ?? 0) / count),
        deadLockThreadCount: 0n,
        deadLockThreadInfoList: [],
        freeMemory: BigInt(freemem()),
        javaVersion: `node ${process.versions.node}`,
        jvmFreeMemory: BigInt(memory.heapTotal - memory.heapUsed),
        jvmTotalMemory: BigInt(memory.heapTotal),
        memoryDescInfoList: [
            {
                initSize: 0n,
                maxSize: -1n,
                name: 'heap',
                useRate: memory.heapUsed / memory.heapTotal,
                useSize: BigInt(memory.heapUsed),
            },
        ],
        osName: `${type()} ${release()}`,
        processCpuRate: 0,
        threadCount: 1n,
        totalMemory: BigInt(totalmem()),
    };
}
//# sourceMappingURL=node-info.js.map
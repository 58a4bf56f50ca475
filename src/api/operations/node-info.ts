import { cpus, freemem, loadavg, release, totalmem, type } from 'node:os';
import type { PlainObject } from '../../content/json/print-plain.js';
import { present } from '../../domain/assert.js';
import { toHex } from '../../domain/bytes.js';
import type { ApiContext, ChainView } from '../api-context.js';

/** Node, chain and machine; members as the reference declares them. Reference: NodeInfoService.getNodeInfo. */
export function nodeInfo(api: ApiContext, view: ChainView): PlainObject {
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
    configNodeInfo: settings.nodeInfo as PlainObject,
    machineInfo: machineInfo(),
    cheatWitnessInfoMap: peers.cheats ?? {},
  };
}

function nameOfBlock(view: ChainView, number: number): string {
  return `Num:${number},ID:${toHex(present(view.blockIdAt(number), 'it is the newest or newest irreversible block'))}`;
}

/** What the machine is, in the words of the reference; memory in bytes. */
function machineInfo(): PlainObject {
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

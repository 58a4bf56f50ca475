import { cpus, freemem, loadavg, release, totalmem, type } from 'node:os';
import type { PlainObject } from '../../encoding/json/print-plain.js';
import { present } from '../../primitives/assert.js';
import { toHex } from '../../primitives/bytes.js';
import type { ApiContext, ChainView } from '../context/api-context.js';

/**
 * Returns data about the node, the chain and the machine, under java-tron's field names.
 * Reference: NodeInfoService.getNodeInfo.
 */
export function nodeInfo(api: ApiContext, view: ChainView): PlainObject {
  const { settings, peers } = api;
  const solid = Number(view.state.properties.get('LATEST_SOLIDIFIED_BLOCK_NUM'));
  return {
    beginSyncNum: BigInt(beginSyncNumber(api, view)),
    block: nameOfBlock(view, view.headNumber),
    solidityBlock: nameOfBlock(view, solid),
    currentConnectCount: BigInt(peers.active),
    activeConnectCount: BigInt(peers.dialled ?? 0),
    passiveConnectCount: BigInt(peers.active - (peers.dialled ?? 0)),
    totalFlow: 0n,
    peerList: peers.details ?? [],
    configNodeInfo: settings.nodeInfo as PlainObject,
    machineInfo: machineInfo(),
    cheatWitnessInfoMap: peers.doubleProducers ?? {},
  };
}

/**
 * Returns the height of the newest block that is written to java-tron's disk: the head height minus the number of
 * states in memory. It is -1 if transactions are pending on the genesis block. Reference: Manager.fetchSyncBeginNumber.
 */
export function beginSyncNumber(api: ApiContext, view: ChainView): number {
  return view.headNumber - api.snapshotCount;
}

function nameOfBlock(view: ChainView, number: number): string {
  return `Num:${number},ID:${toHex(present(view.blockIdAt(number), 'the block is the head or the newest solidified block'))}`;
}

/** Returns data about the machine, under java-tron's field names. Memory sizes are in bytes. */
function machineInfo(): PlainObject {
  const memory = process.memoryUsage();
  const count = cpus().length;
  return {
    threadCount: 1n,
    deadLockThreadCount: 0n,
    cpuCount: BigInt(count),
    totalMemory: BigInt(totalmem()),
    freeMemory: BigInt(freemem()),
    cpuRate: Math.min(1, (loadavg()[0] ?? 0) / count),
    javaVersion: `node ${process.versions.node}`,
    osName: `${type()} ${release()}`,
    jvmTotalMemory: BigInt(memory.heapTotal),
    jvmFreeMemory: BigInt(memory.heapTotal - memory.heapUsed),
    processCpuRate: 0,
    memoryDescInfoList: [
      {
        name: 'heap',
        initSize: 0n,
        useSize: BigInt(memory.heapUsed),
        maxSize: -1n,
        useRate: memory.heapUsed / memory.heapTotal,
      },
    ],
    deadLockThreadInfoList: [],
  };
}

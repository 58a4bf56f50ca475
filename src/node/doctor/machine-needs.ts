import type { NodeConfig } from '../../config/load-config.js';
import { toHex } from '../../primitives/bytes.js';
import { genesisBlock } from '../../state-transition/block/genesis-state.js';
import { MAIN_NET_ID } from '../chain-config.js';

/** Bounds of a measured value in GiB, as {@link levelOf} reads them. */
interface BoundsGib {
  readonly warn: number;
  readonly bad: number;
}

/** Memory and disk space that a network needs. */
export interface MachineNeeds {
  readonly network: 'main net' | 'other network';
  readonly memory: BoundsGib;
  /** Bounds of the space for the data folder: its present size plus the free space. */
  readonly space: BoundsGib;
}

/**
 * java-tron's requirements for the main net: 16 GB of memory, 200 GB of disk for a node that starts from a snapshot, 3
 * TB for all blocks. Source: README of java-tron 4.8. The requirements of this node were not measured.
 */
const MAIN_NET: MachineNeeds = {
  network: 'main net',
  memory: { warn: 15, bad: 4 },
  space: { warn: 2800, bad: 186 },
};

/**
 * Needs of a private network. 4 GiB of memory suffice; the heaps of the threads need more than 1 GiB. 20 GiB of disk
 * suffice for some days on a busy chain.
 */
const OTHER: MachineNeeds = { network: 'other network', memory: { warn: 4, bad: 1 }, space: { warn: 20, bad: 1 } };

/** Returns the needs of the configured network. The main net is recognized by its genesis block. */
export function machineNeeds({ genesis }: Pick<NodeConfig, 'genesis'>): MachineNeeds {
  return toHex(genesisBlock(genesis).id) === MAIN_NET_ID ? MAIN_NET : OTHER;
}

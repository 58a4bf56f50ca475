import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { produceBlock } from '../../../src/chain/production/produce-block.js';
import { type Flags, NO_FLAGS } from '../../../src/config/flags.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { TronicleNode } from '../../../src/node/lifecycle/node.js';
import { startPeers } from '../../../src/node/startup/start-peers.js';
import type { PeerNetwork } from '../../../src/p2p/peer-network.js';
import { addressBytes } from '../../../src/primitives/address.js';
import { toHex } from '../../../src/primitives/bytes.js';
import type { DecodedBlock } from '../../../src/state-transition/block/decoded-block.js';
import { scheduledWitness, slotTime } from '../../../src/state-transition/consensus/schedule.js';
import { freePort } from '../free-port.js';
import { silentLog } from '../p2p/silent-log.js';
import { temporaryFolder } from '../temporary-folder.js';
import { golden } from '../tronicle.js';

const chainFolder = join(golden, 'stake');
/** Network id of the recording. */
export const NETWORK = 20_231_121;
/** Private keys of all five witnesses and of the funded accounts, by address. */
export const keys: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(chainFolder, 'keys.json'), 'utf8'));

export interface PeerNodeOptions {
  /** Local ports that the node dials. */
  readonly dials?: readonly number[];
  readonly port?: number;
  /** Additional lines of the configuration file. */
  readonly more?: string;
  readonly flags?: Partial<Flags>;
}

interface MakeOptions {
  /** Number of slots after the head that are left empty before the block. */
  readonly skip?: number;
  /** Returns true when packing must end. */
  readonly isTimeUp?: () => boolean;
}

/** A test, or another object that runs functions at its end. */
export interface Scope {
  teardown(end: () => unknown): void;
}

/** A node with peers. Tests make it produce blocks in the slots that follow the head. */
export class PeerNode {
  readonly node: TronicleNode;
  readonly port: number;
  private started: PeerNetwork | undefined;

  private constructor(node: TronicleNode, port: number) {
    this.node = node;
    this.port = port;
  }

  static async open(t: Scope, { dials = [], port, more = '', flags = {} }: PeerNodeOptions = {}): Promise<PeerNode> {
    const folder = temporaryFolder(t);
    const own = port ?? (await freePort());
    const file = join(folder, 'node.conf');
    const active = dials.map((target) => `"127.0.0.1:${target}"`);
    writeFileSync(
      file,
      `${readFileSync(join(chainFolder, 'config.conf'), 'utf8')}
node.listen.port = ${own}
node.active = [${active}]
node.passive = ["127.0.0.1:1"]
node.discovery.external.ip = "127.0.0.1"
node.maxConnectionsWithSameIp = 20
${more}
`,
    );
    const { config } = loadConfig({ file, flags: { ...NO_FLAGS, ...flags } });
    const node = await TronicleNode.open({ config, dataDir: join(folder, 'data'), log: silentLog });
    for (const key of Object.values(keys)) node.keys.add(key);
    t.teardown(() => node.close());
    return new PeerNode(node, own);
  }

  /** Creates a node and starts its peer network. */
  static async start(t: Scope, options?: PeerNodeOptions): Promise<PeerNode> {
    const made = await PeerNode.open(t, options);
    await made.join();
    return made;
  }

  get network(): PeerNetwork {
    return this.started!;
  }

  get head(): string {
    return toHex(this.node.chain.ledger.position.headId);
  }

  get headNumber(): number {
    return this.node.chain.ledger.position.headNumber;
  }

  async join(): Promise<void> {
    this.started = await startPeers(this.node);
  }

  /** Produces blocks and announces them to the peers. The first block skips `skip` slots. */
  async produce(count: number, skip = 0): Promise<DecodedBlock[]> {
    const made: DecodedBlock[] = [];
    for (let at = 0; at < count; at++) {
      const block = this.make({ skip: at === 0 ? skip : 0 });
      this.node.announce?.(block);
      this.node.chain.importBlock(block, { isOwn: true });
      made.push(block);
    }
    await this.node.chain.ledger.flush();
    this.node.chain.mempool.reinject();
    return made;
  }

  /** Creates a block on top of the head without applying or announcing it. */
  make({ skip = 0, isTimeUp = () => false }: MakeOptions = {}): DecodedBlock {
    const { chain, keys: producers } = this.node;
    chain.mempool.resetToHead();
    const slot = skip + 1;
    const witness = scheduledWitness(chain.state, slot);
    const { headNumber, headId } = chain.ledger.position;
    return produceBlock(chain.state, chain.mempool, {
      witness,
      key: producers.get(addressBytes(witness))!,
      timeMs: slotTime(chain.state, slot),
      parent: { number: headNumber, id: headId, stateRoot: () => chain.headStateRoot() },
      isSorted: false,
      isTimeUp,
    })!;
  }
}

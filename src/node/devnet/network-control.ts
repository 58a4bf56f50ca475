import {
  type ControlCall,
  ControlError,
  type ControlResult,
  MINED_BLOCKS_MAX,
  type NetworkControl,
  TRAVEL_MS_MAX,
} from '../../api/network-control.js';
import { isTravelClock, type TravelClock } from '../../chain/travel-clock.js';
import { itemAt } from '../../primitives/assert.js';
import { UsageError } from '../../primitives/errors.js';
import { slotTime } from '../../state-transition/consensus/schedule.js';
import type { TronicleNode } from '../lifecycle/node.js';
import { Faucet } from './faucet.js';

interface Snapshot {
  readonly id: number;
  readonly height: number;
  /** Current time of the node's clock, in ms since 1970. */
  readonly timeMs: number;
}

/** Maximum number of open snapshots. Test suites open one snapshot per level of nested tests. */
const SNAPSHOTS_MAX = 1_024;

/**
 * Controls a private network for test suites: snapshots, time and blocks. Returns undefined unless
 * `tronicle.devnet.control` is set.
 *
 * A snapshot is a height. A revert to a snapshot reverts blocks as in a reorg, with one log entry per block. While a
 * snapshot is open, the log solidifies no block above the lowest open snapshot. Streams of solidified blocks therefore
 * pause until the chain is reverted to that snapshot.
 *
 * Sinks that report reorgs report the revert as a reorg, which ends when the chain is higher than before the revert.
 * Subscriptions continue with the next block.
 * @throws {UsageError} the node does not run a private network
 */
export function createNetworkControl(node: TronicleNode): NetworkControl | undefined {
  const { config, clock } = node;
  if (!config.tronicle.devnet.control) return undefined;
  if (!isTravelClock(clock) || !config.p2pDisable || !config.witness.enabled)
    throw new UsageError(
      'tronicle.devnet.control is only for `tronicle devnet`: remove the key, or run `tronicle devnet`',
    );
  if (config.tronicle.history.retention !== 'all')
    throw new UsageError('tronicle.devnet.control needs tronicle.history.retention = all');
  const control = new Control(node, clock);
  return (call) => control.run(call);
}

class Control {
  private readonly node: TronicleNode;
  private readonly clock: TravelClock;
  private readonly faucet: Faucet;
  private snapshots: Snapshot[] = [];
  private nextId = 1;
  /** Sum of the times of all `increaseTime` commands, in ms. */
  private travelledMs = 0;

  constructor(node: TronicleNode, clock: TravelClock) {
    this.node = node;
    this.clock = clock;
    this.faucet = new Faucet(node);
  }

  async run(call: ControlCall): Promise<ControlResult> {
    switch (call.kind) {
      case 'snapshot':
        return this.snapshot();
      case 'revert':
        return this.revert(call.id);
      case 'mine':
        return this.mine(call.blocks, call.timeMs);
      case 'increaseTime':
        return this.increaseTime(call.ms);
      case 'setNextTime':
        return this.setNextTime(call.timeMs);
      case 'fund':
        return this.faucet.fund(call.to, call.trx);
    }
  }

  private snapshot(): number {
    if (this.snapshots.length >= SNAPSHOTS_MAX)
      throw new ControlError(
        `the node already has the maximum of ${SNAPSHOTS_MAX} snapshots; revert to one of them first`,
      );
    const { chain } = this.node;
    const id = this.nextId++;
    this.snapshots.push({ id, height: chain.ledger.position.headNumber, timeMs: this.clock.now() });
    chain.solidifiedMax = itemAt(this.snapshots, 0).height;
    return id;
  }

  /** Reverts the chain to a snapshot. Also removes the later snapshots, and all pending transactions. */
  private async revert(id: number): Promise<boolean> {
    const at = this.snapshots.findIndex((snapshot) => snapshot.id === id);
    const snapshot = this.snapshots[at];
    if (snapshot === undefined) return false;
    const { chain, log, signedBlocks } = this.node;
    this.snapshots = this.snapshots.slice(0, at);
    // The witnesses may sign other blocks at the same heights and slots, because no other node has the reverted blocks.
    signedBlocks?.deleteAbove(snapshot.height);
    chain.rollback(snapshot.height);
    chain.solidifiedMax = this.snapshots[0]?.height;
    await chain.ledger.flush();
    this.travelTo(snapshot.timeMs);
    log.info({ head: snapshot.height, snapshot: id }, 'chain reverted to a snapshot');
    return true;
  }

  private async mine(blocks: number, timeMs: number | undefined): Promise<number> {
    if (!Number.isSafeInteger(blocks) || blocks < 1 || blocks > MINED_BLOCKS_MAX)
      throw new ControlError(`invalid number of blocks ${blocks}; use 1 to ${MINED_BLOCKS_MAX}`);
    if (timeMs !== undefined) this.setNextTime(timeMs);
    const { chain } = this.node;
    for (let produced = 0; produced < blocks; produced++) {
      const next = slotTime(chain.state, 1);
      if (this.clock.now() < next) this.travelTo(next);
      if (!(await this.node.produceNow()))
        throw new ControlError('the node could not produce a block; its log has the reason');
    }
    return chain.ledger.position.headNumber;
  }

  private increaseTime(ms: number): number {
    if (!Number.isSafeInteger(ms) || ms < 0 || ms > TRAVEL_MS_MAX)
      throw new ControlError(`invalid time increase; use 0 to ${TRAVEL_MS_MAX / 1000} seconds`);
    this.travelledMs += ms;
    this.travelTo(this.clock.now() + ms);
    return this.travelledMs;
  }

  /**
   * Sets the clock so that the next block is in the first slot at or after `timeMs`.
   * @returns the new time of the clock, in ms since 1970
   */
  private setNextTime(timeMs: number): number {
    const { chain } = this.node;
    const next = slotTime(chain.state, 1);
    const head = chain.state.properties.number('latest_block_header_timestamp');
    if (!Number.isSafeInteger(timeMs) || timeMs <= head || timeMs - head > TRAVEL_MS_MAX) {
      const [first, last] = [Math.floor(head / 1000) + 1, Math.floor((head + TRAVEL_MS_MAX) / 1000)];
      throw new ControlError(
        `invalid time of the next block; use ${first} to ${last}, in s since 1970: at most ten years after the head`,
      );
    }
    const { slotMs } = chain.state.rules;
    const slots = Math.max(0, Math.ceil((timeMs - next) / slotMs));
    this.travelTo(next + slots * slotMs);
    return this.clock.now();
  }

  private travelTo(timeMs: number): void {
    this.clock.travelTo(timeMs);
    this.node.clockHasJumped();
  }
}

import type { EventLine, FollowLine } from '../api/follow/follow-lines.js';
import type { CheckedHeader, LightChain } from './light-chain.js';

/**
 * Maximum number of queued events of blocks that this client has not yet counted as solidified. If the node sends more
 * events, the connection ends with an error.
 */
const UNSOLIDIFIED_MAX = 10_000;
/**
 * Maximum number of characters of an incomplete line. The longest line is an event with 3 MiB of data in hex, which is
 * the memory limit of the TVM.
 */
const LINE_CHARS_MAX = 8 * 1024 * 1024;

export interface LineEvents {
  applied(header: CheckedHeader): void;
  reverted(header: CheckedHeader): void;
  /**
   * Called for an event of a solidified block. This client itself has verified the header of the block, and counted
   * that the block is solidified.
   */
  event(event: EventLine): void;
}

/** Decodes the JSON lines that the node sends, and verifies the headers and events in them. */
export class LineReader {
  isEnded = false;
  private readonly chain: LightChain;
  private readonly events: LineEvents;
  private readonly decoder = new TextDecoder();
  private unsolidified: EventLine[] = [];
  private buffered = '';

  constructor(chain: LightChain, events: LineEvents) {
    this.chain = chain;
    this.events = events;
  }

  /**
   * Decodes received bytes and verifies their content.
   * @throws {HeaderError | Error} the node has sent invalid data, or an endless line
   */
  read(bytes: Uint8Array): void {
    const lines = (this.buffered + this.decoder.decode(bytes, { stream: true })).split('\n');
    this.buffered = lines.pop() ?? '';
    if (this.buffered.length > LINE_CHARS_MAX)
      throw new Error(`the node sends a line of more than ${LINE_CHARS_MAX} characters`);
    for (const line of lines) this.take(JSON.parse(line) as FollowLine);
  }

  private take(line: FollowLine): void {
    if (line.type === 'witnesses') this.chain.setWitnesses(line.witnesses);
    else if (line.type === 'header') {
      const raw = fromHex(line.raw);
      if (line.kind === 'REVERTED') this.events.reverted(this.chain.revert(raw));
      else this.events.applied(this.chain.apply(raw, fromHex(line.signature)));
      this.release();
    } else if (line.type === 'event') {
      this.unsolidified.push(line);
      if (this.unsolidified.length > UNSOLIDIFIED_MAX)
        throw new Error('the node sends events of blocks that are not solidified');
      this.release();
    } else throw new Error(`${line.code}: ${line.message}`);
  }

  /** Emits queued events in order, up to the newest solidified block. */
  private release(): void {
    for (let [next] = this.unsolidified; next !== undefined; [next] = this.unsolidified) {
      if (this.chain.isSolidified(next.block) !== true) return;
      this.unsolidified.shift();
      this.events.event(next);
    }
  }
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

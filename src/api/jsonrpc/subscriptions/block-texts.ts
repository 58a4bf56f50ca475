import { blockMembers } from '../block-results.js';
import { type RenderedLog, renderLogs } from '../logs/rendered-logs.js';
import { printContext, type RpcContext } from '../methods/rpc-context.js';
import type { ChainEvent } from './chain-events.js';

/** Renders a block for notifications. Each part is rendered on first use. All subscriptions share the result. */
export class BlockTexts {
  readonly isReverted: boolean;
  private readonly event: ChainEvent;
  private readonly context: RpcContext;
  private headerText: string | undefined;
  private renderedLogs: readonly RenderedLog[] | undefined;

  constructor(event: ChainEvent, context: RpcContext) {
    this.isReverted = event.isReverted;
    this.event = event;
    this.context = context;
  }

  /** Block header as JSON, in the form of `eth_getBlockByNumber`. */
  get header(): string {
    this.headerText ??= this.makeHeader();
    return this.headerText;
  }

  get logs(): readonly RenderedLog[] {
    this.renderedLogs ??= renderLogs(this.event.content, {
      removed: this.isReverted,
      hasTime: this.context.api.settings.release.timesLogs,
    });
    return this.renderedLogs;
  }

  private makeHeader(): string {
    const block = blockMembers(this.event.content, printContext(this.context));
    const { uncles: _, size: __, totalDifficulty: ___, ...header } = block;
    return JSON.stringify(header);
  }
}

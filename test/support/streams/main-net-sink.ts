import { sinkFromJson } from '../../../src/config/rows/sink-rows.js';
import type { SinkOptions } from '../../../src/streams/sinks/sink-kinds.js';

/** Reads the options of a sink of a network with main-net addresses. */
export function mainNetSink(json: object): SinkOptions {
  return sinkFromJson(json, { addressPrefix: 0x41 });
}

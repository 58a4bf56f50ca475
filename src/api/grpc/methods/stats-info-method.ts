import { type EmptyMessage, MetricsInfo } from '../../../codec/generated/messages.js';
import { statistics } from '../../operations/statistics.js';
import { grpcMethod } from '../grpc-method.js';
import { fillNodeInfo } from './node-info-method.js';

/**
 * Returns the data of `getstatsinfo` as a message.
 * Reference: RpcApiService.MonitorApi, MetricsApiService.getMetricProtoInfo.
 */
export const statsInfoMethod = grpcMethod((_: EmptyMessage, { api, view, gate }) => {
  const seconds = Math.trunc((performance.now() - (gate?.startedMs ?? 0)) / 1000);
  const info = fillNodeInfo(MetricsInfo, statistics(api, view, seconds, gate));
  const { net } = info;
  // As in java-tron, the field for outgoing TCP traffic contains the incoming UDP traffic.
  if (net !== undefined) {
    net.tcpOutTraffic = net.udpInTraffic;
    net.udpInTraffic = undefined;
    // As in java-tron, the witnesses of late blocks are omitted.
    for (const each of net.latency?.detail ?? []) each.witness = '';
  }
  return info;
});

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
  // As java-tron does, report the incoming UDP traffic in the field for outgoing TCP traffic.
  if (net !== undefined) {
    net.tcpOutTraffic = net.udpInTraffic;
    net.udpInTraffic = undefined;
    // As java-tron does, do not report the witnesses of late blocks.
    for (const each of net.latency?.detail ?? []) each.witness = '';
  }
  return info;
});

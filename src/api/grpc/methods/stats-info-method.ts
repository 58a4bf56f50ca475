import { type EmptyMessage, MetricsInfo } from '../../../codec/generated/messages.js';
import { statistics } from '../../operations/statistics.js';
import { grpcMethod } from '../grpc-method.js';
import { fillNodeInfo } from './node-info-method.js';

/** Reference: RpcApiService.MonitorApi, MetricsApiService.getMetricProtoInfo. */
export const statsInfoMethod = grpcMethod((_: EmptyMessage, { api, view, gate }) => {
  const seconds = Math.trunc((performance.now() - (gate?.startedMs ?? 0)) / 1000);
  const info = fillNodeInfo(MetricsInfo, statistics(api, view, seconds, gate));
  const { net } = info;
  // java-tron overwrites the outgoing TCP traffic with the incoming UDP traffic.
  if (net !== undefined) {
    net.tcpOutTraffic = net.udpInTraffic;
    net.udpInTraffic = undefined;
    // java-tron does not report the witness of late blocks.
    for (const each of net.latency?.detail ?? []) each.witness = '';
  }
  return info;
});

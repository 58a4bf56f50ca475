import { type EmptyMessage, MetricsInfo } from '../../../codec/generated/messages.js';
import { statistics } from '../../operations/statistics.js';
import { grpcMethod } from '../grpc-method.js';
import { fillNodeInfo } from './node-info-method.js';

/** Reference: RpcApiService.MonitorApi, MetricsApiService.getMetricProtoInfo. */
export const statsInfoMethod = grpcMethod((_: EmptyMessage, { api, view, gate }) => {
  const seconds = Math.trunc((performance.now() - (gate?.startedMs ?? 0)) / 1000);
  const info = fillNodeInfo(MetricsInfo, statistics(api, view, seconds, gate));
  const { net } = info;
  // The reference writes what came by UDP over what went out by TCP.
  if (net !== undefined) {
    net.tcpOutTraffic = net.udpInTraffic;
    net.udpInTraffic = undefined;
    // It does not say whose blocks were late.
    for (const each of net.latency?.detail ?? []) each.witness = '';
  }
  return info;
});

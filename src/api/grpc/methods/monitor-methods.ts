import { EmptyMessage, MetricsInfo } from '../../../codec/generated/messages.js';
import { statistics } from '../../operations/statistics.js';
import { type GrpcMethods, method } from '../grpc-method.js';
import { fill } from './node-info-method.js';

/** Service `Monitor`. Reference: RpcApiService.MonitorApi, MetricsApiService.getMetricProtoInfo. */
export const monitorMethods: GrpcMethods = {
  GetStatsInfo: method(EmptyMessage, (_, { api, view, gate }) => {
    const seconds = Math.trunc((performance.now() - (gate?.startedMs ?? 0)) / 1000);
    const info = fill(MetricsInfo, statistics(api, view, seconds, gate));
    const { net } = info;
    // The reference writes what came by UDP over what went out by TCP.
    if (net !== undefined) {
      net.tcpOutTraffic = net.udpInTraffic;
      net.udpInTraffic = undefined;
      // It does not say whose blocks were late.
      for (const each of net.latency?.detail ?? []) each.witness = '';
    }
    return info;
  }),
};

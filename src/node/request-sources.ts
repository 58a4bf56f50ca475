import { RequestSources } from '../api/http/server/request-sources.js';
import type { NodeConfig } from '../config/load-config.js';

/** Returns the rules that decide from which web pages (origin and host name) the node accepts requests. */
export function requestSources({ tronicle }: Pick<NodeConfig, 'tronicle'>): RequestSources {
  const { api, http, admin, devnet } = tronicle;
  return new RequestSources({
    origins: api.cors,
    hosts: [...api.hosts, api.address, http.address, admin.address],
    servesLocalPages: devnet.control,
  });
}

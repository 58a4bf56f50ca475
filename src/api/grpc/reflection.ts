import type { Server } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { DescribedServices, type ReflectionRequest } from './described-services.js';

/**
 * The reference serves `v1alpha`, from 4.7.4 on and where `node.rpc.reflectionService` says so;
 * `tronicle.api.reflection` both.
 */
export type Reflection = 'none' | 'v1alpha' | 'both';

/** A version of the service, which the library's types do not show. */
interface Version {
  handleServerReflectionRequest(request: ReflectionRequest): object;
  addToServer(server: Server): void;
}

/**
 * Adds the services `grpc.reflection.v1` and `v1alpha`, which describe those of this port to tools like grpcurl.
 * @param services full names of what the port serves
 */
export function addReflection(server: Server, services: readonly string[], reflection: Reflection): void {
  if (reflection === 'none') return;
  const versions = reflection === 'both' ? (['v1', 'v1alpha'] as const) : (['v1alpha'] as const);
  const described = new DescribedServices(services, versions);
  // The library reads and writes messages; what they say is told here.
  const { v1, v1Alpha } = new ReflectionService({}) as unknown as Readonly<Record<'v1' | 'v1Alpha', Version>>;
  for (const name of versions) {
    const version = name === 'v1' ? v1 : v1Alpha;
    version.handleServerReflectionRequest = (request) => described.answer(request);
    version.addToServer(server);
  }
}

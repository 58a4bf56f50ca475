import type { Server } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { DescribedServices, type ReflectionRequest } from './described-services.js';

/**
 * Versions of the reflection service that a port serves. java-tron serves `v1alpha` from release 4.7.4 if
 * `node.rpc.reflectionService` is set. `tronicle.api.reflection` enables both.
 */
export type Reflection = 'none' | 'v1alpha' | 'both';

/** A version of the reflection service. The types of the library do not declare it. */
interface Version {
  handleServerReflectionRequest(request: ReflectionRequest): object;
  addToServer(server: Server): void;
}

/**
 * Adds the services `grpc.reflection.v1` and `grpc.reflection.v1alpha`. They describe the services of this port to
 * tools such as grpcurl.
 * @param services full names of the services of the port
 */
export function addReflection(server: Server, services: readonly string[], reflection: Reflection): void {
  if (reflection === 'none') return;
  const versions = reflection === 'both' ? (['v1', 'v1alpha'] as const) : (['v1alpha'] as const);
  const described = new DescribedServices(services, versions);
  // The library only encodes and decodes reflection messages. The class `DescribedServices` creates the answers.
  const { v1, v1Alpha } = new ReflectionService({}) as unknown as Readonly<Record<'v1' | 'v1Alpha', Version>>;
  for (const name of versions) {
    const version = name === 'v1' ? v1 : v1Alpha;
    version.handleServerReflectionRequest = (request) => described.answer(request);
    version.addToServer(server);
  }
}

import protobuf from 'protobufjs';
import type { CallMethod } from '../server-call.js';
import { DescribedServices, type ReflectionRequest } from './described-services.js';
import { type ReflectionVersion, reflectionFile, schemaText } from './schema-files.js';

/**
 * Versions of the reflection service on a port. From release 4.7.4, java-tron serves `v1alpha` if
 * `node.rpc.reflectionService` is set. `tronicle.api.reflection` enables both.
 */
export type Reflection = 'none' | 'v1alpha' | 'both';

const NOTHING: ReadonlyMap<string, CallMethod> = new Map();

/**
 * Returns the methods of `grpc.reflection.v1` and `grpc.reflection.v1alpha`, by name. Tools such as grpcurl read the
 * schema of the port's services with these methods.
 * @param services full names of the services of the port
 */
export function reflectionMethods(
  services: readonly string[],
  reflection: Reflection,
): ReadonlyMap<string, CallMethod> {
  if (reflection === 'none') return NOTHING;
  const versions: readonly ReflectionVersion[] = reflection === 'both' ? ['v1', 'v1alpha'] : ['v1alpha'];
  const described = new DescribedServices(services, versions);
  return new Map(
    versions.map((version) => [
      `grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
      reflectionMethod(version, described),
    ]),
  );
}

function reflectionMethod(version: ReflectionVersion, described: DescribedServices): CallMethod {
  const { root } = protobuf.parse(schemaText(reflectionFile(version)), new protobuf.Root());
  root.resolveAll();
  const requestType = root.lookupType(`grpc.reflection.${version}.ServerReflectionRequest`);
  const responseType = root.lookupType(`grpc.reflection.${version}.ServerReflectionResponse`);
  return {
    takesMany: true,
    handle: (request, call) => {
      const fields = requestType.toObject(requestType.decode(request), { defaults: true, oneofs: true });
      const answer = responseType.fromObject(described.answer(fields as ReflectionRequest));
      call.send(responseType.encode(answer).finish());
    },
  };
}

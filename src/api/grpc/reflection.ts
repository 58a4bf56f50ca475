import { fileURLToPath } from 'node:url';
import type { Server } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';

/** From `src` and from `dist` alike the schemas are three steps up. */
const FOLDER = fileURLToPath(new URL('../../../proto/', import.meta.url));

/**
 * Adds the services `grpc.reflection.v1` and `v1alpha`, which describe those of this port to tools like grpcurl. The reference's
 * release does not register them, hence `tronicle.api.reflection`.
 * @param services full names of what the port serves
 */
export function addReflection(server: Server, services: readonly string[]): void {
  const schema = loadSync('api/api.proto', { includeDirs: [FOLDER], keepCase: true, longs: String, enums: String });
  new ReflectionService(schema, { services: [...services] }).addToServer(server);
}

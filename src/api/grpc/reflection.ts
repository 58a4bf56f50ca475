import { fileURLToPath } from 'node:url';
import type { Server } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { Status } from './grpc-reply.js';

/** From `src` and from `dist` alike the schemas are three steps up. */
const FOLDER = fileURLToPath(new URL('../../../proto/', import.meta.url));

/** The reference serves `v1alpha`, from 4.7.4 on and where `node.rpc.reflectionService` says so; `tronicle.api.reflection` both. */
export type Reflection = 'none' | 'v1alpha' | 'both';

/** A version of the service, which the library's types do not show. */
interface Version {
  handleServerReflectionRequest(request: ReflectionRequest): object;
  addToServer(server: Server): void;
}

interface ReflectionRequest {
  readonly host: string;
  readonly messageRequest?: string;
}

/**
 * Adds the services `grpc.reflection.v1` and `v1alpha`, which describe those of this port to tools like grpcurl.
 * @param services full names of what the port serves
 */
export function addReflection(server: Server, services: readonly string[], reflection: Reflection): void {
  if (reflection === 'none') return;
  const schema = loadSync('api/api.proto', { includeDirs: [FOLDER], keepCase: true, longs: String, enums: String });
  const made = new ReflectionService(schema, { services: [...services] });
  const { v1, v1Alpha } = made as unknown as Readonly<Record<'v1' | 'v1Alpha', Version>>;
  for (const version of reflection === 'both' ? [v1, v1Alpha] : [v1Alpha]) {
    const answer = version.handleServerReflectionRequest.bind(version);
    version.handleServerReflectionRequest = (request) =>
      request.messageRequest === undefined ? nothingAsked(request) : answer(request);
    version.addToServer(server);
  }
}

/** In the words of the reference's library. */
function nothingAsked({ host }: ReflectionRequest): object {
  return {
    ...(host !== '' && { validHost: host }),
    originalRequest: host === '' ? {} : { host },
    errorResponse: { errorCode: Status.UNIMPLEMENTED, errorMessage: 'not implemented MESSAGEREQUEST_NOT_SET' },
  };
}

import { fileURLToPath } from 'node:url';
import { loadSync } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { Status } from './answer-call.js';
/** From `src` and from `dist` alike the schemas are three steps up. */
const FOLDER = fileURLToPath(new URL('../../../proto/', import.meta.url));
/**
 * Adds the services `grpc.reflection.v1` and `v1alpha`, which describe those of this port to tools like grpcurl.
 * @param services full names of what the port serves
 */
export function addReflection(server, services, reflection) {
    if (reflection === 'none')
        return;
    const schema = loadSync('api/api.proto', { includeDirs: [FOLDER], keepCase: true, longs: String, enums: String });
    const made = new ReflectionService(schema, { services: [...services] });
    const { v1, v1Alpha } = made;
    for (const version of reflection === 'both' ? [v1, v1Alpha] : [v1Alpha]) {
        const answer = version.handleServerReflectionRequest.bind(version);
        version.handleServerReflectionRequest = (request) => request.messageRequest === undefined ? nothingAsked(request) : answer(request);
        version.addToServer(server);
    }
}
/** In the words of the reference's library. */
function nothingAsked({ host }) {
    return {
        ...(host !== '' && { validHost: host }),
        originalRequest: host === '' ? {} : { host },
        errorResponse: { errorCode: Status.UNIMPLEMENTED, errorMessage: 'not implemented MESSAGEREQUEST_NOT_SET' },
    };
}
//# sourceMappingURL=reflection.js.map
import { createAdminServer } from './admin-server.js';
import { adminToken } from './admin-token.js';
/** Serves the admin interface (`tronicle.admin`). A port that cannot be had is an error in the log; the node runs on without it. */
export async function serveAdmin({ config, dataDir, log }, sinks) {
    const { enable, address, port } = config.tronicle.admin;
    if (!enable)
        return undefined;
    const server = createAdminServer({ sinks, token: adminToken(config, dataDir), log });
    try {
        await server.listen({ host: address, port });
        log.info({ api: 'admin', address, port }, 'serves');
    }
    catch (error) {
        log.error({ err: error, api: 'admin', address, port }, 'cannot serve');
    }
    return { close: () => server.close() };
}
//# sourceMappingURL=serve-admin.js.map
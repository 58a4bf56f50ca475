/**
 * Serves a limited number of connections; others wait, unread, until one ends, as behind a listener that stops
 * accepting.
 * Reference: Jetty's ConnectionLimit.
 */
export function limitConnections(server, { connectionsMax, waitingMax }) {
    const listeners = server.listeners('connection');
    const waiting = new Set();
    const served = new Set();
    const release = (socket) => {
        if (served.delete(socket))
            serveNext();
    };
    const serve = (socket) => {
        served.add(socket);
        socket.once('close', () => release(socket));
        for (const listener of listeners)
            listener.call(server, socket);
        socket.resume();
    };
    const serveNext = () => {
        const [next] = waiting;
        if (next === undefined || served.size >= connectionsMax)
            return;
        waiting.delete(next);
        serve(next);
    };
    server.removeAllListeners('connection');
    server.on('connection', (socket) => {
        if (served.size < connectionsMax)
            serve(socket);
        else if (waiting.size >= waitingMax)
            socket.destroy();
        else {
            socket.pause();
            waiting.add(socket);
            socket.once('close', () => waiting.delete(socket));
            socket.on('error', () => socket.destroy());
        }
    });
    return { release };
}
//# sourceMappingURL=connection-limit.js.map